"""Names of columns that Polars would take for patterns, and names that no library can hold.

Every method of a Polars column looks its own name up again, and `^a.*$` or `*` then stand for other columns. So
columns are worked on under `literal` names; `frames` gives them their own names back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hushwood.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def literal(column: pl.Series) -> pl.Series:
    """The column, its name in quotation marks if Polars would take it for a pattern.

    >>> import polars as pl
    >>> literal(pl.Series("^a.*$", [1])).name, literal(pl.Series("a*", [1])).name
    ('"^a.*$"', 'a*')
    """
    name = column.name
    pattern = name == "*" or (name.startswith("^") and name.endswith("$"))
    return column.alias(f'"{name}"') if pattern else column


def check_writable(names: Iterable[str]) -> None:
    """Refuse names that files and other libraries cannot hold: with a NUL, or that are no whole Unicode text."""
    for name in names:
        if "\0" in name or any("\ud800" <= sign <= "\udfff" for sign in name):
            raise InputError(
                f"The column name {name!r} holds a character that files cannot hold; rename the column."
            )

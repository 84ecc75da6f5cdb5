"""Column names that Polars would take for patterns, and names that files cannot hold.

Methods of a Polars column look up its own name, and `^a.*$` or `*` then match other columns. So columns are processed
under `literal` names, and get their own names back in the frame.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from hushwood.errors import InputError


def literal(column: pl.Series) -> pl.Series:
    """The column, its name quoted if Polars would take it for a pattern.

    >>> import polars as pl
    >>> literal(pl.Series("^a.*$", [1])).name, literal(pl.Series("a*", [1])).name
    ('"^a.*$"', 'a*')
    """
    name = column.name
    pattern = name == "*" or (name.startswith("^") and name.endswith("$"))
    return column.alias(f'"{name}"') if pattern else column


def check_writable(names: Iterable[str]) -> None:
    """Refuse names that files and other libraries cannot hold: with a NUL or half a surrogate pair."""
    for name in names:
        if "\0" in name or any("\ud800" <= sign <= "\udfff" for sign in name):
            raise InputError(
                f"The column name {name!r} contains a character that files cannot hold. Rename the column."
            )

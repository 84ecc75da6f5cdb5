"""One column of a table, a frame or a file on disk, in the form in which originals and releases are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.storage import numbers_of, texts_of
from hushwood.tables.table import Table

if TYPE_CHECKING:
    import polars as pl


class Source(Protocol):
    """A frame, or a file that gives one column at a time."""

    @property
    def height(self) -> int:
        """How many rows there are."""

    @property
    def schema(self) -> Mapping[str, pl.DataType]:
        """The columns in their order, with their types."""

    def __getitem__(self, name: str, /) -> pl.Series:
        """One column."""


class Compared(NamedTuple):
    """A column as a tree compares it: numbers, or codes (-1: missing) with their texts."""

    values: NDArray[Any]
    texts: tuple[str, ...] | None
    gaps: int


def compared(table: Source | Table, attribute: Mapping[str, Any]) -> Compared:
    """One column of a table, as an attribute of a forest.json describes it; its known values have the first codes."""
    name = attribute["name"]
    texts: tuple[str, ...] | None = None
    if isinstance(table, Table):
        values: NDArray[Any] = np.asarray(table.columns[name])
        texts = None if attribute["kind"] == "numeric" else table.schema[name].categories
    elif attribute["kind"] == "numeric":
        values = numbers_of(table[name], attribute.get("precision"))
    else:
        values, texts = _coded(texts_of(table[name]), tuple(attribute.get("values", ())))
    missing = values < 0 if texts is not None else np.isnan(values)
    return Compared(values, texts, int(np.count_nonzero(missing)))


def _coded(column: pl.Series, known: tuple[str, ...]) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Codes of texts, and the texts that they stand for: the known ones, then those that nobody knew."""
    import polars as pl

    codes = column.cast(pl.Enum(known), strict=False)
    if codes.null_count() > column.null_count():
        new = set(column.drop_nulls().unique().to_list()).difference(known)
        known = (*known, *sorted(new))
        codes = column.cast(pl.Enum(known))
    return codes.to_physical().cast(pl.Int32).fill_null(-1).to_numpy(), known

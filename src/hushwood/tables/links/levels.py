"""Columns as numbers of their levels, for whatever looks at which values occur together; missing is a level, too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.tables.coding import dense_codes
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

PROBED = 256  # records by which most candidates are ruled out
MOST_LEVELS = 200  # of a number that is looked at as if it were a category


@dataclass(frozen=True, slots=True)
class Levels:
    """A column as codes of the levels that occur; level 0 is the first of them. `names` has None for missing."""

    attribute: Attribute
    codes: Integers
    counts: Integers
    names: tuple[str | None, ...] = ()

    @property
    def name(self) -> str:
        """The column's name."""
        return self.attribute.name

    @property
    def categorical(self) -> bool:
        """Whether the levels have names."""
        return self.attribute.kind == "categorical"

    @property
    def varied(self) -> bool:
        """Whether the column says anything: one value has at most 99 % of the records."""
        return len(self.counts) > 1 and int(self.counts.max()) <= 0.99 * int(self.counts.sum())


def linkable(table: Table, without: Iterable[str] = ()) -> tuple[Attribute, ...]:
    """The columns that all kinds of links are looked for in, by name: not the class, nor what is dropped or copied."""
    out = set(without)
    return tuple(sorted((a for a in table.schema.tested if a.name not in out), key=lambda a: a.name))


def levels_of(table: Table, attributes: Iterable[Attribute]) -> dict[str, Levels]:
    """All categorical columns, and numbers with few values."""
    found = {a.name: coded(a, table.columns[a.name]) for a in attributes}
    return {name: levels for name, levels in found.items() if levels is not None}


def coded(attribute: Attribute, column: Array, most: int = MOST_LEVELS) -> Levels | None:
    """A column as levels; None for a number with more than `most` values."""
    if attribute.kind == "categorical":
        present, codes = dense_codes(column.astype(np.int64) + 1)
        names = tuple(None if place == 0 else attribute.categories[place - 1] for place in present)
        return Levels(attribute, codes, np.bincount(codes, minlength=len(present)), names)
    if len(np.unique(probed(column))) > most:
        return None
    values, codes = np.unique(column, return_inverse=True)
    if len(values) > most:
        return None
    return Levels(attribute, codes.astype(np.int64), np.bincount(codes, minlength=len(values)))


def probed(column: Array, count: int = PROBED) -> Array:
    """Some records from all over the table: what they rule out is ruled out."""
    return column[:: max(1, len(column) // count)]


def words_of(column: Array) -> Integers:
    """Any column as whole numbers that are equal where the values are."""
    if column.dtype.kind != "f":
        return column.astype(np.int64)
    # 0 is added because -0.0 has other bits than 0.0.
    return np.where(np.isnan(column), np.int64(-1), (column + 0.0).view(np.int64))

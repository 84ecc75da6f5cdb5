"""Rows that belong together: the rows of a person, and the persons of a household; and what they have in common.

Levels are nested: households hold persons, persons hold rows. Every column belongs to the highest level at which it is
the same in all rows of every unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.errors import InputError
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class Units:
    """The unit of every row, numbered in the order of the units' first rows, and those first rows."""

    of_row: Integers
    first: Integers

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.first)

    def rows_of(self, units: Integers) -> Integers:
        """The rows of some units, ascending."""
        wanted = np.zeros(self.count, bool)
        wanted[units] = True
        return np.flatnonzero(wanted[self.of_row])

    @property
    def rows(self) -> Integers:
        """How many rows each unit has."""
        return np.bincount(self.of_row, minlength=self.count)


@dataclass(frozen=True, slots=True)
class UnitLevel:
    """Units of one kind, the unit above each of them, and the columns that are the same in all rows of every unit.

    Columns of a level above are not listed again. `column` names the units: that of the persons or the households; the
    rows themselves have none.
    """

    column: str
    units: Units
    above: Integers
    columns: tuple[str, ...]

    @property
    def children(self) -> Integers:
        """How many units of this level every unit above has."""
        return np.bincount(self.above)


def unit_columns(schema: Schema) -> tuple[str, ...]:
    """The columns that say which rows belong together, the household's before the person's."""
    return (*schema.in_role("household"), *schema.in_role("person"))


def units_of(column: pl.Series) -> Units:
    """Rows with the same value belong together; a row without a value is a unit of its own.

    >>> units_of(pl.Series(["b", None, "a", "b", None])).of_row.tolist()
    [0, 1, 2, 0, 3]
    """
    ids = np.asarray(column.rank("dense").fill_null(0).to_numpy(), np.int64)
    gone = np.flatnonzero(ids == 0)
    ids[gone] = int(ids.max(initial=0)) + 1 + np.arange(len(gone))
    return numbered(ids)


def numbered(ids: Array) -> Units:
    """Units by any numbers that are equal where rows belong together."""
    _, first, of_row = np.unique(ids, return_index=True, return_inverse=True)
    place = np.empty(len(first), np.int64)
    order = np.argsort(first)
    place[order] = np.arange(len(first))
    return Units(place[of_row.reshape(-1)], first[order])


def outermost(table: Table) -> Units | None:
    """The units that are never split: households, or else persons."""
    names = unit_columns(table.schema)
    return units_of(table.carried[names[0]]) if names else None


def levels_of(table: Table) -> tuple[UnitLevel, ...]:
    """The levels of a table, the outermost first and the rows last."""
    names = unit_columns(table.schema)
    found, left = list[UnitLevel](), [a.name for a in table.schema.kept]
    above = numbered(np.zeros(table.rows, np.int64))
    for name in (*names, ""):
        units = units_of(table.carried[name]) if name else numbered(np.arange(table.rows))
        if name != names[0] and (above.of_row[units.first][units.of_row] != above.of_row).any():
            raise InputError(
                f"Some values of {name!r} stand for rows of several households ({names[0]!r}), so households cannot "
                "be kept together. Correct the table, or omit --household."
            )
        same = constant_columns(table.columns, left, units)
        found.append(UnitLevel(name, units, above.of_row[units.first], same))
        left = [column for column in left if column not in same]
        above = units
    return tuple(found)


def constant_columns(columns: Mapping[str, Array], names: Sequence[str], units: Units) -> tuple[str, ...]:
    """Those of some columns that have one value, or none, in all rows of every unit."""
    return tuple(name for name in names if not differing(columns[name], units).any())


def differing(column: Array, units: Units) -> Flags:
    """Rows whose value is another than that of their unit's first row; missing is a value."""
    first = column[units.first][units.of_row]
    different = column != first
    if column.dtype.kind == "f":
        different &= ~(np.isnan(column) & np.isnan(first))
    return np.asarray(different)


def described_people(table: Table) -> Iterator[str]:
    """A few sentences; none if every row is a person."""
    if not unit_columns(table.schema):
        return
    above = ""
    for level in levels_of(table):
        if not level.column:
            if level.columns:
                yield f"Different between rows: {', '.join(level.columns)}."
            continue
        role, rows = table.schema[level.column].role, level.units.rows
        low, high, middle = int(rows.min()), int(rows.max()), float(np.median(rows))
        each = f"{low}" if low == high else f"{low:,} to {high:,}, in the middle {middle:g}"
        yield f"{level.units.count:,} {role}s ({level.column}) with {table.rows:,} rows: {each} each."
        same = ", ".join(level.columns) or "no column"
        yield f"The same in all rows of a {role}{above}: {same}."
        above = f", but not of a {role}"


def mean_of(column: Array, units: Units) -> Floats:
    """The mean of the known numbers of every unit; missing if it has none.

    >>> mean_of(np.array([1.0, 5.0, np.nan, np.nan]), Units(np.array([0, 0, 0, 1]), np.array([0, 3]))).tolist()
    [3.0, nan]
    """
    known = ~np.isnan(column)
    counts = np.bincount(units.of_row[known], minlength=units.count)
    # Sums of differences from the first known number do not lose the small digits of large numbers.
    origin = float(column[known][0]) if known.any() else 0.0
    sums = np.bincount(units.of_row[known], column[known] - origin, minlength=units.count)
    means: Floats = np.divide(sums, counts, out=np.full(units.count, np.nan), where=counts > 0)
    return np.asarray(means + origin)


def smallest_of(column: Array, units: Units) -> Floats:
    """The smallest known number of every unit."""
    order = np.argsort(units.of_row, kind="stable")
    starts = np.concatenate([[0], np.cumsum(units.rows)[:-1]])
    return np.asarray(np.fmin.reduceat(np.asarray(column, np.float64)[order], starts))


def largest_of(column: Array, units: Units) -> Floats:
    """The largest known number of every unit."""
    return -smallest_of(-np.asarray(column, np.float64), units)


def most_frequent(codes: Array, units: Units) -> Codes:
    """The most frequent known code of every unit, the first of several; -1 if none is known.

    >>> most_frequent(np.array([2, 1, 1, -1, 0]), Units(np.array([0, 0, 0, 0, 1]), np.array([0, 4]))).tolist()
    [1, 0]
    """
    unit, code, counts = _counted(codes, units)
    order = np.lexsort((code, -counts, unit))
    unit, first = np.unique(unit[order], return_index=True)
    found = np.full(units.count, -1, np.int32)
    found[unit] = code[order][first]
    return found


def different(codes: Array, units: Units) -> Floats:
    """How many different known codes every unit has."""
    return np.bincount(_counted(codes, units)[0], minlength=units.count).astype(np.float64)


def holders(codes: Array, units: Units, categories: int) -> Integers:
    """How many units have each category, in whatever many rows.

    >>> holders(np.array([1, 1, 1, 0, -1]), Units(np.array([0, 0, 0, 1, 1]), np.array([0, 3])), 3).tolist()
    [1, 1, 0]
    """
    return np.bincount(_counted(codes, units)[1], minlength=categories)


def _counted(codes: Array, units: Units) -> tuple[Integers, Integers, Integers]:
    """The units and known codes that occur together, and how often."""
    known, width = codes >= 0, int(codes.max(initial=0)) + 1
    pairs, counts = np.unique(units.of_row[known] * width + codes[known], return_counts=True)
    return pairs // width, pairs % width, counts

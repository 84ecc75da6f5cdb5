"""The records of a chunk as techniques for groups of numbers need them: numbers in steps, cells, keyed streams.

And the columns that a group is conditioned on: numbers as they are, categories as indicators (S of the GADP papers).
Their link to the group survives; they themselves are copied, or left to another technique.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.errors import InputError, unknown_name
from hushwood.random_streams import Rows, Streams
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, label_columns, label_names
from hushwood.techniques.protocol import Columns, Within
from hushwood.techniques.together.cells import CellLayout, Cells, NumberGroup

MOST_INDICATORS = 200
FEWEST_IN_CATEGORY = 3
MOST_PLACES = 1025  # of a curve of scores


@dataclass(frozen=True, slots=True)
class Given:
    """The columns as a design matrix; `centre` and `unit` are those of the numeric ones.

    With `curves` (values and their normal scores, ascending) numbers count by their ranks, as methods on ranks need.
    """

    schema: Schema
    numeric: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()
    centre: tuple[float, ...] = ()
    unit: tuple[float, ...] = ()
    curves: tuple[tuple[Floats, Floats], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, numeric ones first."""
        return self.numeric + self.categorical

    @property
    def columns(self) -> int:
        """How many columns the design has."""
        return len(self.numeric) + sum(width - 1 for width in self.widths)

    def numbers(self, columns: Columns) -> Floats:
        """The numeric columns, standardised or as scores; a missing number counts as the mean."""
        out = np.zeros((len(next(iter(columns.values()))), len(self.numeric)))
        if self.curves:
            for j, (name, curve) in enumerate(zip(self.numeric, self.curves, strict=True)):
                out[:, j] = np.nan_to_num(np.interp(np.asarray(columns[name], float), *curve))
            return out
        for j, (name, centre, unit) in enumerate(zip(self.numeric, self.centre, self.unit, strict=True)):
            out[:, j] = np.nan_to_num((np.asarray(columns[name], float) - centre) / unit)
        return out

    def by_ranks(self, original: Table) -> Given:
        """The same with numbers as the normal scores of their ranks in the table."""
        columns = [np.asarray(original.columns[name], float) for name in self.numeric]
        return replace(self, curves=tuple(_score_curve(values[~np.isnan(values)]) for values in columns))

    def strata(self, columns: Columns) -> Integers:
        """One number for every combination of the categories that these records have."""
        labels = label_columns(self.schema, columns)
        strata = np.zeros(len(next(iter(columns.values()))), np.int64)
        for name, width in zip(self.categorical, self.widths, strict=True):
            _, strata = dense_codes(strata * width + _codes(labels[name], width))
        return strata

    def design(self, columns: Columns) -> Floats:
        """Numbers, then an indicator for every category but the first; missing is a category."""
        labels = label_columns(self.schema, columns)
        parts = [self.numbers(columns)]
        for name, width in zip(self.categorical, self.widths, strict=True):
            parts.append((_codes(labels[name], width)[:, None] == np.arange(1, width)).astype(float))
        return np.concatenate(parts, axis=1)

    def common_design(self, columns: Columns, cell: Integers, sizes: Integers) -> Floats:
        """The same, with categories of fewer than three records of a cell merged, if necessary with the largest.

        A record alone in its category would be held to the category's mean and could not move at all.
        """
        design = self.design(columns)
        begin = len(self.numeric)
        for width in (width for width in self.widths if width > 1):
            block = design[:, begin : begin + width - 1]
            count = np.stack([np.bincount(cell, column, minlength=len(sizes)) for column in block.T], axis=1)
            common = count >= FEWEST_IN_CATEGORY
            left = sizes - (count * common).sum(axis=1)  # of the first and the rare categories
            too_few = (left > 0) & (left < FEWEST_IN_CATEGORY) & common.any(axis=1)
            common[too_few, count[too_few].argmax(axis=1)] = False
            block *= common[cell]
            begin += width - 1
        return design


def given_columns(original: Table, names: Sequence[str] | None, within: Within) -> Given:
    """The named columns; None is the class within a table, and nothing within segments."""
    schema = original.schema
    target = schema.class_attribute
    if names is None:
        names = (target.name,) if target is not None and within == "table" else ()
    kept = {a.name: a for a in schema.kept}
    for name in names:
        if name not in kept:
            raise unknown_name("column to condition on", name, kept)
    numeric = tuple(n for n in names if kept[n].kind == "numeric")
    categorical = tuple(n for n in names if kept[n].kind != "numeric")
    widths = tuple(_width(original, name) for name in categorical)
    if sum(widths) > MOST_INDICATORS:
        raise InputError(
            f"The columns to condition on have {sum(widths):,} categories in total; the limit is {MOST_INDICATORS}."
        )
    values = [np.asarray(original.columns[n], float) for n in numeric]
    known = [v[~np.isnan(v)] if bool((~np.isnan(v)).any()) else np.zeros(1) for v in values]
    centre = tuple(float(v.mean()) for v in known)
    unit = tuple(float(v.std()) or 1.0 for v in known)
    return Given(schema, numeric, categorical, widths, centre, unit)


def _score_curve(values: Floats) -> tuple[Floats, Floats]:
    """Some values, ascending, and the normal scores of their mean ranks."""
    from scipy.special import ndtri

    distinct, counts = np.unique(values, return_counts=True)
    if not len(distinct):
        return np.zeros(1), np.zeros(1)
    places = (np.cumsum(counts) - counts / 2) / len(values)
    some = np.unique(np.linspace(0, len(distinct) - 1, min(len(distinct), MOST_PLACES)).astype(np.int64))
    return distinct[some], np.asarray(ndtri(places[some]))


def _width(original: Table, name: str) -> int:
    """Categories, and missing as the last if there is any."""
    labels = label_names(original.schema[name])
    gaps = bool((np.asarray(label_columns(original.schema, original.columns)[name]) < 0).any())
    return max(len(labels) + gaps, 1)


def _codes(codes: Codes, width: int) -> Integers:
    return np.where(codes < 0, width - 1, codes).astype(np.int64)


class Grouping(Protocol):
    """A law or a perturber of a group of columns, given others, in cells; its draws are made for a `purpose`."""

    @property
    def group(self) -> NumberGroup: ...
    @property
    def given(self) -> Given: ...
    @property
    def cells(self) -> Cells: ...
    @property
    def purpose(self) -> str: ...


@dataclass(frozen=True, slots=True)
class GroupRows:
    """Records of a chunk; `numbers` has 0 for missing ones, which `cells.known` marks."""

    group: NumberGroup
    given: Given
    cells: Cells
    columns: Columns
    numbers: Floats
    cell: Integers
    row_ids: Rows
    streams: Streams
    purpose: str

    @classmethod
    def of(
        cls,
        source: Grouping,
        columns: Columns,
        segment_ids: Array,
        row_ids: Rows,
        streams: Streams,
    ) -> GroupRows:
        """Take the group's columns out of a chunk."""
        numbers = source.group.numbers(columns)
        cell = source.cells.of(segment_ids, numbers)
        numbers[np.isnan(numbers)] = 0.0
        fixed = source.group, source.given, source.cells
        return cls(*fixed, columns, numbers, cell, row_ids, streams, source.purpose)

    @property
    def layout(self) -> CellLayout:
        """The records sorted by cell."""
        return CellLayout.of(self.cell, self.cells.count)

    def room(self) -> tuple[Floats, Floats]:
        """The ends [cell, column] that numbers keep before rounding; missing ones are free."""
        low, high = (end[self.cells.segment] for end in self.group.room())
        known = self.cells.known
        return np.where(known, low, -np.inf), np.where(known, high, np.inf)

    def taken(self, chosen: Flags) -> tuple[GroupRows, Integers | slice]:
        """The records of the chosen cells alone, and their places."""
        if chosen.all():
            return self, slice(None)
        places = np.flatnonzero(chosen[self.cell])
        kept = np.flatnonzero(chosen)
        cells = replace(self.cells, keys=self.cells.keys[kept], sizes=self.cells.sizes[kept])
        part = replace(
            self,
            cells=cells,
            columns={name: np.asarray(values)[places] for name, values in self.columns.items()},
            numbers=self.numbers[places],
            cell=np.searchsorted(kept, self.cell[places]),
            row_ids=self.ids_of(places),
        )
        return part, places

    def ids_of(self, places: Integers) -> Integers:
        """The row ids of some of the records."""
        ids = self.row_ids
        every = np.arange(ids.start, ids.stop, ids.step) if isinstance(ids, range) else ids
        return np.asarray(every, np.int64)[places]

    def normals(self, draw: int = 0, threads: int = 1) -> Floats:
        """A standard normal number for every record and column."""
        out = np.empty(self.numbers.shape)
        for j, name in enumerate(self.group.names):
            out[:, j] = self.streams.normal(self.purpose, name, draw, self.row_ids, threads)
        return out

    def released(self, numbers: Floats, bounded: bool = True) -> dict[str, Floats]:
        """The numbers as columns, on their grids, missing where they were, and inside their boxes if `bounded`."""
        gaps = ~self.cells.known
        if gaps.any():
            numbers = np.where(gaps[self.cell], np.nan, numbers)
        return self.group.columns(numbers, self.cells.segment[self.cell] if bounded else None)

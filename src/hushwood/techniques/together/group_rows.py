"""The records of a chunk as techniques for groups of numbers need them: numbers in steps, cells, keyed streams."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.techniques.protocol import Columns
from hushwood.techniques.together.cells import Cells, Layout
from hushwood.techniques.together.conditioning import Given
from hushwood.techniques.together.number_groups import NumberGroup


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
    def layout(self) -> Layout:
        """The records sorted by cell."""
        return Layout.of(self.cell, self.cells.count)

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

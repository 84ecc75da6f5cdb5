"""All records of a table as a group technique works on them: numbers in steps, cells, boxes and keyed streams."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams
from hushwood.techniques.cells import Cells, Integers, Layout, Marks, Matrix
from hushwood.techniques.conditioning import Given
from hushwood.techniques.number_groups import NumberGroup
from hushwood.techniques.protocol import Columns


@dataclass(frozen=True, slots=True)
class GroupRows:
    """Records of a chunk; `numbers` has 0 for missing ones, which `cells.known` marks."""

    group: NumberGroup
    given: Given
    cells: Cells
    columns: Columns
    numbers: Matrix
    cell: Integers
    row_ids: Rows
    streams: Streams
    purpose: str

    @classmethod
    def of(
        cls,
        group: NumberGroup,
        given: Given,
        cells: Cells,
        columns: Columns,
        segment_ids: NDArray[Any],
        row_ids: Rows,
        streams: Streams,
        purpose: str,
    ) -> GroupRows:
        """Take the group's columns out of a chunk."""
        numbers = group.numbers(columns)
        cell = cells.of(segment_ids, numbers)
        numbers[np.isnan(numbers)] = 0.0
        return cls(group, given, cells, columns, numbers, cell, row_ids, streams, purpose)

    @property
    def layout(self) -> Layout:
        """The records sorted by cell."""
        return Layout.of(self.cell, self.cells.count)

    def room(self) -> tuple[Matrix, Matrix]:
        """The ends [cell, column] that numbers keep before rounding; missing ones are free."""
        low, high = (end[self.cells.segment] for end in self.group.room())
        known = self.cells.known
        return np.where(known, low, -np.inf), np.where(known, high, np.inf)

    def taken(self, chosen: Marks) -> tuple[GroupRows, Integers | slice]:
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

    def normals(self, draw: int = 0, threads: int = 1) -> Matrix:
        """A standard normal number for every record and column."""
        out = np.empty(self.numbers.shape)
        for j, name in enumerate(self.group.names):
            out[:, j] = self.streams.normal(self.purpose, name, draw, self.row_ids, threads)
        return out

    def released(self, numbers: Matrix, bounded: bool = True) -> dict[str, Matrix]:
        """The numbers as columns, on their grids, missing where they were, and inside their boxes if `bounded`."""
        gaps = ~self.cells.known
        if gaps.any():
            numbers = np.where(gaps[self.cell], np.nan, numbers)
        return self.group.columns(numbers, self.cells.segment[self.cell] if bounded else None)

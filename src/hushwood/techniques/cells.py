"""Cells: the records of one segment that have the same numbers of a group; what a group is perturbed inside.

A missing number stays missing, so records with other gaps have other columns to perturb together. Exact means and
covariances of every cell make exact ones of every segment, whatever the gaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InternalFault
from hushwood.random_streams import group_order
from hushwood.tables.coding import dense_codes
from hushwood.techniques.protocol import Within

Integers = NDArray[np.int64]
Matrix = NDArray[np.float64]
Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a table: `known[c, j]` says whether the records of cell c have number j.

    `keys` are segment · number of patterns + pattern, ascending; `sizes` are the records of every cell.
    """

    within: Within
    patterns: Marks
    keys: Integers
    sizes: Integers

    @classmethod
    def of_table(cls, segment_ids: NDArray[Any], numbers: Matrix, within: Within) -> Cells:
        """Find the cells of all records; `numbers` are [record, column]."""
        known = ~np.isnan(numbers)
        patterns = np.ones((1, numbers.shape[1]), bool)
        if not known.all():
            patterns = known[np.unique(_packed(known), return_index=True)[1]]
        keys, place = dense_codes(_keys(segment_ids, known, patterns, within)[0])
        return cls(within, patterns, keys, np.bincount(place, minlength=len(keys)))

    def of(self, segment_ids: NDArray[Any], numbers: Matrix) -> Integers:
        """The cell of every record of a chunk; compiled loops write to it, so that each must have one."""
        cell, there = self.found(segment_ids, numbers)
        if not there.all():
            raise InternalFault(
                "A record has a segment or gaps that no record had when the noise was learnt; please report this."
            )
        return cell

    def found(self, segment_ids: NDArray[Any], numbers: Matrix) -> tuple[Integers, Marks]:
        """A cell for every record, and whether it is its own: of that segment, with those gaps."""
        wanted, alike = _keys(segment_ids, ~np.isnan(numbers), self.patterns, self.within)
        cell = np.minimum(np.searchsorted(self.keys, wanted), self.count - 1)
        return cell, alike & (self.keys[cell] == wanted)

    @property
    def count(self) -> int:
        """How many cells there are."""
        return len(self.keys)

    @property
    def segment(self) -> Integers:
        """The segment of every cell."""
        return self.keys // len(self.patterns)

    @property
    def known(self) -> Marks:
        """The numbers that the records of every cell have."""
        return self.patterns[self.keys % len(self.patterns)]


@dataclass(frozen=True, slots=True)
class Layout:
    """Records sorted by cell: those of cell c are `order[start[c] : start[c + 1]]`, in row order."""

    order: Integers
    start: Integers

    @classmethod
    def of(cls, cell: Integers, cells: int) -> Layout:
        """Sort the records of a table by their cell."""
        start = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=cells))])
        return cls(group_order(cell) if cells > 1 else np.arange(len(cell)), start)

    def sorted(self, values: NDArray[Any]) -> NDArray[Any]:
        """The rows of an array in the order of the cells."""
        return values if len(self.start) == 2 else values[self.order]

    def back(self, values: NDArray[Any]) -> NDArray[Any]:
        """Rows in the order of the cells put back in their places."""
        if len(self.start) == 2:
            return values
        out = np.empty_like(values)
        out[self.order] = values
        return out


def by_cell(values: Matrix, matrices: NDArray[np.float64], cell: Integers) -> Matrix:
    """Every record's values times the matrix of its cell."""
    from hushwood.techniques.moment_kernels import cell_products

    return np.asarray(cell_products(np.ascontiguousarray(values), np.ascontiguousarray(matrices), cell))


def _keys(segment_ids: NDArray[Any], known: Marks, patterns: Marks, within: Within) -> tuple[Integers, Marks]:
    """The key of every record's segment and pattern, and whether its pattern is among those there are."""
    segments = np.zeros(len(known), np.int64) if within == "table" else np.asarray(segment_ids, np.int64)
    if len(patterns) == 1:
        return segments, (known == patterns).all(axis=1)
    all_patterns, wanted = _packed(patterns), _packed(known)
    pattern = np.minimum(np.searchsorted(all_patterns, wanted), len(patterns) - 1)
    return segments * len(patterns) + pattern, all_patterns[pattern] == wanted


def _packed(marks: Marks) -> NDArray[Any]:
    """Every row of marks as one value that can be sorted: a whole number, or bytes if there are many columns."""
    bits = np.packbits(marks, axis=1)
    width = max(bits.shape[1], 7) + 1
    # A trailing zero would be lost in a byte string, so a one closes every row.
    closed = np.pad(bits, ((0, 0), (0, width - bits.shape[1])), constant_values=1)
    return closed.view(np.uint64 if width == 8 else f"S{width}").reshape(-1)

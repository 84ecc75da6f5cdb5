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
        keys, place = dense_codes(_keys(segment_ids, known, patterns, within))
        return cls(within, patterns, keys, np.bincount(place, minlength=len(keys)))

    def of(self, segment_ids: NDArray[Any], numbers: Matrix) -> Integers:
        """The cell of every record of a chunk."""
        wanted = _keys(segment_ids, ~np.isnan(numbers), self.patterns, self.within)
        return _places(self.keys, wanted)

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


def _keys(segment_ids: NDArray[Any], known: Marks, patterns: Marks, within: Within) -> Integers:
    segments = np.zeros(len(known), np.int64) if within == "table" else np.asarray(segment_ids, np.int64)
    if len(patterns) == 1 and bool((known == patterns).all()):
        return segments
    return segments * len(patterns) + _places(_packed(patterns), _packed(known))


def _places(known: NDArray[Any], wanted: NDArray[Any]) -> Integers:
    """Where the wanted ones are among the known, ascending ones; compiled loops would write beside another's cell."""
    places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    if np.any(known[places] != wanted):
        raise InternalFault(
            "A record has a segment or gaps that no record had when the noise was learnt; please report this."
        )
    return places


def _packed(marks: Marks) -> NDArray[Any]:
    """Every row of marks as one value that can be sorted: a whole number, or bytes if there are many columns."""
    bits = np.packbits(marks, axis=1)
    width = max(bits.shape[1], 7) + 1
    # A trailing zero would be lost in a byte string, so a one closes every row.
    closed = np.pad(bits, ((0, 0), (0, width - bits.shape[1])), constant_values=1)
    return closed.view(np.uint64 if width == 8 else f"S{width}").reshape(-1)

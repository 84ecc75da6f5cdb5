"""Cells: the records of one segment with the same pattern of missing numbers; a group is perturbed inside each.

A missing number stays missing, so records with other patterns have other columns to perturb together. If means and
covariances are exact in every cell, they are exact in every segment. Covariances come as stacks [cell, column, column].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.errors import InternalFault
from hushwood.random_streams import group_order
from hushwood.tables.frames.storage import dense_codes
from hushwood.techniques.protocol import Within

ROUNDING = 1e-10  # a variance below this share of what it was taken from is rounding error


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a table: `known[c, j]` says whether the records of cell c have number j.

    `keys` are segment · number of patterns + pattern, ascending; `sizes` are the records of every cell.
    """

    within: Within
    patterns: Flags
    keys: Integers
    sizes: Integers

    @classmethod
    def of_table(cls, segment_ids: Array, numbers: Floats, within: Within) -> Cells:
        """Find the cells of all records; `numbers` are [record, column]."""
        known = ~np.isnan(numbers)
        patterns = np.ones((1, numbers.shape[1]), bool)
        if not known.all():
            patterns = known[np.unique(_packed(known), return_index=True)[1]]
        keys, place = dense_codes(_keys(segment_ids, known, patterns, within)[0])
        return cls(within, patterns, keys, np.bincount(place, minlength=len(keys)))

    def of(self, segment_ids: Array, numbers: Floats) -> Integers:
        """The cell of every record of a chunk; each must have one, because compiled loops write to it."""
        cell, there = self.found(segment_ids, numbers)
        if not there.all():
            raise InternalFault(
                "A record has a pattern of missing values that its segment did not have before; please report this."
            )
        return cell

    def found(self, segment_ids: Array, numbers: Floats) -> tuple[Integers, Flags]:
        """A cell for every record, and whether it really is the record's: of its segment and pattern."""
        wanted, alike = _keys(segment_ids, ~np.isnan(numbers), self.patterns, self.within)
        cell = np.minimum(np.searchsorted(self.keys, wanted), self.count - 1)
        return cell, alike & (self.keys[cell] == wanted)

    @property
    def count(self) -> int:
        """The number of cells."""
        return len(self.keys)

    @property
    def segment(self) -> Integers:
        """The segment of every cell."""
        return self.keys // len(self.patterns)

    @property
    def known(self) -> Flags:
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

    def sorted(self, values: Array) -> Array:
        """The rows of an array in the order of the cells."""
        return values if len(self.start) == 2 else values[self.order]

    def back(self, values: Array) -> Array:
        """Rows in the order of the cells put back in their places."""
        if len(self.start) == 2:
            return values
        out = np.empty_like(values)
        out[self.order] = values
        return out


def by_cell(values: Floats, matrices: Floats, cell: Integers) -> Floats:
    """Every record's values times the matrix of its cell."""
    from hushwood.techniques.kernels.moments import cell_products

    return np.asarray(cell_products(np.ascontiguousarray(values), np.ascontiguousarray(matrices), cell))


def spreads(covariance: Floats) -> Floats:
    """Standard deviations [cell, column] from covariance matrices, one for every cell."""
    return np.asarray(np.sqrt(np.maximum(np.diagonal(covariance, axis1=1, axis2=2), 0.0)))


def products(spread: Floats) -> Floats:
    """Products of two columns' spreads [cell, column, column], with 1 for a column without spread."""
    unit = np.where(spread > 0, spread, 1.0)
    return np.asarray(unit[:, :, None] * unit[:, None, :])


def inverses(covariance: Floats) -> Floats:
    """Pseudo-inverses, whatever the columns' units; nearly dependent columns count as dependent."""
    units = products(spreads(covariance))
    return np.asarray(np.linalg.pinv(covariance / units, rcond=ROUNDING, hermitian=True) / units)


def without_rounding(rest: Floats, whole: Floats) -> Floats:
    """Remaining covariances, with exactly 0 for a column of which only rounding error remains."""
    left = np.diagonal(rest, axis1=1, axis2=2) > ROUNDING * np.diagonal(whole, axis1=1, axis2=2)
    return np.where(left[:, :, None] & left[:, None, :], rest, 0.0)


def _keys(segment_ids: Array, known: Flags, patterns: Flags, within: Within) -> tuple[Integers, Flags]:
    """The key of every record's segment and pattern, and whether its pattern is a known one."""
    segments = np.zeros(len(known), np.int64) if within == "table" else np.asarray(segment_ids, np.int64)
    if len(patterns) == 1:
        return segments, (known == patterns).all(axis=1)
    all_patterns, wanted = _packed(patterns), _packed(known)
    pattern = np.minimum(np.searchsorted(all_patterns, wanted), len(patterns) - 1)
    return segments * len(patterns) + pattern, all_patterns[pattern] == wanted


def _packed(marks: Flags) -> Array:
    """Every row of marks as one value that can be sorted: a whole number, or bytes if there are many columns."""
    bits = np.packbits(marks, axis=1)
    width = max(bits.shape[1], 7) + 1
    # A trailing zero would be lost in a byte string, so a one closes every row.
    closed = np.pad(bits, ((0, 0), (0, width - bits.shape[1])), constant_values=1)
    return closed.view(np.uint64 if width == 8 else f"S{width}").reshape(-1)

"""Cells: the records of one segment with the same pattern of missing numbers; a group is perturbed inside each.

A missing number stays missing, so records with other patterns have other columns to perturb together. If means and
covariances are exact in every cell, they are exact in every segment. Covariances come as stacks [cell, column, column].
A group of columns is one matrix with the box and the grid that every segment leaves them; a column with decimals is
counted in their steps, which are 1 there, and a continuous one keeps its unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.errors import InternalFault
from hushwood.random_streams import group_order
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.domains import Intervals, as_stored, from_steps, to_steps
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Columns, Within

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
class CellLayout:
    """Records sorted by cell: those of cell c are `order[start[c] : start[c + 1]]`, in row order."""

    order: Integers
    start: Integers

    @classmethod
    def of(cls, cell: Integers, cells: int) -> CellLayout:
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
    from hushwood.techniques.kernels.numbers import cell_products

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


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """Columns and, for every segment, the interval of each; one interval for all within the table."""

    names: tuple[str, ...]
    intervals: tuple[Intervals, ...]

    @classmethod
    def of(cls, original: Table, names: Sequence[str], segments: Segments, within: Within) -> NumberGroup:
        """The named columns that have any values, with their sub-domains or, within the table, domains."""
        used = tuple(name for name in names if name in segments.intervals)
        boxes = (
            segments.intervals[name] if within == "segment" else domain_intervals(original.schema[name], 1)
            for name in used
        )
        return cls(used, tuple(b.fitted_to(original.columns[n]) for n, b in zip(used, boxes, strict=True)))

    @property
    def decimal(self) -> Flags:
        """Which columns have a number of decimals, so that their numbers are whole."""
        return np.array([i.decimal for i in self.intervals], bool)

    @property
    def slack(self) -> Floats:
        """How far storing may move a number, as a share of it: beyond the domain singles are coarser than its grid."""
        return np.array([2.0**-22 if i.single else 0.0 for i in self.intervals])

    @property
    def low(self) -> Floats:
        """The lowest numbers [segment, column]."""
        return np.stack([i.low for i in self.intervals], axis=1)

    @property
    def high(self) -> Floats:
        """The highest numbers [segment, column]."""
        return np.stack([i.high for i in self.intervals], axis=1)

    @property
    def first(self) -> Floats:
        """The lowest grid points [segment, column]."""
        return np.stack([i.first for i in self.intervals], axis=1)

    @property
    def last(self) -> Floats:
        """The highest grid points [segment, column]."""
        return np.stack([i.last for i in self.intervals], axis=1)

    @property
    def step(self) -> Floats:
        """The distance of grid points [segment, column]; 1 with decimals."""
        return np.stack([i.step for i in self.intervals], axis=1)

    def room(self) -> tuple[Floats, Floats]:
        """The ends that a number must keep before it is rounded: half a step beyond the last grid points."""
        half = (0.5 - 1e-9) * self.step
        return np.minimum(self.low, self.first - half), np.maximum(self.high, self.last + half)

    def numbers(self, columns: Columns) -> Floats:
        """The columns [record, column], in steps of their decimals; NaN where missing."""
        out = np.empty((len(next(iter(columns.values()))), len(self.names)))
        for j, (name, inside) in enumerate(zip(self.names, self.intervals, strict=True)):
            out[:, j] = to_steps(np.asarray(columns[name], float), inside.precision)
        return out

    def columns(self, numbers: Floats, segments: Array | None) -> dict[str, Floats]:
        """Numbers as columns, with their decimals; inside the boxes of the records' segments if these are given."""
        out = {}
        for j, (name, inside) in enumerate(zip(self.names, self.intervals, strict=True)):
            wanted = np.rint(numbers[:, j]) + 0.0 if inside.decimal else numbers[:, j]
            if segments is None:
                box = replace(inside, low=np.array(-np.inf), high=np.array(np.inf))
            else:
                box = inside.take(segments if len(inside.low) > 1 else slice(None))  # type: ignore[arg-type]
            out[name] = as_stored(from_steps(np.clip(wanted, box.low, box.high), inside.precision), box)
        return out


def even_in_box(inside: Intervals, numbers: Floats) -> Floats:
    """Log density of the even law in every record's box, -inf outside; nothing is claimed of missing numbers."""
    steps = to_steps(numbers, inside.precision)
    with np.errstate(divide="ignore", invalid="ignore"):
        even = -np.log(np.where(inside.width > 0, inside.width, 1.0))
        return np.where(
            np.isnan(steps), 0.0, np.where((steps >= inside.low) & (steps <= inside.high), even, -np.inf)
        )

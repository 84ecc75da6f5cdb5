"""The cells that a column's values are counted in, and how many records each cell of a table holds.

How far two such counts are apart is in `divergences`. The first cell is always that of missing values. A categorical
column has a cell per category. A numeric one has about twenty, equally frequent in the original and cut half-way
between its values, and one on either side for numbers that the original does not reach.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.utility.numeric_columns import Numbers, known
from hushwood.tables.generalised import Generalised

CELLS = 20

Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NumericCells:
    """From `low` to `high`, the original's smallest and largest value, with `cuts` in between.

    Without known values in the original there is one cell for all numbers.
    """

    low: float = -np.inf
    high: float = np.inf
    cuts: NDArray[np.float64] | None = None

    @staticmethod
    def of(original: Numbers) -> NumericCells:
        """Cells for the values of a column."""
        values, counts = np.unique(known(original), return_counts=True)
        if not len(values):
            return NumericCells()
        middles = values[:-1] / 2 + values[1:] / 2
        return NumericCells(float(values[0]), float(values[-1]), middles[_even_cuts(counts)])

    def counts(self, released: Numbers, generalised: Generalised | None = None) -> Counts:
        """Records per cell: missing, below, the cells of the original's range, above.

        A number on a cut belongs half to either side, so that the sign of a column makes no difference. A cell that
        stands for an interval is spread evenly over the part of it that the original reaches.
        """
        if generalised is None or generalised.low is None or generalised.high is None:
            low = high = released
        else:
            low, high = generalised.low, generalised.high
        there = np.isfinite(low) & np.isfinite(high)
        below = self._below(low[there], high[there])
        return np.concatenate([[len(released) - there.sum()], np.diff(below)])

    def _below(self, low: Numbers, high: Numbers) -> Counts:
        """How many records lie below each limit of the cells, from none to all."""
        wide = low < high
        points = np.sort(low[~wide])
        cuts = np.empty(0) if self.cuts is None else self.cuts
        halves = (np.searchsorted(points, cuts) + np.searchsorted(points, cuts, side="right")) / 2
        ends = np.searchsorted(points, self.low), np.searchsorted(points, self.high, side="right")
        below = np.concatenate([[ends[0]], halves, [ends[1]]])
        limits = np.concatenate([[self.low], cuts, [self.high]])
        return np.concatenate([[0], below + _spread(low[wide], high[wide], limits), [len(low)]])


def category_counts(codes: NDArray[np.integer], size: int, generalised: Generalised | None = None) -> Counts:
    """Records per cell: missing, then every category; a group is spread evenly over the categories it covers."""
    counts = np.bincount(codes + 1, minlength=size + 1).astype(np.float64)
    if generalised is None or generalised.covers is None:
        return counts
    covers = generalised.covers
    groups = 1 + np.flatnonzero(covers.any(axis=1))
    shares = covers[groups - 1] / covers[groups - 1].sum(axis=1, keepdims=True)
    spread = counts[groups] @ shares
    counts[groups] = 0.0
    counts[1 : 1 + covers.shape[1]] += spread
    return counts


def _even_cuts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """After which of the different values to cut, so that about twenty cells hold about as many records each.

    Of two cuts that are equally near to the wanted place both are made: choosing would depend on the sign.
    """
    if len(counts) <= CELLS:
        return np.arange(len(counts) - 1)
    before = np.cumsum(counts)
    scaled, wanted = before[:-1] * CELLS, np.arange(1, CELLS) * before[-1]
    right = np.minimum(np.searchsorted(scaled, wanted), len(scaled) - 1)
    left = np.maximum(right - 1, 0)
    to_left, to_right = np.abs(wanted - scaled[left]), np.abs(scaled[right] - wanted)
    return np.unique(np.concatenate([left[to_left <= to_right], right[to_right <= to_left]]))


def _spread(low: Numbers, high: Numbers, limits: Counts) -> Counts:
    """How many records lie below each limit if every record is spread evenly over its interval."""
    intervals, repeats = np.unique(low + 1j * high, return_counts=True)
    first, last = intervals.real, intervals.imag
    inside = np.maximum(first, limits[0]) < np.minimum(last, limits[-1])
    first = np.where(inside, np.maximum(first, limits[0]), first)
    last = np.where(inside, np.minimum(last, limits[-1]), last)
    share = (limits[:, None] - first) / (last - first)
    return np.asarray(np.clip(share, 0.0, 1.0) @ repeats)

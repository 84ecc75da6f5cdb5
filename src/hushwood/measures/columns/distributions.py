"""The cells in which a column's values are counted, and the distances between two such counts.

The first cell is always that of missing values. A categorical
column has a cell per category. A numeric one has about twenty, equally frequent in the original and cut half-way
between its values, and one on either side for numbers that the original does not reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Floats, Integers
from hushwood.measures.columns.column_tallies import NumberCounts, common_unit, finite_or_none
from hushwood.tables.recoding.cells import Generalised

CELLS = 20
LEAST_EXPECTED = 5  # records: smaller cells are pooled before chi-square is taken
PSEUDO_COUNT = 0.5  # added to every cell of the release where one is empty that the original fills


@dataclass(frozen=True, slots=True)
class NumericCells:
    """From `low` to `high`, the original's smallest and largest value, with `cuts` in between.

    Without known values in the original there is one cell for all numbers.
    """

    low: float = -np.inf
    high: float = np.inf
    cuts: Floats | None = None

    @staticmethod
    def of(original: Floats, cells: int = CELLS, weights: Floats | None = None) -> NumericCells:
        """Cells for the values of a column, about as many as wanted."""
        return NumericCells.of_counts(NumberCounts.of(original, weights=weights), cells)

    @staticmethod
    def of_counts(original: NumberCounts, cells: int = CELLS) -> NumericCells:
        """The same for numbers that were counted."""
        values, counts = original.values, original.counts
        if not len(values):
            return NumericCells()
        middles = values[:-1] / 2 + values[1:] / 2
        return NumericCells(float(values[0]), float(values[-1]), middles[_even_cuts(counts, cells)])

    def codes(self, values: Floats) -> Integers:
        """The cell of every number, for tables of several columns; one on a cut belongs to the cell above it.

        0 is missing, 1 below the original's range, then come its cells, and the last is above it.
        """
        cuts = np.empty(0) if self.cuts is None else self.cuts
        inside = 2 + np.searchsorted(cuts, values, side="right")
        found = np.where(values < self.low, 1, np.where(values > self.high, len(cuts) + 3, inside))
        return np.where(np.isfinite(values), found, 0).astype(np.int64)

    def counts_of(self, released: NumberCounts) -> Floats:
        """Records per cell, of numbers that were counted; see `counts`."""
        cuts = np.empty(0) if self.cuts is None else self.cuts
        up_to = np.concatenate([[0], np.cumsum(released.counts)])
        before, after = (
            up_to[np.searchsorted(released.values, cuts, side=side)] for side in ("left", "right")
        )
        ends = (
            up_to[np.searchsorted(released.values, self.low)],
            up_to[np.searchsorted(released.values, self.high, side="right")],
        )
        below = np.concatenate([[0], [ends[0]], (before + after) / 2, [ends[1]], [up_to[-1]]])
        return np.concatenate([[released.missing], np.diff(below)])

    def counts(
        self, released: Floats, generalised: Generalised | None = None, weights: Floats | None = None
    ) -> Floats:
        """Records per cell: missing, below, the cells of the original's range, above.

        A number on a cut belongs half to either side, so that the sign of a column makes no difference. A cell that
        stands for an interval is spread evenly over the part of it that the original reaches.
        """
        if generalised is None or generalised.low is None or generalised.high is None:
            return self.counts_of(NumberCounts.of(released, weights=weights))
        low, high = generalised.low, generalised.high
        there = np.isfinite(low) & np.isfinite(high)
        own = np.ones(len(released)) if weights is None else weights
        below = self._below(low[there], high[there], own[there])
        return np.concatenate([[own[~there].sum()], np.diff(below)])

    def _below(self, low: Floats, high: Floats, weights: Floats) -> Floats:
        """How many records lie below each limit of the cells, from none to all."""
        wide = low < high
        order = np.argsort(low[~wide], kind="stable")
        points, up_to = low[~wide][order], np.concatenate([[0], np.cumsum(weights[~wide][order])])
        cuts = np.empty(0) if self.cuts is None else self.cuts
        before, after = (up_to[np.searchsorted(points, cuts, side=side)] for side in ("left", "right"))
        ends = (
            up_to[np.searchsorted(points, self.low)],
            up_to[np.searchsorted(points, self.high, side="right")],
        )
        below = np.concatenate([[ends[0]], (before + after) / 2, [ends[1]]])
        limits = np.concatenate([[self.low], cuts, [self.high]])
        spread = _spread(low[wide], high[wide], limits, weights[wide])
        return np.concatenate([[0], below + spread, [weights.sum()]])


def category_counts(
    codes: NDArray[np.integer],
    size: int,
    generalised: Generalised | None = None,
    weights: Floats | None = None,
) -> Floats:
    """Records per cell: missing, then every category; a group is spread evenly over the categories it covers."""
    return spread_counts(np.bincount(codes + 1, weights, minlength=size + 1).astype(np.float64), generalised)


def spread_counts(counts: Floats, generalised: Generalised | None) -> Floats:
    """Records per cell, with groups of categories spread evenly over those they cover."""
    if generalised is None or generalised.covers is None:
        return counts
    covers = generalised.covers
    groups = 1 + np.flatnonzero(covers.any(axis=1))
    shares = covers[groups - 1] / covers[groups - 1].sum(axis=1, keepdims=True)
    spread = counts[groups] @ shares
    counts[groups] = 0.0
    counts[1 : 1 + covers.shape[1]] += spread
    return counts


def _even_cuts(counts: Integers | Floats, cells: int) -> Integers:
    """After which of the different values to cut, so that all cells hold about as many records.

    Of two cuts that are equally near to the wanted place both are made: choosing would depend on the sign.
    """
    if len(counts) <= cells:
        return np.arange(len(counts) - 1)
    before = np.cumsum(counts)
    scaled, wanted = before[:-1] * cells, np.arange(1, cells) * before[-1]
    right = np.minimum(np.searchsorted(scaled, wanted), len(scaled) - 1)
    left = np.maximum(right - 1, 0)
    to_left, to_right = np.abs(wanted - scaled[left]), np.abs(scaled[right] - wanted)
    return np.unique(np.concatenate([left[to_left <= to_right], right[to_right <= to_left]]))


def _spread(low: Floats, high: Floats, limits: Floats, weights: Floats) -> Floats:
    """How many records lie below each limit if every record is spread evenly over its interval."""
    intervals, place = np.unique(low + 1j * high, return_inverse=True)
    repeats = np.bincount(place, weights, minlength=len(intervals))
    first, last = intervals.real, intervals.imag
    inside = np.maximum(first, limits[0]) < np.minimum(last, limits[-1])
    first = np.where(inside, np.maximum(first, limits[0]), first)
    last = np.where(inside, np.minimum(last, limits[-1]), last)
    share = (limits[:, None] - first) / (last - first)
    return np.asarray(np.clip(share, 0.0, 1.0) @ repeats)


def total_variation(before: Floats, after: Floats) -> float:
    """½ Σ |p − q|: the share of records that would have to move."""
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def hellinger(before: Floats, after: Floats) -> float:
    """√(½ Σ (√p − √q)²), between 0 and 1."""
    roots = np.sqrt(before / before.sum()) - np.sqrt(after / after.sum())
    return float(np.sqrt((roots * roots).sum() / 2))


def kl_divergence(before: Floats, after: Floats) -> float:
    """Σ p log2(p/q): bits lost by taking the release's distribution for the original's.

    Where the release has an empty cell that the original fills, half a record is added to each of its cells.
    """
    used = (before > 0) | (after > 0)
    before, after = before[used], after[used]
    if (after == 0).any():
        after = after + PSEUDO_COUNT
    p, q = before / before.sum(), after / after.sum()
    filled = p > 0
    return max(float((p[filled] * np.log2(p[filled] / q[filled])).sum()), 0.0)


def chi_square(before: Floats, after: Floats) -> dict[str, Any]:
    """Σ (O − E)²/E, E being the original's counts at the release's total; cells with E < 5 are pooled."""
    from scipy.special import chdtrc

    observed, expected = _pooled(after, before * (after.sum() / before.sum()))
    degrees = len(expected) - 1
    if degrees < 1:
        return dict.fromkeys(("chi_square", "degrees", "chi_square_per_degree", "chi_square_p"))
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return {
        "chi_square": statistic,
        "degrees": degrees,
        "chi_square_per_degree": statistic / degrees,
        "chi_square_p": float(chdtrc(degrees, statistic)),
    }


def _pooled(observed: Floats, expected: Floats) -> tuple[Floats, Floats]:
    """Cells with too few expected records become one; if even that has too few, it joins the smallest other."""
    large = expected >= LEAST_EXPECTED
    rest = np.array([observed[~large].sum(), expected[~large].sum()])
    pooled = np.stack([observed[large], expected[large]])
    if rest[1] >= LEAST_EXPECTED:
        pooled = np.column_stack([pooled, rest])
    elif pooled.shape[1]:
        pooled[:, pooled[1].argmin()] += rest
    return pooled[0], pooled[1]


def sample_distances(before: Floats, after: Floats) -> dict[str, float | None]:
    """Kolmogorov and Smirnov's and Wasserstein's distance of the known values of a column.

    The first is the largest gap between the two distribution functions, the second the area between them, in units
    of the original's range: how far values moved on average. None without values, or without a range.
    """
    return counted_distances(NumberCounts.of(before), NumberCounts.of(after))


def counted_distances(before: NumberCounts, after: NumberCounts) -> dict[str, float | None]:
    """The same for numbers that were counted."""
    if not len(before.values) or not len(after.values):
        return {"ks": None, "wasserstein": None}
    unit = common_unit(before.values[[0, -1]], after.values[[0, -1]])
    # One pass for both; scipy would sort everything once more for each, and its ks_2samp fails for samples of one.
    values = np.union1d(before.values, after.values)
    shares = [
        np.concatenate([[0], np.cumsum(side.counts)])[np.searchsorted(side.values, values, side="right")]
        / side.known
        for side in (before, after)
    ]
    gaps = np.abs(shares[0] - shares[1])
    width = float(before.values[-1] / unit - before.values[0] / unit)
    area = float((gaps[:-1] * np.diff(values / unit)).sum())
    return {"ks": float(gaps.max()), "wasserstein": finite_or_none(area / width) if width else None}

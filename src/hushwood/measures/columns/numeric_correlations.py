"""Correlations and covariances of numeric columns, each pair over the records where both are known; also inside
segments, where a miner of one rule's records would see them change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Floats
from hushwood.measures.columns.column_tallies import common_unit, finite_or_none, is_constant, known

# A sum of squares about the mean below this share of the plain sum of squares is what rounding leaves of zero.
ROUNDING = 1e-12
_CHUNK_ROWS = 1 << 16
_DENSE = 4  # counters to a value: more would take longer than sorting
SMALLEST = 10  # records; in smaller segments a correlation is mostly chance


@dataclass(frozen=True, slots=True)
class PairMoments:
    """Over the records where columns i and j are both known: how many, covariance [i, j], variance [i, j] of i.

    Variances are exactly 0 where the column is constant there.
    """

    counts: Floats
    covariances: Floats
    variances: Floats


def centred(values: Floats, unit: float | None = None) -> Floats:
    """A column about its own mean in a unit (by default one that makes it small); missing stays NaN.

    A constant becomes exact zeros.
    """
    return about_mean(values, unit or common_unit(values))[0]


def about_mean(values: Floats, unit: float) -> tuple[Floats, float]:
    """A column about its own mean, both in a unit; a constant becomes exact zeros."""
    scaled = np.where(np.isfinite(values), values, np.nan) / unit
    there = known(scaled)
    if is_constant(there):
        return np.where(np.isnan(scaled), np.nan, 0.0), float(there[0]) if len(there) else 0.0
    mean = float(there.mean())
    return np.asarray(scaled - mean), mean


def pair_moments(columns: Sequence[Floats], weights: Floats | None = None) -> PairMoments:
    """Moments of all pairs of centred columns."""
    nothing, ones = np.zeros(len(columns)), np.ones(len(columns))
    return PairTally.of_centred(columns, nothing, ones, weights).moments(ones)


@dataclass(slots=True)
class PairTally:
    """Over the records where columns i and j are both known: how many; mean and squares about it of i; products.

    Column i is in the unit `units[i]`. With survey weights all are sums of weights. Batches are put
    together as by Chan, Golub and LeVeque (1983), pair by pair.
    """

    units: Floats
    counts: Floats
    means: Floats
    squares: Floats
    products: Floats

    @classmethod
    def of_centred(
        cls, columns: Sequence[Floats], centres: Floats, units: Floats, weights: Floats | None = None
    ) -> PairTally:
        """One batch of centred columns, by matrix products of a block of records at a time."""
        sums = np.zeros((4, len(columns), len(columns)))
        for begin in range(0, len(columns[0]) if columns else 0, _CHUNK_ROWS):
            block = np.column_stack([values[begin : begin + _CHUNK_ROWS] for values in columns])
            there = np.isfinite(block).astype(np.float64)
            zeroed = np.where(there > 0, block, 0.0)
            squares, own = zeroed * zeroed, there
            weighed = zeroed
            if weights is not None:
                own = there * weights[begin : begin + _CHUNK_ROWS, None]
                weighed = zeroed * own
            sums += np.stack([there.T @ own, zeroed.T @ own, squares.T @ own, zeroed.T @ weighed])
        counts, totals, squares, products = sums
        means = _shares(totals, counts)
        return cls(
            units,
            counts,
            means + centres[:, None],
            np.maximum(squares - totals * means, 0.0),
            products - totals * means.T,
        )

    def merge(self, other: PairTally) -> None:
        """Add the records of another batch."""
        units = np.maximum(self.units, other.units)
        own, more = self.in_units(units), other.in_units(units)
        counts = own.counts + more.counts
        part = _shares(more.counts, counts)
        gap = np.where((own.counts > 0) & (more.counts > 0), more.means - own.means, 0.0)
        weight = own.counts * part
        self.units, self.counts = units, counts
        self.means = np.where(own.counts > 0, own.means + gap * part, more.means)
        self.squares = own.squares + more.squares + gap * gap * weight
        self.products = own.products + more.products + gap * gap.T * weight

    def in_units(self, units: Floats) -> PairTally:
        """The same in larger units, powers of two like its own."""
        scale = self.units / units
        return PairTally(
            units,
            self.counts,
            self.means * scale[:, None],
            self.squares * (scale * scale)[:, None],
            self.products * np.outer(scale, scale),
        )

    def times(self, scale: float) -> PairTally:
        """The same where every record counts that much more."""
        parts = (part * scale for part in (self.squares, self.products))
        return PairTally(self.units, self.counts * scale, self.means, *parts)

    def moments(self, units: Floats) -> PairMoments:
        """Covariances and variances in these units."""
        same = self.in_units(units)
        # About the mean of the whole column, which rounding is measured by.
        away = same.means - np.diag(same.means)[:, None]
        spread = np.where(
            same.squares > ROUNDING * (same.squares + same.counts * away * away), same.squares, 0.0
        )
        freedom = np.maximum(same.counts - 1, 1)
        return PairMoments(same.counts, same.products / freedom, spread / freedom)


def _shares(parts: Floats, whole: Floats) -> Floats:
    """The quotients, 0 where there is nothing to divide by."""
    return np.asarray(np.divide(parts, whole, out=np.zeros(parts.shape), where=whole > 0))


def correlations(moments: PairMoments) -> Floats:
    """Pearson's coefficient of every pair; NaN where one of the two does not vary."""
    spread = np.sqrt(moments.variances) * np.sqrt(moments.variances.T)
    found = np.full(spread.shape, np.nan)
    np.divide(moments.covariances, spread, out=found, where=spread > 0)
    return np.asarray(np.clip(found, -1.0, 1.0))


def ranked(values: Floats, weights: Floats | None = None) -> Floats:
    """Average ranks among the known values of a column; missing stays NaN.

    With survey weights, the average rank of as many records as each value counts.
    """
    from scipy.stats import rankdata

    there = np.isfinite(values)
    known = values[there]
    ranks = np.full(len(values), np.nan)
    if weights is not None:
        different, place = np.unique(known, return_inverse=True)
        sums = np.bincount(place, weights[there], minlength=len(different))
        ranks[there] = (np.cumsum(sums) - (sums - 1) / 2)[place]
        return ranks
    low, span = (known.min(), np.ptp(known)) if len(known) else (0.0, 0.0)
    if span <= _DENSE * len(known) and np.array_equal(known, np.rint(known)):
        # Counting whole numbers takes a tenth of the time of sorting them.
        place = (known - low).astype(np.int64)
        counts = np.bincount(place)
        ranks[there] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    else:
        ranks[there] = rankdata(known)
    return ranks


def spearman(columns: Sequence[Floats], weights: Floats | None = None) -> Floats:
    """Spearman's coefficient of every pair: Pearson's of the ranks that the values have in their own column."""
    return correlations(pair_moments([centred(ranked(values, weights)) for values in columns], weights))


def compared_covariances(before: PairMoments, after: PairMoments) -> dict[str, Any] | None:
    """How two covariance matrices in the same units differ; None if fewer than two columns vary in the first.

    Both are scaled by the original's standard deviations, so that its own matrix becomes that of its correlations and
    units do not matter. `frobenius` is ‖S − S'‖/‖S‖. `box_m` is Box's M, with its
    degrees of freedom; None where a matrix is singular.
    """
    spread = np.sqrt(np.diag(before.variances))
    varies = np.ix_(spread > 0, spread > 0)
    scale = np.outer(spread, spread)[varies]
    with np.errstate(over="ignore"):
        first, second = before.covariances[varies] / scale, after.covariances[varies] / scale
    if len(first) < 2 or not np.isfinite(second).all():
        return None
    records = tuple(int(moments.counts[varies].min()) for moments in (before, after))
    box = _box_m(first, second, records)
    return {
        "frobenius": finite_or_none(float(np.linalg.norm(first - second) / np.linalg.norm(first))),
        "eigenvalues_before": _eigenvalues(first),
        "eigenvalues_after": _eigenvalues(second),
        "box_m": box,
        "box_degrees": None if box is None else len(first) * (len(first) + 1) // 2,
    }


def _eigenvalues(matrix: Floats) -> list[float]:
    """Largest first."""
    return [float(value) for value in np.linalg.eigvalsh(matrix)[::-1]]


def _box_m(first: Floats, second: Floats, records: tuple[int, ...]) -> float | None:
    """(N − 2) ln|S_p| − Σ (n_i − 1) ln|S_i|, S_p being the pooled covariance."""
    freedom = [count - 1 for count in records]
    if min(freedom) < len(first):
        return None
    pooled = (freedom[0] * first + freedom[1] * second) / sum(freedom)
    signs, logs = zip(*(np.linalg.slogdet(matrix) for matrix in (pooled, first, second)), strict=True)
    if min(signs) <= 0:
        return None
    return finite_or_none(sum(freedom) * logs[0] - freedom[0] * logs[1] - freedom[1] * logs[2])


def segment_changes(
    before: Sequence[Floats], after: Sequence[Floats], segment_ids: NDArray[np.integer]
) -> dict[str, Any] | None:
    """How much correlations inside segments change: |before − after|, weighted by the segments' records.

    Row i of both tables is the same record. A segment counts for a pair if it has at least ten records with both
    values, before and after, and both vary before; a column that became constant has lost its correlation. None
    if no segment counts for any pair.
    """
    if len(before) < 2 or not len(segment_ids):
        return None
    _, ids, sizes = np.unique(segment_ids, return_inverse=True, return_counts=True)
    weighted = np.zeros((len(before), len(before)))
    weights = np.zeros_like(weighted)
    used = np.zeros(len(sizes), bool)
    old, new = (_by_segment(columns, ids, len(sizes)) for columns in (before, after))
    for column, (first, second) in enumerate(zip(old, new, strict=True)):
        counts = (first[0] >= SMALLEST) & (second[0] >= SMALLEST) & ~np.isnan(first[1])
        change = np.where(counts, np.abs(first[1] - np.nan_to_num(second[1])), 0.0)
        weighted[column, column + 1 :] = (change * first[0]).sum(axis=0)
        weights[column, column + 1 :] = np.where(counts, first[0], 0.0).sum(axis=0)
        used |= counts.any(axis=1)
    if not used.any():
        return None
    mean = np.divide(weighted, weights, out=np.zeros_like(weighted), where=weights > 0)
    return {
        "mean_change": float(weighted.sum() / weights.sum()),
        "largest_change": float(mean.max()),
        "segments": int(used.sum()),
        "all_segments": len(sizes),
        "records": int(sizes[used].sum()),
        "smallest_segment": SMALLEST,
    }


def _by_segment(
    columns: Sequence[Floats], ids: NDArray[np.integer], segments: int
) -> Iterator[tuple[Floats, Floats]]:
    """For every column in turn: records and correlation of every segment with every later column."""
    from scipy.sparse import csr_array

    rows = len(ids)
    gather = csr_array((np.ones(rows), (ids, np.arange(rows))), shape=(segments, rows))
    block = np.column_stack([centred(values) for values in columns])
    known = np.isfinite(block).astype(np.float64)
    zeroed = np.where(known > 0, block, 0.0)
    for column in range(len(columns) - 1):
        own, own_known = zeroed[:, column, None], known[:, column, None]
        other, other_known = zeroed[:, column + 1 :], known[:, column + 1 :]
        size = gather @ (other_known * own_known)
        total, own_total = gather @ (other * own_known), gather @ (other_known * own)
        square = _spread(gather @ (other * other * own_known), total, size)
        own_square = _spread(gather @ (other_known * own * own), own_total, size)
        product = gather @ (other * own) - total * own_total / np.maximum(size, 1)
        scale = np.sqrt(square) * np.sqrt(own_square)
        found = np.divide(product, scale, out=np.full(scale.shape, np.nan), where=scale > 0)
        yield size, np.clip(found, -1.0, 1.0)


def _spread(squares: Floats, totals: Floats, size: Floats) -> Floats:
    spread = squares - totals * totals / np.maximum(size, 1)
    return np.where(spread > ROUNDING * squares, spread, 0.0)

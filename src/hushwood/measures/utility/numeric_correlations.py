"""Correlations and covariances of numeric columns, each pair over the records where both are known.

Pairs with a categorical column are in `category_associations`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.utility.numeric_columns import Numbers, common_unit, is_constant, known

# A sum of squares about the mean below this share of the plain sum of squares is what rounding leaves of zero.
ROUNDING = 1e-12
_CHUNK_ROWS = 1 << 16


@dataclass(frozen=True, slots=True)
class PairMoments:
    """Over the records where columns i and j are both known: how many, covariance [i, j], variance [i, j] of i.

    Variances are exactly 0 where the column is constant there.
    """

    counts: NDArray[np.float64]
    covariances: NDArray[np.float64]
    variances: NDArray[np.float64]


def centred(values: Numbers, unit: float | None = None) -> Numbers:
    """A column about its own mean in a unit (by default one that makes it small); missing stays NaN.

    A constant becomes zeros, not what rounding leaves of them.
    """
    scaled = np.where(np.isfinite(values), values, np.nan) / (unit or common_unit(values))
    there = known(scaled)
    if is_constant(there):
        return np.where(np.isnan(scaled), np.nan, 0.0)
    return np.asarray(scaled - there.mean())


def pair_moments(columns: Sequence[Numbers]) -> PairMoments:
    """Moments of all pairs of centred columns by matrix products, a block of records at a time."""
    sums = np.zeros((4, len(columns), len(columns)))
    for begin in range(0, len(columns[0]), _CHUNK_ROWS):
        block = np.column_stack([values[begin : begin + _CHUNK_ROWS] for values in columns])
        there = np.isfinite(block).astype(np.float64)
        zeroed = np.where(there > 0, block, 0.0)
        squares = zeroed * zeroed
        sums += np.stack([there.T @ there, zeroed.T @ there, squares.T @ there, zeroed.T @ zeroed])
    return _moments(*sums)


def _moments(counts: Numbers, totals: Numbers, squares: Numbers, products: Numbers) -> PairMoments:
    size = np.maximum(counts, 1)
    spread = squares - totals * totals / size
    spread = np.where(spread > ROUNDING * squares, spread, 0.0)
    together = products - totals * totals.T / size
    freedom = np.maximum(counts - 1, 1)
    return PairMoments(counts, together / freedom, spread / freedom)


def correlations(moments: PairMoments) -> NDArray[np.float64]:
    """Pearson's coefficient of every pair; NaN where one of the two does not vary."""
    spread = np.sqrt(moments.variances) * np.sqrt(moments.variances.T)
    found = np.full(spread.shape, np.nan)
    np.divide(moments.covariances, spread, out=found, where=spread > 0)
    return np.asarray(np.clip(found, -1.0, 1.0))


_DENSE = 4  # counters to a value: more would take longer than sorting


def ranked(values: Numbers) -> Numbers:
    """Average ranks among the known values of a column; missing stays NaN."""
    from scipy.stats import rankdata

    there = np.isfinite(values)
    known = values[there]
    ranks = np.full(len(values), np.nan)
    low, span = (known.min(), np.ptp(known)) if len(known) else (0.0, 0.0)
    if span <= _DENSE * len(known) and np.array_equal(known, np.rint(known)):
        # Counting whole numbers takes a tenth of the time of sorting them.
        place = (known - low).astype(np.int64)
        counts = np.bincount(place)
        ranks[there] = (np.cumsum(counts) - (counts - 1) / 2)[place]
    else:
        ranks[there] = rankdata(known)
    return ranks


def spearman(columns: Sequence[Numbers]) -> NDArray[np.float64]:
    """Spearman's coefficient of every pair: Pearson's of the ranks that the values have in their own column."""
    return correlations(pair_moments([centred(ranked(values)) for values in columns]))

"""How far two distributions over the same cells are apart; the cells are made in `distribution_cells`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.utility.numeric_columns import Numbers, common_unit, finite_or_none

Counts = NDArray[np.float64]

LEAST_EXPECTED = 5  # records: smaller cells are pooled before chi-square is taken
PSEUDO_COUNT = 0.5  # added to every cell of the release where one is empty that the original fills


def total_variation(before: Counts, after: Counts) -> float:
    """½ Σ |p − q|: the share of records that would have to move."""
    return float(np.abs(before / before.sum() - after / after.sum()).sum() / 2)


def hellinger(before: Counts, after: Counts) -> float:
    """√(½ Σ (√p − √q)²), between 0 and 1."""
    roots = np.sqrt(before / before.sum()) - np.sqrt(after / after.sum())
    return float(np.sqrt((roots * roots).sum() / 2))


def kl_divergence(before: Counts, after: Counts) -> float:
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


def chi_square(before: Counts, after: Counts) -> dict[str, Any]:
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


def _pooled(observed: Counts, expected: Counts) -> tuple[Counts, Counts]:
    """Cells with too few expected records become one; if even that has too few, it joins the smallest other."""
    large = expected >= LEAST_EXPECTED
    rest = np.array([observed[~large].sum(), expected[~large].sum()])
    pooled = np.stack([observed[large], expected[large]])
    if rest[1] >= LEAST_EXPECTED:
        pooled = np.column_stack([pooled, rest])
    elif pooled.shape[1]:
        pooled[:, pooled[1].argmin()] += rest
    return pooled[0], pooled[1]


def sample_distances(before: Numbers, after: Numbers) -> dict[str, float | None]:
    """Kolmogorov and Smirnov's and Wasserstein's distance of the known values of a column.

    The first is the largest gap between the two distribution functions, the second the area between them, in units
    of the original's range: how far values moved on average. None without values, or without a range.
    """
    if not len(before) or not len(after):
        return {"ks": None, "wasserstein": None}
    unit = common_unit(before, after)
    first, second = np.sort(before / unit), np.sort(after / unit)
    # One pass for both; scipy would sort everything once more for each, and its ks_2samp fails for samples of one.
    values = np.sort(np.concatenate([first, second]))
    shares = [np.searchsorted(side, values, side="right") / len(side) for side in (first, second)]
    gaps = np.abs(shares[0] - shares[1])
    width = float(first[-1] - first[0])
    area = float((gaps[:-1] * np.diff(values)).sum())
    return {"ks": float(gaps.max()), "wasserstein": finite_or_none(area / width) if width else None}

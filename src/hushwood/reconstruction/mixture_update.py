"""The step that both reconstructions repeat: share every released value among the intervals it may come from.

With P the present estimate and K[w, p] how likely w is given interval p, a value w falls to p in proportion to
P(p) K[w, p]; the mean of these shares is the next estimate. The likelihood never falls. What K is, and when to stop,
is said in `agrawal_srikant` and `agrawal_aggarwal`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_LEVEL = 0.95  # of the chi-square test that says when two successive estimates are one


@dataclass(frozen=True, slots=True)
class Problem:
    """Released values (or cells of them) with their counts, their kernel as [value, interval], and an even start."""

    counts: Floats
    kernel: Floats
    even: Floats


@dataclass(frozen=True, slots=True)
class Solution:
    """Probabilities of the intervals, the mean log likelihood of every estimate, and how it ended.

    `impossible` counts the values that no interval can have given; they are left out.
    """

    probabilities: Floats
    log_likelihoods: Floats
    converged: bool
    impossible: int


def solve(problem: Problem, tolerance: float, most_iterations: int) -> Solution:
    """Repeat from an even start until two successive estimates are nearly the same.

    They are when their chi-square distance, n Σ (new - old)² / old, is below `tolerance` times the 95 % quantile.
    Intervals that can give no value at all get probability 0.
    """
    kernel = problem.kernel * (problem.even > 0)
    possible = kernel.any(axis=1)
    reachable = kernel[possible].any(axis=0)
    # A value that was never released may become impossible on the way, and its logarithm would spoil the sums.
    held = possible & (problem.counts > 0)
    counts, kernel = problem.counts[held], kernel[held]
    present = np.where(reachable, problem.even, 0.0)
    present /= max(present.sum(), np.finfo(float).tiny)
    records = float(counts.sum())
    near = tolerance * chi_square_quantile(int(reachable.sum()) - 1)
    likelihoods: list[float] = []
    converged = records == 0 or reachable.sum() < 2
    while not converged and len(likelihoods) < most_iterations:
        mixed = kernel @ present
        likelihoods.append(float(counts @ np.log(mixed)) / records)
        following = present * (counts / mixed @ kernel) / records
        converged = records * chi_square_distance(following, present) <= near
        present = following / following.sum()
    if records:
        likelihoods.append(float(counts @ np.log(kernel @ present)) / records)
    left_out = int(problem.counts[~possible].sum())
    return Solution(present, np.array(likelihoods), bool(converged), left_out)


def chi_square_distance(new: Floats, old: Floats) -> float:
    """Σ (new - old)² / old over what the old one holds."""
    held = old > 0
    return float(((new[held] - old[held]) ** 2 / old[held]).sum())


def chi_square_quantile(freedom: int) -> float:
    """What a chi-square statistic exceeds in one of twenty cases by chance."""
    from scipy.special import chdtri

    return float(chdtri(freedom, 1 - _LEVEL)) if freedom > 0 else 0.0

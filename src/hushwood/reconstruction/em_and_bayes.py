"""The two ways to recover a distribution from noisy values, EM and Bayes, and the step that both repeat.

The step: with P the current estimate and K[w, p] how likely w is given interval p, a released value w is shared among
the intervals in proportion to P(p) K[w, p]; the mean of these shares is the next estimate. The likelihood never falls.

EM (Agrawal and Aggarwal 2001) uses exact probabilities: θ_p ← (θ_p / n) Σ_i K_p(w_i) / Σ_t θ_t K_t(w_i), with K_p(w)
the density of w when the original is uniform on interval p, P(noise in [w - u_p, w - l_p]) / (u_p - l_p). It converges
to the maximum likelihood estimate; intervals may have different widths.

Bayes (Agrawal and Srikant 2000) counts values in intervals s represented by their middles:
Pr_{j+1}(p) = (1/n) Σ_s N(s) f(m_s - m_p) Pr_j(p) / Σ_t f(m_s - m_t) Pr_j(t). It stops early, at one percent of the
chi-square threshold, because it would go on to fit the noise of the sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Floats
from hushwood.reconstruction.known_noise import MOST_POINTS, Noise
from hushwood.reconstruction.largest_likelihood import largest_likelihood

_LEVEL = 0.95  # of the chi-square test that two successive estimates are the same

EM_TOLERANCE = 0.001
BAYES_TOLERANCE = 0.01
# How far below its maximum EM's log likelihood may end. Steps may be small far from the maximum, where peaks have not
# come apart; much nearer, smooth distributions would fit the noise of the sample.
EM_SHORTFALL = 4.0


@dataclass(frozen=True, slots=True)
class Problem:
    """Released values (or cells of them) with their counts, their kernel as [value, interval], and a uniform start."""

    counts: Floats
    kernel: Floats
    even: Floats


@dataclass(frozen=True, slots=True)
class Solution:
    """Probabilities of the intervals, the mean log likelihood of every estimate, and whether it converged.

    `impossible` counts the values that no interval can have produced; they are not used.
    """

    probabilities: Floats
    log_likelihoods: Floats
    converged: bool
    impossible: int


def solve(
    problem: Problem, tolerance: float, most_iterations: int, shortfall: float | None = None
) -> Solution:
    """Repeat the step until the chi-square distance of two estimates, n Σ (new - old)² / old, is small enough.

    Small enough is `tolerance` times the 95 % quantile; the log likelihood must also be no more than the `shortfall`
    below its maximum. Intervals that can produce no value get probability 0.
    """
    kernel = problem.kernel * (problem.even > 0)
    possible = kernel.any(axis=1)
    reachable = kernel[possible].any(axis=0)
    # A value that was never released may become impossible during the iterations: its logarithm must stay out of sums.
    held = possible & (problem.counts > 0)
    counts, kernel = problem.counts[held], kernel[held]
    present = np.where(reachable, problem.even, 0.0)
    present /= max(present.sum(), np.finfo(float).tiny)
    records = float(counts.sum())
    near = tolerance * chi_square_quantile(int(reachable.sum()) - 1)
    likelihoods: list[float] = []
    converged = records == 0 or reachable.sum() < 2
    enough = -np.inf
    if shortfall is not None and not converged:
        enough = largest_likelihood(counts, kernel, present) - shortfall / records
    while not converged and len(likelihoods) < most_iterations:
        mixed = kernel @ present
        likelihoods.append(float(counts @ np.log(mixed)) / records)
        following = present * (counts / mixed @ kernel) / records
        still = records * chi_square_distance(following, present) <= near
        converged = still and likelihoods[-1] >= enough
        present = following / following.sum()
    if records:
        likelihoods.append(float(counts @ np.log(kernel @ present)) / records)
    impossible = int(problem.counts[~possible].sum())
    return Solution(present, np.array(likelihoods), bool(converged), impossible)


def chi_square_distance(new: Floats, old: Floats) -> float:
    """Σ (new - old)² / old where old is above 0."""
    held = old > 0
    return float(((new[held] - old[held]) ** 2 / old[held]).sum())


def chi_square_quantile(freedom: int) -> float:
    """The value that a chi-square statistic exceeds by chance in one of twenty cases."""
    from scipy.special import chdtri

    return float(chdtri(freedom, 1 - _LEVEL)) if freedom > 0 else 0.0


def em_problem(values: Floats, noise: Noise, edges: Floats) -> Problem:
    """Every different released value (or narrow cells, if there are many) with its density given each interval."""
    points, counts = counted(values, edges)
    return Problem(counts, noise.over_intervals(points, edges), noise.widths(edges))


def counted(values: Floats, edges: Floats) -> tuple[Floats, Floats]:
    """The different values and their counts; very many are counted in cells that do not straddle an interval limit."""
    points, counts = np.unique(values, return_counts=True)
    if len(points) <= MOST_POINTS:
        return points, counts.astype(float)
    limits = cells(np.unique([points[0], points[-1], *edges]))
    found, _ = np.histogram(values, limits)
    held = (found > 0).nonzero()[0]
    return (limits[held] + limits[held + 1]) / 2, found[held].astype(float)


def cells(knots: Floats) -> Floats:
    """Limits of about MOST_POINTS cells of nearly equal width, with every knot among them.

    >>> len(cells(np.array([0.0, 1.0, 2.0])))
    1025
    """
    share = np.diff(knots) / (knots[-1] - knots[0])
    each = np.maximum(np.rint(share * MOST_POINTS), 1).astype(int)
    return np.interp(np.arange(each.sum() + 1), np.concatenate([[0], np.cumsum(each)]), knots)


def bayes_problem(values: Floats, noise: Noise, edges: Floats) -> Problem:
    """Counts of released values in intervals as wide as the original ones, and densities between middles."""
    points, counts = np.unique(middle_of_each(values, edges), return_counts=True)
    return Problem(counts.astype(float), noise.densities(points, middles(edges)), noise.widths(edges))


def middles(edges: Floats) -> Floats:
    """Midpoints of the intervals."""
    return np.asarray((edges[:-1] + edges[1:]) / 2)


def middle_of_each(values: Floats, edges: Floats) -> Floats:
    """Middle of each value's interval; beyond the ends the outermost intervals are repeated.

    >>> middle_of_each(np.array([-1.5, 0.5, 3.0, 3.5]), np.array([0.0, 1.0, 3.0])).tolist()
    [-1.5, 0.5, 2.0, 4.0]
    """
    first, last = edges[1] - edges[0], edges[-1] - edges[-2]
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    below = edges[0] - first * (np.ceil((edges[0] - values) / first) - 0.5)
    above = edges[-1] + last * (np.ceil((values - edges[-1]) / last) - 0.5)
    outside = [values < edges[0], values > edges[-1]]
    return np.select(outside, [below, above], middles(edges)[place])

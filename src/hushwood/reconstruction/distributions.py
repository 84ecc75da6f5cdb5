"""The distribution of a numeric attribute, recovered from released values and the known noise, by EM or Bayes.

Both repeat one step: with P the current estimate and K[w, p] how likely w is given interval p, a released value w is
shared among the intervals in proportion to P(p) K[w, p]; the mean of these shares is the next estimate. The likelihood
never falls.

EM (Agrawal and Aggarwal 2001) uses exact probabilities: θ_p ← (θ_p / n) Σ_i K_p(w_i) / Σ_t θ_t K_t(w_i), with K_p(w)
the density of w when the original is uniform on interval p, P(noise in [w - u_p, w - l_p]) / (u_p - l_p). It converges
to the maximum likelihood estimate; intervals may have different widths. The largest likelihood that there can be is
found by Newton steps (mixsqp).

Bayes (Agrawal and Srikant 2000) counts values in intervals s represented by their middles: Pr_{j+1}(p) = (1/n) Σ_s N(s)
f(m_s - m_p) Pr_j(p) / Σ_t f(m_s - m_t) Pr_j(t). It stops early, at one percent of the chi-square threshold, because it
would go on to fit the noise of the sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Floats
from hushwood.errors import InputError, unknown_name
from hushwood.reconstruction.known_noise import MOST_POINTS, KnownNoise

_LEVEL = 0.95  # of the chi-square test that two successive estimates are the same

EM_TOLERANCE = 0.001
BAYES_TOLERANCE = 0.01
# How far below its maximum EM's log likelihood may end. Steps may be small far from the maximum, where peaks have not
# come apart; much nearer, smooth distributions would fit the noise of the sample.
EM_SHORTFALL = 4.0
Method = Literal["em", "bayes"]
MOST_INTERVALS = MOST_POINTS // 4
ENOUGH = 1e-3  # of the log likelihood of all records
MOST_STEPS = 100
_RIDGE = 1e-10
_LEAST = 1e-12  # a share of 0 would leave a value that only its component explains a likelihood of 0
_SMALLEST_STEP = 1e-9


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """A recovered distribution: interval p, from edges[p] to edges[p + 1], has probabilities[p].

    `log_likelihoods` are those of all successive estimates, per record. `records` is the number of values used: neither
    missing values nor `impossible` ones, which no interval can have produced under this noise.
    """

    edges: Floats
    probabilities: Floats
    log_likelihoods: Floats
    converged: bool
    records: int
    impossible: int = 0

    @property
    def iterations(self) -> int:
        """The number of steps taken."""
        return max(len(self.log_likelihoods) - 1, 0)

    @property
    def density(self) -> Floats:
        """Probability per unit of the attribute, in each interval."""
        return np.asarray(self.probabilities / np.diff(self.edges))

    @property
    def mean(self) -> float:
        """The attribute's mean, with values uniform within each interval."""
        return float(self.probabilities @ middles(self.edges))


def reconstruct(
    values: Array | Sequence[float],
    noise: KnownNoise,
    *,
    intervals: int | Sequence[float] | Floats = 20,
    method: Method = "em",
    tolerance: float | None = None,
    most_iterations: int = 10_000,
) -> Reconstruction:
    """Recover how original values are distributed over intervals, from released values.

    `intervals` is their number, over the noise's domain or else the range of the released values; or a list of their
    limits. "em" is Agrawal and Aggarwal's method, "bayes" Agrawal and Srikant's. The estimate is improved until a step
    changes it by less than `tolerance` of what chance would (by default 0.001 for "em" and 0.01 for "bayes"), and with
    "em" until the log likelihood is at most 4 below its maximum. A smaller tolerance comes nearer to that maximum, and
    fits the noise of a small sample more.

    >>> from hushwood.reconstruction import AddedNoise
    >>> found = reconstruct([1.2, 0.8, 1.1, 5.2, 0.9, 4.9], AddedNoise(0.3, domain=(0, 6)), intervals=3)
    >>> found.probabilities.round(2).tolist()
    [0.67, 0.0, 0.33]
    """
    if method not in _METHODS:
        raise unknown_name("method", str(method), _METHODS)
    problem, default, shortfall = _METHODS[method]
    tolerance = default if tolerance is None else tolerance
    if not tolerance >= 0 or most_iterations < 1:
        raise InputError(
            f"tolerance must be 0 or more and most_iterations 1 or more, not {tolerance} and {most_iterations}."
        )
    known = np.asarray(values, np.float64)
    known = known[np.isfinite(known)]
    if len(known) == 0:
        raise InputError("There are no released values to learn from. Give at least one number.")
    edges = interval_edges(known, noise, intervals)
    found = solve(problem(known, noise, edges), tolerance, most_iterations, shortfall)
    used = len(known) - found.impossible
    if used == 0:
        raise InputError(
            f"None of the {len(known)} released values can come from {edges[0]:g} to {edges[-1]:g} with this noise. "
            "Check the domain and the size of the noise."
        )
    return Reconstruction(
        edges, found.probabilities, found.log_likelihoods, found.converged, used, found.impossible
    )


def interval_edges(values: Floats, noise: KnownNoise, intervals: int | Sequence[float] | Floats) -> Floats:
    """The limits of the intervals, checked."""
    if isinstance(intervals, int | np.integer):
        low, high = noise.domain or (float(values.min()), float(values.max()))
        if not 1 <= intervals <= MOST_INTERVALS:
            raise InputError(f"intervals must be 1 to {MOST_INTERVALS}, not {intervals}.")
        if not -np.inf < low < high < np.inf:
            raise InputError(f"The domain must be a finite range of numbers, not {low:g} to {high:g}.")
        return noise.edges(float(low), float(high), int(intervals))
    edges = np.asarray(intervals, np.float64)
    if (
        not 2 <= len(edges) <= MOST_INTERVALS + 1
        or not np.isfinite(edges).all()
        or not (np.diff(edges) > 0).all()
    ):
        raise InputError(
            f"The limits of the intervals must be 2 to {MOST_INTERVALS + 1} ascending numbers, not "
            f"{np.array2string(edges, threshold=6)}."
        )
    return edges


def assigned_limits(values: Floats, noise: KnownNoise, edges: Floats, method: Method) -> Floats:
    """Assign values to intervals by their reconstructed distribution, and give the upper limit of each one's interval.

    A test `<= limit` on these is the same test on original values.
    """
    if len(edges) == 2:
        return np.full(len(values), edges[1])
    found = reconstruct(values, noise, intervals=edges, method=method)
    return limits_by_rank(values, found.probabilities, edges)


def limits_by_rank(values: Floats, probabilities: Floats, edges: Floats) -> Floats:
    """Assign sorted values to intervals, to each in proportion to its probability.

    >>> limits_by_rank(np.array([5.0, 1.0, 9.0, 2.0]), np.array([0.75, 0.25]), np.array([0.0, 4.0, 8.0])).tolist()
    [4.0, 4.0, 8.0, 4.0]
    """
    last = np.rint(np.cumsum(probabilities) * len(values))
    last[-1] = len(values)
    interval = np.searchsorted(last, np.arange(len(values)), side="right")
    limits = np.empty(len(values))
    limits[np.argsort(values, kind="stable")] = edges[1:][interval]
    return limits


def assigned_limits_by_group(
    values: Floats, groups: NDArray[np.integer], noise: KnownNoise, edges: Floats, method: Method
) -> Floats:
    """The same for every group of records separately; missing values stay missing."""
    limits = np.full(len(values), np.nan)
    for group in np.unique(groups).tolist():
        rows = np.flatnonzero((groups == group) & np.isfinite(values))
        if len(rows):
            limits[rows] = assigned_limits(values[rows], noise, edges, method)
    return limits


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


def em_problem(values: Floats, noise: KnownNoise, edges: Floats) -> Problem:
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


def bayes_problem(values: Floats, noise: KnownNoise, edges: Floats) -> Problem:
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


_METHODS: Mapping[str, tuple[Callable[[Floats, KnownNoise, Floats], Problem], float, float | None]] = {
    "em": (em_problem, EM_TOLERANCE, EM_SHORTFALL),
    "bayes": (bayes_problem, BAYES_TOLERANCE, None),
}


def largest_likelihood(counts: Floats, kernel: Floats, start: Floats) -> float:
    """The largest mean log likelihood that a mixture of known components can reach, at most ENOUGH / records too small.

    Newton steps (mixsqp): at shares x with the mixture m = K x, the second-order expansion of -Σ w log(K y) + Σ y is a
    least-squares problem for y ≥ 0 (Kim, Carbonetto, Stephens and Anitescu 2020). A line search keeps every step an
    improvement. No component can raise the likelihood by more than the logarithm of the largest Σ w K / m, which says
    when to stop. Every value must be possible at the start.
    """
    records = float(counts.sum())
    root, reached = np.sqrt(counts / records), start > 0
    kernel, shares = kernel[:, reached], start[reached] / start.sum()
    best = _likelihood(root, kernel, shares)
    for _ in range(MOST_STEPS):
        scaled = kernel * (root / (kernel @ shares))[:, None]
        slope = scaled.T @ root
        if records * np.log(slope.max()) <= ENOUGH:
            break
        direction = _quadratic_minimum(scaled, slope, shares) - shares
        size = 1.0
        while size > _SMALLEST_STEP:
            following = np.maximum(shares + size * direction, _LEAST)
            following /= following.sum()
            found = _likelihood(root, kernel, following)
            if found > best:
                break
            size /= 2
        else:
            break
        shares, best = following, found
    return best


def _likelihood(root: Floats, kernel: Floats, shares: Floats) -> float:
    mixed = kernel @ shares
    return float(root**2 @ np.log(mixed)) if (mixed > 0).all() else -np.inf


def _quadratic_minimum(scaled: Floats, slope: Floats, shares: Floats) -> Floats:
    """The shares that minimise the expansion at `shares`: half y'Hy - (2 slope - 1)'y, for y of 0 or more."""
    from scipy.optimize import nnls

    curved = scaled.T @ scaled
    ridge = _RIDGE * np.trace(curved) / len(curved)
    lower = np.linalg.cholesky(curved + ridge * np.eye(len(curved)))
    aim = np.linalg.solve(lower, 2 * slope - 1 + ridge * shares)
    return np.asarray(nnls(lower.T, aim, maxiter=100 * len(shares))[0])

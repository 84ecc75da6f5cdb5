"""The distribution of a numeric attribute, recovered from released values and the known noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Floats
from hushwood.errors import InputError, unknown_name
from hushwood.reconstruction.em_and_bayes import (
    BAYES_TOLERANCE,
    EM_SHORTFALL,
    EM_TOLERANCE,
    Problem,
    bayes_problem,
    em_problem,
    middles,
    solve,
)
from hushwood.reconstruction.known_noise import MOST_POINTS, Noise

Method = Literal["em", "bayes"]
MOST_INTERVALS = MOST_POINTS // 4


_METHODS: Mapping[str, tuple[Callable[[Floats, Noise, Floats], Problem], float, float | None]] = {
    "em": (em_problem, EM_TOLERANCE, EM_SHORTFALL),
    "bayes": (bayes_problem, BAYES_TOLERANCE, None),
}


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
    noise: Noise,
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


def interval_edges(values: Floats, noise: Noise, intervals: int | Sequence[float] | Floats) -> Floats:
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


def assigned_limits(values: Floats, noise: Noise, edges: Floats, method: Method) -> Floats:
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
    values: Floats, groups: NDArray[np.integer], noise: Noise, edges: Floats, method: Method
) -> Floats:
    """The same for every group of records separately; missing values stay missing."""
    limits = np.full(len(values), np.nan)
    for group in np.unique(groups).tolist():
        rows = np.flatnonzero((groups == group) & np.isfinite(values))
        if len(rows):
            limits[rows] = assigned_limits(values[rows], noise, edges, method)
    return limits

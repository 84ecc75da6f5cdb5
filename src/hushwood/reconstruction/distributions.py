"""The distribution of a numeric attribute, recovered from released values and the known noise.

How is in `agrawal_srikant` and `agrawal_aggarwal`; what the noise is, in `noise_shapes` and `noise_inside`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError, unknown_name
from hushwood.reconstruction import agrawal_aggarwal, agrawal_srikant
from hushwood.reconstruction.mixture_update import Problem, solve
from hushwood.reconstruction.noise_shapes import MOST_POINTS, Floats, Noise

Method = Literal["em", "bayes"]
MOST_INTERVALS = MOST_POINTS // 4


class _Way(NamedTuple):
    problem: Callable[[Floats, Noise, Floats], Problem]
    tolerance: float


_WAYS: Mapping[str, _Way] = {
    "em": _Way(agrawal_aggarwal.em_problem, agrawal_aggarwal.TOLERANCE),
    "bayes": _Way(agrawal_srikant.bayes_problem, agrawal_srikant.TOLERANCE),
}


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """A recovered distribution: interval p, from edges[p] to edges[p + 1], has probabilities[p].

    `log_likelihoods` are those of all estimates on the way, per record. `records` were used; missing values are not
    among them, nor are `impossible` ones, which no interval can have given under this noise.
    """

    edges: Floats
    probabilities: Floats
    log_likelihoods: Floats
    converged: bool
    records: int
    impossible: int = 0

    @property
    def iterations(self) -> int:
        """How many times the estimate was improved."""
        return max(len(self.log_likelihoods) - 1, 0)

    @property
    def density(self) -> Floats:
        """Probability per unit of the attribute, in each interval."""
        return np.asarray(self.probabilities / np.diff(self.edges))

    @property
    def mean(self) -> float:
        """The attribute's mean, values spread evenly over each interval."""
        return float(self.probabilities @ agrawal_srikant.middles(self.edges))


def reconstruct(
    values: NDArray[Any] | Sequence[float],
    noise: Noise,
    *,
    intervals: int | Sequence[float] | Floats = 20,
    method: Method = "em",
    tolerance: float | None = None,
    most_iterations: int = 1000,
) -> Reconstruction:
    """Recover how original values are distributed over intervals, from what was released.

    `intervals` is their number, over the domain that the noise knows, else over the range of the released values; or
    it is their limits. "em" is Agrawal and Aggarwal's method, "bayes" Agrawal and Srikant's. The estimate is improved
    until a step changes it by less than `tolerance` of what chance would (0.001 and 0.01 unless given); a smaller
    number comes nearer to the largest likelihood, and follows the accidents of few records more.

    >>> from hushwood.reconstruction import AddedNoise
    >>> found = reconstruct([1.2, 0.8, 1.1, 5.2, 0.9, 4.9], AddedNoise(0.3, domain=(0, 6)), intervals=3)
    >>> found.probabilities.round(2).tolist()
    [0.67, 0.0, 0.33]
    """
    if method not in _WAYS:
        raise unknown_name("method", str(method), _WAYS)
    way = _WAYS[method]
    tolerance = way.tolerance if tolerance is None else tolerance
    if not tolerance >= 0 or most_iterations < 1:
        raise InputError(
            f"tolerance must be 0 or more and most_iterations 1 or more; {tolerance} and {most_iterations} were given."
        )
    known = np.asarray(values, np.float64)
    known = known[np.isfinite(known)]
    if len(known) == 0:
        raise InputError("There is no released value to learn from; give at least one number.")
    edges = interval_edges(known, noise, intervals)
    found = solve(way.problem(known, noise, edges), tolerance, most_iterations)
    used = len(known) - found.impossible
    if used == 0:
        raise InputError(
            f"None of the {len(known)} released values can come from {edges[0]:g} to {edges[-1]:g} with this noise; "
            "check the domain and the size of the noise."
        )
    return Reconstruction(
        edges, found.probabilities, found.log_likelihoods, found.converged, used, found.impossible
    )


def interval_edges(values: Floats, noise: Noise, intervals: int | Sequence[float] | Floats) -> Floats:
    """The limits of the intervals, checked."""
    if isinstance(intervals, int | np.integer):
        low, high = noise.domain or (float(values.min()), float(values.max()))
        if not 1 <= intervals <= MOST_INTERVALS:
            raise InputError(f"intervals must be 1 to {MOST_INTERVALS}; {intervals} was given.")
        if not -np.inf < low < high < np.inf:
            raise InputError(f"The domain must be a range of numbers; {low:g} to {high:g} was given.")
        return noise.edges(float(low), float(high), int(intervals))
    edges = np.asarray(intervals, np.float64)
    if (
        not 2 <= len(edges) <= MOST_INTERVALS + 1
        or not np.isfinite(edges).all()
        or not (np.diff(edges) > 0).all()
    ):
        raise InputError(
            f"The limits of the intervals must be 2 to {MOST_INTERVALS + 1} ascending numbers; "
            f"{np.array2string(edges, threshold=6)} was given."
        )
    return edges

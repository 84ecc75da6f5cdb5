"""Noise that a miner knows: how likely each released value is, given an original one or an interval of them.

Here is noise that is simply added, as Agrawal and Srikant do; noise that is kept inside a domain, as in our own
releases, is in `noise_inside`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError, unknown_name
from hushwood.techniques.noise import Shape

Floats = NDArray[np.float64]

MOST_POINTS = (
    1024  # so many points stand for a range of values: their kernel is a matrix of a million numbers
)
_JUMP = 1e-9
_NORMAL_REACH = 9.0  # a normal deviate beyond 9 has probability 2e-19


class Noise(Protocol):
    """The known law of released values given original ones."""

    @property
    def domain(self) -> tuple[float, float] | None:
        """Where original values lie, if that is known."""

    def edges(self, low: float, high: float, count: int) -> Floats:
        """Limits of that many intervals of original values; of fewer if there are not so many values."""

    def room(self, edges: Floats) -> Floats:
        """How much of the domain each interval holds: what an even distribution is proportional to."""

    def densities(self, released: Floats, original: Floats) -> Floats:
        """Density (on a grid: probability) of released values given original ones, as [released, original]."""

    def over_intervals(self, released: Floats, edges: Floats) -> Floats:
        """The same given only the interval, over which original values spread evenly, as [released, interval]."""

    def released_points(self, edges: Floats) -> tuple[Floats, float]:
        """Values that stand for all that can be released, and how much room each of them stands for."""

    def entropies(self, original: Floats) -> Floats:
        """Entropy in bits of what is released for each original value."""


@dataclass(frozen=True, slots=True)
class AddedNoise:
    """Noise added to a value, whatever the result: normal of standard deviation `scale`, or uniform within ±`scale`.

    `domain` is where original values lie, if the miner knows.

    >>> AddedNoise(1.0, "uniform").densities(np.array([0.5, 3.0]), np.array([0.0])).ravel().tolist()
    [0.5, 0.0]
    """

    scale: float
    distribution: Shape = "normal"
    domain: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.scale < np.inf:
            raise InputError(f"The scale of noise is a number from 0 on; {self.scale} was given.")
        if self.distribution not in ("normal", "uniform"):
            raise unknown_name("distribution", str(self.distribution), ("normal", "uniform"))

    def edges(self, low: float, high: float, count: int) -> Floats:
        """Limits of intervals of one width."""
        return np.linspace(low, high, count + 1)

    def room(self, edges: Floats) -> Floats:
        """The widths of the intervals."""
        return np.diff(edges)

    def densities(self, released: Floats, original: Floats) -> Floats:
        """Density of the difference, half of it where it jumps; without noise, 1 where the two are equal."""
        noise = released[:, None] - original
        if self.scale == 0:
            return np.asarray(noise == 0, float)
        density = np.asarray(self._shape.pdf(noise), float)
        if self.distribution == "uniform":
            # Middles of intervals often lie just there, and rounding must not decide on which side.
            density[np.isclose(np.abs(noise), self.scale, rtol=_JUMP, atol=0.0)] = 0.25 / self.scale
        return density

    def over_intervals(self, released: Floats, edges: Floats) -> Floats:
        """P(noise between w - high and w - low) / (high - low), from the distribution function."""
        if self.scale == 0:
            return np.asarray(own_interval(released, edges) / np.diff(edges))
        most, least = released[:, None] - edges[:-1], released[:, None] - edges[1:]
        shape = self._shape
        # Two numbers near 1 would lose all digits in a difference, so the upper half is counted from above.
        between = np.where(least > 0, shape.sf(least) - shape.sf(most), shape.cdf(most) - shape.cdf(least))
        return np.asarray(between / np.diff(edges))

    def released_points(self, edges: Floats) -> tuple[Floats, float]:
        """Middles of narrow cells over the intervals and the noise's reach beyond them."""
        reach = self.scale * (_NORMAL_REACH if self.distribution == "normal" else 1.0)
        limits = np.linspace(edges[0] - reach, edges[-1] + reach, 4 * MOST_POINTS + 1)
        return (limits[:-1] + limits[1:]) / 2, float(limits[1] - limits[0])

    def entropies(self, original: Floats) -> Floats:
        """The same for every value: that of the noise."""
        entropy = -np.inf if self.scale == 0 else float(self._shape.entropy()) / np.log(2)
        return np.full(len(original), entropy)

    @property
    def _shape(self) -> Any:
        from scipy import stats

        if self.distribution == "normal":
            return stats.norm(scale=self.scale)
        return stats.uniform(loc=-self.scale, scale=2 * self.scale)


def own_interval(values: Floats, edges: Floats) -> NDArray[np.bool_]:
    """Which interval each value lies in, as [value, interval]; the last one holds its upper end too."""
    place = np.searchsorted(edges, values, side="right") - 1
    place = np.where(values == edges[-1], len(edges) - 2, place)
    return np.asarray(place[:, None] == np.arange(len(edges) - 1))

"""Noise that a miner knows: how likely each released value is, given an original one or an interval of them.

`AddedNoise` is simply added, as by Agrawal and Srikant. `NoiseInside` stays inside an interval, as LINFAPT, LINNAPT and
RNAT add it and as KIMWINKLER multiplies, or depends only on the part of the domain that a value lies in, as with
ZHULIU; its probabilities come from the technique's own law, which covers wrapping, reflecting and truncating, on a grid
or on reals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Protocol

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.errors import InputError
from hushwood.parameters import AtLeast, Checked
from hushwood.tables.domains import from_steps, whole_domain
from hushwood.tables.schema import Attribute
from hushwood.techniques.added_noise import FactorLaw
from hushwood.techniques.laws.noise import NOISE_SHAPES, NoiseLaw, NoiseParameters, Shape
from hushwood.techniques.zhu_liu import MixtureLaw

MOST_POINTS = 1024  # that represent a range of values: their kernel is a matrix of a million numbers
_JUMP = 1e-9


class KnownNoise(Protocol):
    """The known law of released values given original ones."""

    @property
    def domain(self) -> tuple[float, float] | None:
        """Where original values lie, if that is known."""

    def edges(self, low: float, high: float, count: int) -> Floats:
        """Limits of `count` intervals of original values, or of fewer if there are fewer values."""

    def widths(self, edges: Floats) -> Floats:
        """How much of the domain each interval covers: its share under a uniform distribution."""

    def densities(self, released: Floats, original: Floats) -> Floats:
        """Density (on a grid: probability) of released values given original ones, as [released, original]."""

    def over_intervals(self, released: Floats, edges: Floats) -> Floats:
        """The same given only the interval, with original values uniform in it, as [released, interval]."""

    def released_points(self, edges: Floats) -> tuple[Floats, float]:
        """Points that represent all values that can be released, and the width that each represents."""

    def entropies(self, original: Floats) -> Floats:
        """Entropy in bits of the released value, for each original value."""


@dataclass(frozen=True, slots=True)
class AddedNoise(Checked):
    """Noise added to a value without bounds; `scale` is its standard deviation, or half its range if it has one.

    `domain` is where original values lie, if the miner knows it.

    >>> AddedNoise(1.0, "uniform").densities(np.array([0.5, 3.0]), np.array([0.0])).ravel().tolist()
    [0.5, 0.0]
    """

    scale: Annotated[float, AtLeast(0)]
    distribution: Shape = "normal"
    domain: tuple[float, float] | None = None

    def edges(self, low: float, high: float, count: int) -> Floats:
        """Limits of intervals of equal width."""
        return np.linspace(low, high, count + 1)

    def widths(self, edges: Floats) -> Floats:
        """The widths of the intervals."""
        return np.diff(edges)

    def densities(self, released: Floats, original: Floats) -> Floats:
        """Density of the difference, halved at a jump; without noise, 1 where the two are equal."""
        noise = released[:, None] - original
        if self.scale == 0:
            return np.asarray(noise == 0, float)
        density = np.asarray(self._shape.pdf(noise), float)
        if self.distribution == "uniform":
            # Middles of intervals often lie exactly at the jump, and rounding must not decide the side.
            density[np.isclose(np.abs(noise), self.scale, rtol=_JUMP, atol=0.0)] = 0.25 / self.scale
        return density

    def over_intervals(self, released: Floats, edges: Floats) -> Floats:
        """P(noise between w - high and w - low) / (high - low), from the distribution function."""
        if self.scale == 0:
            return np.asarray(own_interval(released, edges) / np.diff(edges))
        most, least = released[:, None] - edges[:-1], released[:, None] - edges[1:]
        shape = self._shape
        # The difference of two numbers near 1 would lose all digits, so the upper half is computed from above.
        between = np.where(least > 0, shape.sf(least) - shape.sf(most), shape.cdf(most) - shape.cdf(least))
        return np.asarray(between / np.diff(edges))

    def released_points(self, edges: Floats) -> tuple[Floats, float]:
        """Middles of narrow cells over the intervals and the noise's reach beyond them."""
        reach = self.scale * NOISE_SHAPES[self.distribution].reach
        limits = np.linspace(edges[0] - reach, edges[-1] + reach, 4 * MOST_POINTS + 1)
        return (limits[:-1] + limits[1:]) / 2, float(limits[1] - limits[0])

    def entropies(self, original: Floats) -> Floats:
        """The entropy of the noise, for every value."""
        entropy = -np.inf if self.scale == 0 else float(self._shape.entropy()) / np.log(2)
        return np.full(len(original), entropy)

    @property
    def _shape(self) -> Any:
        from scipy import stats

        if self.distribution == "normal":
            return stats.norm(scale=self.scale)
        if self.distribution == "laplace":
            return stats.laplace(scale=self.scale / 2**0.5)
        if self.distribution == "triangular":
            return stats.triang(0.5, loc=-self.scale, scale=2 * self.scale)
        return stats.uniform(loc=-self.scale, scale=2 * self.scale)


def own_interval(values: Floats, edges: Floats) -> Flags:
    """Which interval each value lies in, as [value, interval]; the last one includes its upper end."""
    place = np.searchsorted(edges, values, side="right") - 1
    place = np.where(values == edges[-1], len(edges) - 2, place)
    return np.asarray(place[:, None] == np.arange(len(edges) - 1))


@dataclass(frozen=True, slots=True)
class NoiseInside:
    """The noise of one segment of a technique's law.

    >>> from hushwood.tables.schema import Attribute
    >>> grade = Attribute("Job Grade", "numeric", low=1, high=4, precision=0)
    >>> noise = NoiseInside.over_domain(grade, NoiseParameters(noise=0.25))
    >>> noise.densities(np.array([1.0, 2.0, 3.0, 4.0]), np.array([4.0])).ravel().round(3).tolist()
    [0.248, 0.121, 0.248, 0.383]
    """

    law: NoiseLaw | FactorLaw
    segment: int = 0

    def __post_init__(self) -> None:
        covered = self.law.covered if isinstance(self.law, NoiseLaw) else None
        if covered is not None and not covered[self.segment]:
            raise InputError(
                f"The law of {self.law.attribute!r} does not cover segment {self.segment}. Choose one that it covers."
            )
        by_value = isinstance(self.law, FactorLaw) or self.law.of == "value"
        if by_value and not self._negligible and self._vanishing:
            raise InputError(
                f"The noise of {self.law.attribute!r} is a share of the value and vanishes near 0. In a column without "
                "fixed decimals only noise that blurs all values can be taken out."
            )

    @staticmethod
    def over_domain(attribute: Attribute, parameters: NoiseParameters) -> NoiseInside:
        """Noise over an attribute's whole domain, as LINNAPT adds it."""
        law = parameters.for_column(attribute).law(attribute.name, whole_domain(attribute), "reconstruction")
        return NoiseInside(law)

    @staticmethod
    def of_mixture(attribute: Attribute, components: int, spread: float) -> NoiseInside:
        """What ZHULIU draws from, over the whole domain: reconstruct with as many intervals as `components`."""
        inside = whole_domain(attribute)
        scale = spread * inside.width
        return NoiseInside(
            MixtureLaw(
                attribute.name, inside, scale, "truncate", "normal", "reconstruction", components=components
            )
        )

    @property
    def domain(self) -> tuple[float, float]:
        """The ends of the interval; on a grid, half a step beyond its first and last value."""
        half = 0.5 if self.law.intervals.decimal else 0.0
        low, high = from_steps(np.array([self._low - half, self._high + half]), self._precision).tolist()
        return low, high

    def edges(self, low: float, high: float, count: int) -> Floats:
        """Limits of intervals of equal width; on a grid with equally many values, as nearly as possible."""
        if not self.law.intervals.decimal:
            return np.linspace(low, high, count + 1)
        step = 10.0 ** (self._precision or 0)
        first, last = np.rint(low * step + 0.5), np.rint(high * step - 0.5)
        limits = np.rint(np.linspace(0.0, last - first + 1, min(count, int(last - first) + 1) + 1))
        return from_steps(first - 0.5 + limits, self._precision)

    def widths(self, edges: Floats) -> Floats:
        """How many values of the grid, or how much of the law's interval, each interval covers."""
        limits = np.clip(edges, *self.domain)
        if self._low == self._high:
            only = from_steps(np.array([self._low]), self._precision)
            return np.asarray(own_interval(only, edges)[0], float)
        if not self.law.intervals.decimal:
            return np.diff(limits)
        steps = np.round(limits * 10.0 ** (self._precision or 0), 6)
        first, last = np.ceil(steps[:-1]), np.ceil(steps[1:])
        last[-1] = np.floor(steps[-1]) + 1  # the last interval includes its upper end
        return np.asarray(last - first)

    def densities(self, released: Floats, original: Floats) -> Floats:
        """What the law says for every pair."""
        shape = len(released), len(original)
        given = {self.law.attribute: np.broadcast_to(original, shape).reshape(-1)}
        seen = {self.law.attribute: np.broadcast_to(released[:, None], shape).reshape(-1)}
        segments = np.full(len(released) * len(original), self.segment)
        return np.exp(self.law.log_prob(given, seen, segments)).reshape(shape)

    def over_intervals(self, released: Floats, edges: Floats) -> Floats:
        """The mean over points in each interval; intervals outside the law's own get 0."""
        if self._negligible:
            widths = self.widths(edges)
            return np.asarray(own_interval(released, edges) / np.where(widths > 0, widths, np.inf))
        points = self._points(edges)
        member = own_interval(points, edges).astype(float)
        counts = member.sum(axis=0)
        return np.asarray(self.densities(released, points) @ member / np.where(counts > 0, counts, 1.0))

    def released_points(self, edges: Floats) -> tuple[Floats, float]:
        """The values of the grid, or middles of narrow cells, inside the law's interval."""
        if self.law.intervals.decimal:
            points = self._grid(self._low, self._high)
            return points, (self._high - self._low + 1) / len(points)
        limits = np.linspace(self._low, self._high, MOST_POINTS + 1)
        return (limits[:-1] + limits[1:]) / 2, float(limits[1] - limits[0])

    def entropies(self, original: Floats) -> Floats:
        """Summed over all released points; without noise 0 on a grid, and minus infinity on reals."""
        if self._negligible:
            return np.full(len(original), 0.0 if self.law.intervals.decimal else -np.inf)
        released, width = self.released_points(original)
        density = self.densities(released, original)
        return np.asarray(-(density * np.log2(np.where(density > 0, density, 1.0))).sum(axis=0) * width)

    @property
    def _negligible(self) -> bool:
        """Whether the noise is too small to be seen between points; nothing is then blurred."""
        width = float(self.law.intervals.width[self.segment])
        if isinstance(self.law, FactorLaw):
            return width <= 0
        scale = float(self.law.largest_scale()[self.segment])
        thin = not self.law.intervals.decimal or width > MOST_POINTS
        return scale <= 0 or width <= 0 or (thin and scale < width / MOST_POINTS)

    @property
    def _vanishing(self) -> bool:
        """Whether noise in proportion to the value is too small to be seen for some values of a continuous column."""
        if self.law.intervals.decimal:
            return False
        least = 0.0 if self._low <= 0 <= self._high else min(abs(self._low), abs(self._high))
        law = self.law
        share = law.spread if isinstance(law, FactorLaw) else float(law.scale[self.segment])
        return share * least < (self._high - self._low) / MOST_POINTS

    @property
    def _precision(self) -> int | None:
        return self.law.intervals.precision

    @property
    def _low(self) -> float:
        return float(self.law.intervals.low[self.segment])

    @property
    def _high(self) -> float:
        return float(self.law.intervals.high[self.segment])

    def _points(self, edges: Floats) -> Floats:
        """Points of all intervals inside the law's own: grid values, or evenly spaced in each interval."""
        limits = np.clip(edges, *self.domain)
        if self.law.intervals.decimal:
            first, last = np.round(limits[[0, -1]] * 10.0 ** (self._precision or 0), 6)
            return self._grid(np.ceil(first), np.floor(last))
        each = max(MOST_POINTS // (len(edges) - 1), 1)
        inside = (np.arange(each) + 0.5) / each
        points = limits[:-1, None] + np.diff(limits)[:, None] * inside
        return points[np.diff(limits) > 0].reshape(-1)

    def _grid(self, low: float, high: float) -> Floats:
        """Values of the grid from one step to another, evenly thinned if there are too many."""
        count = max(int(high - low) + 1, 0)
        return from_steps(np.rint(np.linspace(low, high, min(count, MOST_POINTS))), self._precision)

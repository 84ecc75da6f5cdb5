"""Noise that stays inside an interval, as LINFAPT, LINNAPT and RNAT add it, as the miner's known noise.

Every probability is read from the technique's own law, so wrapping, reflecting and truncating, on a grid or on reals,
need nothing of their own here. Noise that is simply added is in `noise_shapes`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.errors import InputError
from hushwood.reconstruction.noise_shapes import MOST_POINTS, Floats, own_interval
from hushwood.tables.domains import from_steps, whole_domain
from hushwood.tables.schema import Attribute
from hushwood.techniques.noise import NoiseLaw, NoiseParameters


@dataclass(frozen=True, slots=True)
class NoiseInside:
    """The noise of one segment of a law.

    >>> from hushwood.tables.schema import Attribute
    >>> grade = Attribute("Job Grade", "numeric", low=1, high=4, precision=0)
    >>> noise = NoiseInside.over_domain(grade, NoiseParameters(noise=0.25))
    >>> noise.densities(np.array([1.0, 2.0, 3.0, 4.0]), np.array([4.0])).ravel().round(3).tolist()
    [0.248, 0.121, 0.248, 0.383]
    """

    law: NoiseLaw
    segment: int = 0

    def __post_init__(self) -> None:
        if self.law.covered is not None and not self.law.covered[self.segment]:
            raise InputError(
                f"The law of {self.law.attribute!r} does not work in segment {self.segment}; "
                "choose a segment that it covers."
            )

    @staticmethod
    def over_domain(attribute: Attribute, parameters: NoiseParameters) -> NoiseInside:
        """Noise over an attribute's whole domain, as LINNAPT adds it."""
        return NoiseInside(parameters.law(attribute.name, whole_domain(attribute), "reconstruction"))

    @property
    def domain(self) -> tuple[float, float]:
        """The ends of the interval; on a grid, half a step beyond its first and last value."""
        half = 0.5 if self.law.intervals.decimal else 0.0
        low, high = from_steps(np.array([self._low - half, self._high + half]), self._precision).tolist()
        return low, high

    def edges(self, low: float, high: float, count: int) -> Floats:
        """Limits of intervals of one width; on a grid of one number of values, as far as that goes."""
        if not self.law.intervals.decimal:
            return np.linspace(low, high, count + 1)
        step = 10.0 ** (self._precision or 0)
        first, last = np.rint(low * step + 0.5), np.rint(high * step - 0.5)
        limits = np.rint(np.linspace(0.0, last - first + 1, min(count, int(last - first) + 1) + 1))
        return from_steps(first - 0.5 + limits, self._precision)

    def room(self, edges: Floats) -> Floats:
        """How many values of the grid, or how much of the law's interval, each interval holds."""
        limits = np.clip(edges, *self.domain)
        if self._low == self._high:
            only = from_steps(np.array([self._low]), self._precision)
            return np.asarray(own_interval(only, edges)[0], float)
        if not self.law.intervals.decimal:
            return np.diff(limits)
        steps = np.round(limits * 10.0 ** (self._precision or 0), 6)
        first, last = np.ceil(steps[:-1]), np.ceil(steps[1:])
        last[-1] = np.floor(steps[-1]) + 1  # the last interval holds its upper end
        return np.asarray(last - first)

    def densities(self, released: Floats, original: Floats) -> Floats:
        """What the law gives for every pair."""
        shape = len(released), len(original)
        given = {self.law.attribute: np.broadcast_to(original, shape).reshape(-1)}
        seen = {self.law.attribute: np.broadcast_to(released[:, None], shape).reshape(-1)}
        segments = np.full(len(released) * len(original), self.segment)
        return np.exp(self.law.log_prob(given, seen, segments)).reshape(shape)

    def over_intervals(self, released: Floats, edges: Floats) -> Floats:
        """The mean over points of each interval; intervals outside the law's own have none and get 0."""
        if self._negligible:
            room = self.room(edges)
            return np.asarray(own_interval(released, edges) / np.where(room > 0, room, np.inf))
        points = self._points(edges)
        member = own_interval(points, edges).astype(float)
        counts = member.sum(axis=0)
        return np.asarray(self.densities(released, points) @ member / np.where(counts > 0, counts, 1.0))

    def released_points(self, edges: Floats) -> tuple[Floats, float]:
        """The values of the grid, or middles of narrow cells; what is released stays in the law's interval."""
        if self.law.intervals.decimal:
            points = self._grid(self._low, self._high)
            return points, (self._high - self._low + 1) / len(points)
        limits = np.linspace(self._low, self._high, MOST_POINTS + 1)
        return (limits[:-1] + limits[1:]) / 2, float(limits[1] - limits[0])

    def entropies(self, original: Floats) -> Floats:
        """Summed over what can be released; without noise 0 on a grid, and endlessly little on reals."""
        if self._negligible:
            return np.full(len(original), 0.0 if self.law.intervals.decimal else -np.inf)
        released, room = self.released_points(original)
        density = self.densities(released, original)
        return np.asarray(-(density * np.log2(np.where(density > 0, density, 1.0))).sum(axis=0) * room)

    @property
    def _negligible(self) -> bool:
        """Whether the noise is too small for points to show it: nothing is blurred then."""
        width, scale = float(self.law.intervals.width[self.segment]), float(self.law.scale[self.segment])
        thin = not self.law.intervals.decimal or width > MOST_POINTS
        return scale <= 0 or width <= 0 or (thin and scale < width / MOST_POINTS)

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
        """Points of all intervals that lie in the law's own: grid values, or evenly spaced inside each interval."""
        limits = np.clip(edges, *self.domain)
        if self.law.intervals.decimal:
            first, last = np.round(limits[[0, -1]] * 10.0 ** (self._precision or 0), 6)
            return self._grid(np.ceil(first), np.floor(last))
        each = max(MOST_POINTS // (len(edges) - 1), 1)
        inside = (np.arange(each) + 0.5) / each
        points = limits[:-1, None] + np.diff(limits)[:, None] * inside
        return points[np.diff(limits) > 0].reshape(-1)

    def _grid(self, low: float, high: float) -> Floats:
        """Values of the grid from one step to another, evenly thinned out where there are too many."""
        count = max(int(high - low) + 1, 0)
        return from_steps(np.rint(np.linspace(low, high, min(count, MOST_POINTS))), self._precision)

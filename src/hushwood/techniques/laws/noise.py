"""Additive noise that stays inside an interval: the law behind LINFAPT, LINNAPT and RNAT.

Noise of a symmetric shape is scaled per segment, rounded to whole steps of the segment's grid, and brought back inside
by wrapping, reflecting or truncating. A missing number stays missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.parameters import Between, Checked
from hushwood.random_streams import Rows, Streams
from hushwood.tables.domains import Boundary, Intervals, from_steps, reflect, to_steps, wrap
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form, NoiseForm
from hushwood.techniques.protocol import Columns, Law

Shape = Literal["normal", "uniform"]

LARGEST_NOISE = 100.0
_NORMAL_REACH = 9.0  # a normal deviate beyond 9 has probability 2e-19
_UNIFORM_FROM = 4.0  # normal noise of four widths is uniform to 1e-130 when wrapped, to 1e-33 when reflected
_FINE = 1e5  # steps per standard deviation from which the density gives a step's probability, to 1e-11


@dataclass(frozen=True, slots=True)
class NoiseParameters(Checked):
    """How much noise (as a share of the domain size), of which shape, and how it stays inside."""

    noise: Annotated[float, Between(0, LARGEST_NOISE, meaning="a share of the domain size")] = 1 / 3
    boundary: Boundary = "wrap"
    distribution: Shape = "normal"

    def says(self) -> str:
        size = "spread" if self.distribution == "normal" else "reach"
        return f"{self.distribution} noise with a {size} of {self.noise:.0%} of"

    def law(
        self, attribute: str, intervals: Intervals, purpose: str, covered: Flags | None = None
    ) -> NoiseLaw:
        """Noise of that share of every interval's size."""
        scale = self.noise * intervals.width
        return NoiseLaw(attribute, intervals, scale, self.boundary, self.distribution, purpose, covered)


class _Grid(NamedTuple):
    """First point, step and number of points of every record's grid, and the scale of its noise in steps."""

    first: Floats
    step: Floats
    points: Floats
    scale: Floats


@dataclass(frozen=True, slots=True)
class NoiseLaw(Law):
    """Noise of one attribute: per segment an interval and a scale (standard deviation, or half range if uniform).

    Segments that are not `covered` are left to another law.
    """

    attribute: str
    intervals: Intervals
    scale: Floats
    boundary: Boundary
    distribution: Shape
    purpose: str
    covered: Flags | None = None

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Log probability of every grid point; 0 where a missing value stayed missing.

        For a continuous column it is that of a unit, not of a step, so that intervals with other steps can be compared.
        """
        precision = self.intervals.precision
        x = to_steps(np.asarray(original[self.attribute], float), precision)
        y = to_steps(np.asarray(released[self.attribute], float), precision)
        inside, grid = self.intervals.take(segment_ids), self._grid(segment_ids)
        places = self._places(x, grid), (y - grid.first) / grid.step
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            possible = np.log(self._probability(*places, grid.points, grid.scale) / grid.step)
        possible = np.where((y < inside.low) | (y > inside.high), -np.inf, possible)
        stays = (grid.scale <= 0) | (inside.width <= 0)
        possible = np.where(stays, np.where(x == y, 0.0, -np.inf), possible)
        gone = np.isnan(x) | np.isnan(y)
        possible = np.where(gone, np.where(np.isnan(x) & np.isnan(y), 0.0, -np.inf), possible)
        return possible if self.covered is None else np.where(self.covered[segment_ids], possible, 0.0)

    def _grid(self, segment_ids: Array) -> _Grid:
        """The grid of every record."""
        inside, step = self.intervals, self.intervals.step
        of_segment = inside.first, step, inside.points, self.scale / step
        return _Grid(*(numbers[segment_ids] for numbers in of_segment))

    def _places(self, x: Floats, grid: _Grid) -> Floats:
        """The grid point of every original value, counted from the first."""
        distance = x - grid.first
        if self.intervals.decimal:
            return distance
        return np.clip(np.rint(distance / grid.step), 0.0, grid.points - 1.0)

    def _probability(self, x: Floats, y: Floats, points: Floats, scale: Floats) -> Floats:
        """The probability of a step, all in steps from the first grid point."""
        if self.boundary == "truncate":
            return self._chance(y - x, scale) / self._between(-0.5 - x, points - 0.5 - x, scale)
        period = points if self.boundary == "wrap" else 2 * points
        total = np.zeros(len(x))
        for k in range(-self._turns, self._turns + 1):
            total += self._chance(y - x + k * period, scale)
            if self.boundary == "reflect":
                total += self._chance(2 * points - 1 - y - x + k * period, scale)
        if self.distribution == "normal":
            total = np.where(scale > _UNIFORM_FROM * points, 1.0 / points, total)
        return total

    @property
    def _turns(self) -> int:
        """How many turns around the interval the noise can make."""
        width = np.where(self.intervals.width > 0, self.intervals.width, np.inf)
        share = float(np.max(self.scale / width, initial=0.0))
        if self.distribution == "uniform":
            return int(np.ceil(share)) + 1
        return int(np.ceil(_NORMAL_REACH * min(share, _UNIFORM_FROM))) + 1

    def _chance(self, noise: Floats, scale: Floats) -> Floats:
        """Probability of this many steps of noise."""
        if self.intervals.decimal or not ((scale > _FINE) | (scale <= 0)).all():
            return self._between(noise - 0.5, noise + 0.5, scale)
        # The difference of two distribution functions so close together would lose half of its digits.
        z = noise / scale
        if self.distribution == "uniform":
            # Half open, so that turns around a circle that meet at one point count once there.
            return np.asarray(np.where((z > -1) & (z <= 1), 0.5, 0.0) / scale)
        return np.asarray(np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * scale))

    def _between(self, low: Floats, high: Floats, scale: Floats) -> Floats:
        if self.distribution == "uniform":
            return np.asarray((np.clip(high / scale, -1, 1) - np.clip(low / scale, -1, 1)) / 2)
        from scipy.special import ndtr

        # In the upper tail the difference of two numbers near 1 would lose all digits; mirror it.
        mirror = low > 0
        low, high = np.where(mirror, -high, low), np.where(mirror, -low, high)
        return np.asarray(ndtr(high / scale) - ndtr(low / scale))

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        values = np.asarray(original[self.attribute], float)
        moving = np.flatnonzero(self._moves[segment_ids] & ~np.isnan(values))
        if len(moving) == 0:
            return {self.attribute: values}
        # All rows of the chunk draw, so that the keystream is read in one piece; only some need the rest.
        drawn = self._drawn(row_ids, streams)[moving]
        grid, precision = self._grid(segment_ids[moving]), self.intervals.precision
        place = self._places(to_steps(values[moving], precision), grid)
        if self.boundary == "truncate":
            place = self._truncated(place, grid.points, grid.scale, drawn)
        else:
            turned = wrap if self.boundary == "wrap" else reflect
            place = turned(place + np.rint(grid.scale * drawn), grid.points)
        steps = place if self.intervals.decimal else place * grid.step
        released = values.copy()
        released[moving] = from_steps(grid.first + steps, precision)
        return {self.attribute: released}

    @property
    def _moves(self) -> Flags:
        """The segments in which values get noise."""
        moves = (self.scale > 0) & (self.intervals.width > 0)
        return np.asarray(moves if self.covered is None else moves & self.covered)

    def _drawn(self, row_ids: Rows, streams: Streams) -> Floats:
        if self.boundary == "truncate":
            return streams.uniform(self.purpose, self.attribute, 0, row_ids)
        if self.distribution == "normal":
            return streams.normal(self.purpose, self.attribute, 0, row_ids)
        return 2.0 * streams.uniform(self.purpose, self.attribute, 0, row_ids) - 1.0

    def _truncated(self, x: Floats, points: Floats, scale: Floats, u: Floats) -> Floats:
        """Noise conditioned on staying inside, by the inverse distribution function."""
        with np.errstate(over="ignore"):
            low, high = (-0.5 - x) / scale, (points - 0.5 - x) / scale
        if self.distribution == "uniform":
            low, high = np.clip(low, -1, 1), np.clip(high, -1, 1)
            z = low + u * (high - low)
        else:
            from scipy.special import ndtr, ndtri

            first, last = ndtr(low), ndtr(high)
            z = ndtri(first + u * (last - first))
        return np.clip(x + np.rint(scale * z), 0.0, points - 1.0)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        return {self.attribute: NoiseForm(self)}

    def described(self) -> dict[str, Any]:
        return {
            "form": f"{self.boundary} {self.distribution} noise",
            "attribute": self.attribute,
            "precision": self.intervals.precision,
            "low": self.intervals.low.tolist(),
            "high": self.intervals.high.tolist(),
            "step": self.intervals.step.tolist(),
            "scale": self.scale.tolist(),
        }

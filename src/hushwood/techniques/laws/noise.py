"""Additive noise that stays inside an interval: the law behind LINFAPT, LINNAPT and RNAT.

Noise of a symmetric shape is scaled per segment or by the value itself (errata A8), rounded to whole steps of the
segment's grid, and brought back inside by wrapping, reflecting or truncating. A missing number stays missing. "The
distribution of the noise can be chosen to suit a particular application" (thesis 5.2); a shape's scale is a standard
deviation, or half the range where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, NamedTuple, get_args

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers, check_indices
from hushwood.parameters import Between, Checked
from hushwood.random_streams import Rows, Streams
from hushwood.tables.domains import Boundary, Intervals, from_steps, reflect, to_steps, wrap
from hushwood.tables.schema import LARGEST_NOISE, Attribute, Schema
from hushwood.techniques.laws.forms import Form, NoiseForm, PairForm
from hushwood.techniques.protocol import Columns, Law

Measured = Literal["range", "value"]
Share = Annotated[float, Between(0, LARGEST_NOISE, meaning="a share of the domain size")]

_WITHOUT_ZERO = ("Date", "Time")  # also "Datetime"
_FINE = 1e5  # steps per standard deviation from which the density gives a step's probability, to 1e-11
Shape = Literal["normal", "uniform", "laplace", "triangular"]
SHAPES: tuple[str, ...] = get_args(Shape)
_ROOT_2 = 2**0.5


@dataclass(frozen=True, slots=True)
class NoiseParameters(Checked):
    """How much noise, of which shape, and how it stays inside.

    It is a share of the domain size, or of the value itself; some `columns` have a share of their own.
    """

    noise: Share = 1 / 3
    boundary: Boundary = "wrap"
    distribution: Shape = "normal"
    of: Measured = "range"
    columns: Mapping[str, Share] = field(default_factory=dict)

    def for_column(self, attribute: Attribute) -> NoiseParameters:
        """Those of one column. Dates and times of day have no zero, so their noise is always measured by the range."""
        of: Measured = "range" if attribute.storage.startswith(_WITHOUT_ZERO) else self.of
        return replace(self, noise=self.columns.get(attribute.name, self.noise), of=of, columns={})

    def says(self, size_of: str) -> str:
        """The noise in words; `size_of` are those for the range."""
        size = "reach" if NOISE_SHAPES[self.distribution].bounded else "spread"
        measured = "the value itself" if self.of == "value" else size_of
        return f"{self.distribution} noise with a {size} of {_percent(self.noise)} of {measured}"

    def law(
        self, attribute: str, intervals: Intervals, purpose: str, covered: Flags | None = None
    ) -> NoiseLaw:
        """Noise of that share of every interval's size or of every value."""
        share = self.columns.get(attribute, self.noise)
        scale = share * (intervals.width if self.of == "range" else np.ones_like(intervals.low))
        return NoiseLaw(
            attribute, intervals, scale, self.boundary, self.distribution, purpose, covered, self.of
        )


def _percent(share: float) -> str:
    """Whole percents, or tenths where they are meant: 27.6%."""
    tenths = 1000 * share
    return f"{share:.1%}" if round(tenths) % 10 and abs(tenths - round(tenths)) < 1e-9 else f"{share:.0%}"


class _Grid(NamedTuple):
    """First point, step and number of points of every record's grid, and the scale of its noise in steps."""

    first: Floats
    step: Floats
    points: Floats
    scale: Floats


@dataclass(frozen=True, slots=True)
class NoiseLaw(Law):
    """Noise of one attribute: per segment an interval and a scale, a standard deviation or half the range of the noise.

    Segments that are not `covered` are left to another law. If the noise is a share `of` the value, the scale is for a
    value of 1 or -1: a value of 0 stays, and no noise is larger than LARGEST_NOISE times the interval.
    """

    attribute: str
    intervals: Intervals
    scale: Floats
    boundary: Boundary
    distribution: Shape
    purpose: str
    covered: Flags | None = None
    of: Measured = "range"

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Log probability of every grid point; 0 where a missing value stayed missing.

        For a continuous column it is that of a unit, not of a step, so that intervals with other steps can be compared.
        """
        precision = self.intervals.precision
        x = to_steps(np.asarray(original[self.attribute], float), precision)
        y = to_steps(np.asarray(released[self.attribute], float), precision)
        inside, grid = self.intervals.take(segment_ids), self._grid(segment_ids, x)
        places = self._places(x, grid), (y - grid.first) / grid.step
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            possible = np.log(self._probability(*places, grid.points, grid.scale) / grid.step)
        possible = np.where((y < inside.low) | (y > inside.high), -np.inf, possible)
        stays = (grid.scale <= 0) | (inside.width <= 0)
        possible = np.where(stays, np.where(x == y, 0.0, -np.inf), possible)
        gone = np.isnan(x) | np.isnan(y)
        possible = np.where(gone, np.where(np.isnan(x) & np.isnan(y), 0.0, -np.inf), possible)
        return possible if self.covered is None else np.where(self.covered[segment_ids], possible, 0.0)

    def _grid(self, segment_ids: Array, x: Floats) -> _Grid:
        """The grid of every record, whose values are in units of the intervals."""
        inside, step = self.intervals, self.intervals.step
        of_segment = inside.first, step, inside.points, self.scale / step
        grid = _Grid(*(numbers[segment_ids] for numbers in of_segment))
        if self.of == "range":
            return grid
        # Beyond that, noise in whole steps would no longer reach every grid point.
        return grid._replace(scale=np.minimum(grid.scale * np.abs(x), LARGEST_NOISE * grid.points))

    def largest_scale(self) -> Floats:
        """The largest scale that a value of each segment can have."""
        if self.of == "range":
            return self.scale
        inside = self.intervals
        largest = self.scale * np.maximum(np.abs(inside.low), np.abs(inside.high))
        return np.minimum(largest, LARGEST_NOISE * inside.points * inside.step)

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
            self._add_chance(total, y - x + k * period, scale)
            if self.boundary == "reflect":
                self._add_chance(total, 2 * points - 1 - y - x + k * period, scale)
        return np.where(scale > self._shape.even_from * points, 1.0 / points, total)

    def _add_chance(self, total: Floats, noise: Floats, scale: Floats) -> None:
        """Add the probability of this much noise; where small values have little, few turns count."""
        if self.of == "range":
            total += self._chance(noise, scale)
            return
        near = np.flatnonzero(np.abs(noise) <= self._shape.reach * scale + 1.0)
        total[near] += self._chance(noise[near], scale[near])

    @property
    def _turns(self) -> int:
        """How many turns around the interval the noise can make."""
        width = np.where(self.intervals.width > 0, self.intervals.width, np.inf)
        share = float(np.max(self.largest_scale() / width, initial=0.0))
        return int(np.ceil(self._shape.reach * min(share, self._shape.even_from))) + 1

    @property
    def _shape(self) -> NoiseShape:
        return NOISE_SHAPES[self.distribution]

    def _chance(self, noise: Floats, scale: Floats) -> Floats:
        """Probability of this many steps of noise."""
        fine = np.zeros(1, bool) if self.intervals.decimal else (scale > _FINE) | (scale <= 0)
        if fine.all():
            return self._density(noise, scale)
        coarse = self._between(noise - 0.5, noise + 0.5, scale)
        return np.where(fine, self._density(noise, scale), coarse) if fine.any() else coarse

    def _density(self, noise: Floats, scale: Floats) -> Floats:
        # The difference of two distribution functions so close together would lose half of its digits.
        return np.asarray(self._shape.density(noise / scale) / scale)

    def _between(self, low: Floats, high: Floats, scale: Floats) -> Floats:
        return self._shape.between(low / scale, high / scale)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        values = np.asarray(original[self.attribute], float)
        if (self.boundary, self.distribution, self.of) == ("wrap", "normal", "range"):
            return {self.attribute: self._wrapped_normal(values, segment_ids, row_ids, streams)}
        still = np.isnan(values) if self.of == "range" else np.isnan(values) | (values == 0)
        moving = np.flatnonzero(self._moves[segment_ids] & ~still)
        if len(moving) == 0:
            return {self.attribute: values}
        # All rows of the chunk draw, so that the keystream is read in one piece; only some need the rest.
        drawn = self._drawn(row_ids, streams)[moving]
        precision = self.intervals.precision
        steps = to_steps(values[moving], precision)
        grid = self._grid(segment_ids[moving], steps)
        place = self._places(steps, grid)
        if self.boundary == "truncate":
            place = self._truncated(place, grid.points, grid.scale, drawn)
        else:
            turned = wrap if self.boundary == "wrap" else reflect
            place = turned(place + np.rint(grid.scale * drawn), grid.points)
        steps = place if self.intervals.decimal else place * grid.step
        released = values.copy()
        released[moving] = from_steps(grid.first + steps, precision)
        return {self.attribute: released}

    def _wrapped_normal(self, values: Floats, segment_ids: Array, row_ids: Rows, streams: Streams) -> Floats:
        """The usual noise, by a loop of its own: the same numbers, several times as fast."""
        from hushwood.techniques.kernels.numbers import add_wrapped_normal

        moves, inside = self._moves, self.intervals
        check_indices("Segments", segment_ids, len(moves))
        if not moves.any():
            return values
        step, unit = inside.step, 0.0 if inside.precision is None else 10.0**inside.precision
        of_segment = (inside.first, step, inside.points, self.scale / step)
        words = streams.words(self.purpose, self.attribute, 0, row_ids)
        ids, out = np.ascontiguousarray(segment_ids, np.int64), np.empty(len(values))
        first, step, points, scale = (np.ascontiguousarray(numbers, np.float64) for numbers in of_segment)
        add_wrapped_normal(
            np.ascontiguousarray(values), ids, words, moves, first, step, points, scale, unit, out
        )
        return out

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
        return self._shape.at(streams.uniform(self.purpose, self.attribute, 0, row_ids))

    def _truncated(self, x: Floats, points: Floats, scale: Floats, u: Floats) -> Floats:
        """Noise conditioned on staying inside, by the inverse distribution function."""
        with np.errstate(over="ignore"):
            low, high = (-0.5 - x) / scale, (points - 0.5 - x) / scale
        first, last = self._shape.upto(low), self._shape.upto(high)
        z = self._shape.at(first + u * (last - first))
        whole = np.floor(x)  # noise may be around the middle between two grid points
        return np.asarray(np.clip(whole + np.rint(scale * z + (x - whole)), 0.0, points - 1.0))

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        if self.of == "range":
            return {self.attribute: NoiseForm(self)}
        return {self.attribute: PairForm(self, (self.attribute,), alike=self.alike())}

    def alike(self) -> Integers:
        """For every segment the first one with the same interval and scale."""
        covered = np.ones(len(self.scale)) if self.covered is None else self.covered
        numbers = self.intervals.low, self.intervals.high, self.scale
        same = np.stack([np.where(covered, number, 0.0) for number in numbers] + [covered])
        _, first, of = np.unique(same, axis=1, return_index=True, return_inverse=True)
        return np.asarray(first[of.reshape(-1)], np.int64)

    def described(self) -> dict[str, Any]:
        return {
            "form": f"{self.boundary} {self.distribution} noise",
            "attribute": self.attribute,
            "precision": self.intervals.precision,
            "low": self.intervals.low.tolist(),
            "high": self.intervals.high.tolist(),
            "step": self.intervals.step.tolist(),
            "scale": self.scale.tolist(),
        } | ({} if self.of == "range" else {"of": self.of})


@dataclass(frozen=True, slots=True)
class NoiseShape:
    """Density, distribution function up to 0, and its inverse up to a half; the rest follows by symmetry.

    Beyond its `reach` noise has a probability below 2e-18. If the scale is more than `even_from` intervals, wrapped
    noise is uniform to the last digit. `bounded` if the scale is half the range.
    """

    density: Callable[[Floats], Floats]
    below: Callable[[Floats], Floats]
    below_inverse: Callable[[Floats], Floats]
    reach: float
    bounded: bool
    even_from: float = np.inf

    def between(self, low: Floats, high: Floats) -> Floats:
        """The probability of noise between two numbers, without a difference of two numbers near 1."""
        mirror = low > 0
        low, high = np.where(mirror, -high, low), np.where(mirror, -low, high)
        return np.asarray(self.upto(high) - self.upto(low))

    def upto(self, z: Floats) -> Floats:
        """The distribution function."""
        found = self.below(-np.abs(z))
        return np.asarray(np.where(z > 0, 1.0 - found, found))

    def at(self, u: Floats) -> Floats:
        """Its inverse."""
        found = self.below_inverse(np.minimum(u, 1.0 - u))
        return np.asarray(np.where(u > 0.5, -found, found))


def _normal_below(z: Floats) -> Floats:
    from scipy.special import ndtr

    return np.asarray(ndtr(z))


def _normal_inverse(u: Floats) -> Floats:
    from scipy.special import ndtri

    return np.asarray(ndtri(u))


def _normal_density(z: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi))


def _uniform_density(z: Floats) -> Floats:
    # Half open, so that turns around a circle that meet at one point count once there.
    return np.where((z > -1) & (z <= 1), 0.5, 0.0)


NOISE_SHAPES: Mapping[str, NoiseShape] = {
    # Noise of four widths is uniform to 1e-130 when wrapped, to 1e-33 when reflected.
    "normal": NoiseShape(_normal_density, _normal_below, _normal_inverse, 9.0, bounded=False, even_from=4.0),
    "uniform": NoiseShape(
        _uniform_density,
        lambda z: (1 + np.maximum(z, -1.0)) / 2,
        lambda u: 2 * u - 1,
        1.0,
        bounded=True,
    ),
    "laplace": NoiseShape(
        lambda z: np.exp(-_ROOT_2 * np.abs(z)) / _ROOT_2,
        lambda z: np.exp(_ROOT_2 * z) / 2,
        lambda u: np.log(2 * u) / _ROOT_2,
        30.0,
        bounded=False,
    ),
    "triangular": NoiseShape(
        lambda z: np.maximum(1 - np.abs(z), 0.0),
        lambda z: np.maximum(1 + z, 0.0) ** 2 / 2,
        lambda u: np.sqrt(2 * u) - 1,
        1.0,
        bounded=True,
    ),
}

"""Additive noise that stays inside an interval: the law and the perturber behind LINFAPT, LINNAPT and RNAT.

Noise of a symmetric shape is scaled per segment, rounded to the column's grid, and brought back inside by wrapping,
reflecting or truncating. A missing number stays missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError, unknown_name
from hushwood.random_streams import Rows, Streams
from hushwood.tables.domains import Boundary, Intervals, as_stored, from_steps, reflect, to_steps, wrap
from hushwood.techniques.protocol import Columns

Shape = Literal["normal", "uniform"]
Floats = NDArray[np.float64]

LARGEST_NOISE = 100.0
_NORMAL_REACH = 9.0  # a normal deviate beyond 9 has probability 2e-19
_UNIFORM_FROM = 4.0  # normal noise of four widths is uniform to 1e-130 when wrapped, to 1e-33 when reflected


@dataclass(frozen=True, slots=True)
class NoiseParameters:
    """How much noise (as a share of the domain size), of which shape, and how it stays inside."""

    noise: float = 1 / 3
    boundary: Boundary = "wrap"
    distribution: Shape = "normal"

    def __post_init__(self) -> None:
        if not 0 <= self.noise <= LARGEST_NOISE:
            raise InputError(
                f"Noise is a share of the domain size between 0 and {LARGEST_NOISE:g}; {self.noise:g} was given."
            )
        for name, allowed in (
            ("boundary", ("wrap", "reflect", "truncate")),
            ("distribution", ("normal", "uniform")),
        ):
            if getattr(self, name) not in allowed:
                raise unknown_name(name, getattr(self, name), allowed)

    def says(self) -> str:
        """The beginning of a sentence for reports."""
        size = "spread" if self.distribution == "normal" else "reach"
        return f"{self.distribution} noise with a {size} of {self.noise:.0%} of"

    def law(
        self, attribute: str, intervals: Intervals, purpose: str, covered: NDArray[np.bool_] | None = None
    ) -> NoiseLaw:
        """Noise of that share of every interval's size."""
        scale = self.noise * intervals.width
        return NoiseLaw(attribute, intervals, scale, self.boundary, self.distribution, purpose, covered)


@dataclass(frozen=True, slots=True)
class NoiseLaw:
    """Noise of one attribute: per segment an interval and a scale (standard deviation, or half range if uniform).

    Segments that are not `covered` keep their values as far as this law goes; another one deals with them.
    """

    attribute: str
    intervals: Intervals
    scale: Floats
    boundary: Boundary
    distribution: Shape
    purpose: str
    covered: NDArray[np.bool_] | None = None
    dependent: bool = False

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Floats:
        """Log probability on a grid, log density on reals; 0 where a missing value stayed missing."""
        precision = self.intervals.precision
        x = to_steps(np.asarray(original[self.attribute], float), precision)
        y = to_steps(np.asarray(released[self.attribute], float), precision)
        inside, scale = self.intervals.take(segment_ids), self.scale[segment_ids]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            possible = np.log(self._probability(x, y, inside, scale))
        possible = np.where((y < inside.low) | (y > inside.high), -np.inf, possible)
        possible = np.where((scale <= 0) | (inside.width <= 0), np.where(x == y, 0.0, -np.inf), possible)
        gone = np.isnan(x) | np.isnan(y)
        possible = np.where(gone, np.where(np.isnan(x) & np.isnan(y), 0.0, -np.inf), possible)
        return possible if self.covered is None else np.where(self.covered[segment_ids], possible, 0.0)

    def _probability(self, x: Floats, y: Floats, inside: Intervals, scale: Floats) -> Floats:
        if self.boundary == "truncate":
            half = 0.5 if inside.on_grid else 0.0
            reachable = self._between(inside.low - half - x, inside.high + half - x, scale)
            return self._chance(y - x, scale) / reachable
        width = inside.width
        period = width if self.boundary == "wrap" else 2 * width
        total = np.zeros(len(x))
        mirrored = 2 * width - (1.0 if inside.on_grid else 0.0) - (y - inside.low) - (x - inside.low)
        for k in range(-self._turns, self._turns + 1):
            total += self._chance(y - x + k * period, scale)
            if self.boundary == "reflect":
                total += self._chance(mirrored + k * period, scale)
        if self.distribution == "normal":
            total = np.where(scale > _UNIFORM_FROM * width, 1.0 / width, total)
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
        """Probability of this much noise on a grid, its density on reals."""
        if self.intervals.on_grid:
            return self._between(noise - 0.5, noise + 0.5, scale)
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

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """Original values plus keyed noise, inside their intervals."""
        values = np.asarray(original[self.attribute], float)
        moving = np.flatnonzero(self._moves[segment_ids] & ~np.isnan(values))
        if len(moving) == 0:
            return {self.attribute: values}
        # All rows of the chunk draw, so that the keystream is read in one piece; only some need the rest.
        drawn = self._drawn(row_ids, streams)[moving]
        segments = segment_ids[moving]
        x = to_steps(values[moving], self.intervals.precision)
        inside, scale = self.intervals.take(segments), self.scale[segments]
        if self.boundary == "truncate":
            moved = self._truncated(x, inside, scale, drawn)
        else:
            moved = x + self._rounded(scale * drawn)
            moved = wrap(moved, inside) if self.boundary == "wrap" else reflect(moved, inside)
        released = values.copy()
        released[moving] = as_stored(from_steps(moved, self.intervals.precision), inside)
        return {self.attribute: released}

    @property
    def _moves(self) -> NDArray[np.bool_]:
        """The segments in which values get noise."""
        moves = (self.scale > 0) & (self.intervals.width > 0)
        return np.asarray(moves if self.covered is None else moves & self.covered)

    def _drawn(self, row_ids: Rows, streams: Streams) -> Floats:
        if self.boundary == "truncate":
            return streams.uniform(self.purpose, self.attribute, 0, row_ids)
        return self._standard(row_ids, streams)

    def _standard(self, row_ids: Rows, streams: Streams) -> Floats:
        if self.distribution == "normal":
            return streams.normal(self.purpose, self.attribute, 0, row_ids)
        return 2.0 * streams.uniform(self.purpose, self.attribute, 0, row_ids) - 1.0

    def _rounded(self, noise: Floats) -> Floats:
        return np.rint(noise) if self.intervals.on_grid else noise

    def _truncated(self, x: Floats, inside: Intervals, scale: Floats, u: Floats) -> Floats:
        """Noise given that it stays inside, by the inverse distribution function."""
        half = 0.5 if inside.on_grid else 0.0
        scale = np.where(scale > 0, scale, 1.0)
        with np.errstate(over="ignore"):
            low, high = (inside.low - half - x) / scale, (inside.high + half - x) / scale
        if self.distribution == "uniform":
            low, high = np.clip(low, -1, 1), np.clip(high, -1, 1)
            z = low + u * (high - low)
        else:
            from scipy.special import ndtr, ndtri

            first, last = ndtr(low), ndtr(high)
            z = ndtri(first + u * (last - first))
        moved = x + self._rounded(scale * z)
        return np.clip(moved, inside.low if inside.on_grid else np.nextafter(inside.low, np.inf), inside.high)

    def described(self) -> dict[str, Any]:
        """Shape, boundary rule, scale and interval of every segment."""
        return {
            "form": f"{self.boundary} {self.distribution} noise",
            "attribute": self.attribute,
            "precision": self.intervals.precision,
            "low": self.intervals.low.tolist(),
            "high": self.intervals.high.tolist(),
            "scale": self.scale.tolist(),
        }

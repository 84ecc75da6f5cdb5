"""The law of multiplicative noise: a number times a normal factor around 1 that is cut at two standard deviations.

KIMWINKLER draws from it. Noise that is added, whatever the number, is in `noise`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams
from hushwood.tables.domains import Intervals, as_stored, from_steps, to_steps
from hushwood.techniques.in_turn import log_between
from hushwood.techniques.protocol import Columns

Floats = NDArray[np.float64]

REACH = 2.0  # standard deviations that a factor lies at most from 1


@dataclass(frozen=True, slots=True)
class FactorLaw:
    """One attribute: y = x · r, r ~ N(1, spread²) inside 1 ± 2 · spread, rounded to the grid.

    If it is `bounded`, r is also such that y lies inside the interval of the record's segment. An interval of one
    value stays in any case: it has nothing to hide.
    """

    attribute: str
    intervals: Intervals
    spread: float
    purpose: str
    bounded: bool = True
    dependent: bool = False

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Floats:
        """Log probability on a grid, log density on reals; 0 where a missing value stayed missing."""
        x, y = (self._steps(columns) for columns in (original, released))
        low, high = self._ends(x, segment_ids)
        half = 0.5 if self.intervals.on_grid else 0.0
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            scale = self.spread * np.abs(x)
            inside = log_between((low - x) / scale, (high - x) / scale)
            if self.intervals.on_grid:
                first, last = np.maximum(y - half, low), np.minimum(y + half, high)
                chance = np.where(first < last, log_between((first - x) / scale, (last - x) / scale), -np.inf)
            else:
                chance = -0.5 * ((y - x) / scale) ** 2 - np.log(np.sqrt(2 * np.pi) * scale)
                chance = np.where((y < low) | (y > high), -np.inf, chance)
            found = np.where(low < high, chance - inside, np.where(x == y, 0.0, -np.inf))
        gone = np.isnan(x) & np.isnan(y)
        return np.where(np.isnan(x) | np.isnan(y), np.where(gone, 0.0, -np.inf), found)

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """One number per record decides."""
        from scipy.special import ndtr, ndtri

        u = streams.uniform(self.purpose, self.attribute, 0, row_ids)
        x = self._steps(original)
        low, high = self._ends(x, segment_ids)
        moves = low < high
        scale = np.where(moves, self.spread * np.abs(x), 1.0)
        first, last = ndtr((low - x) / scale), ndtr((high - x) / scale)
        drawn = np.clip(x + scale * ndtri(first + u * (last - first)), low, high)
        released = np.asarray(original[self.attribute], float).copy()
        released[moves] = self._stored(drawn[moves], segment_ids[moves])
        return {self.attribute: released}

    def _steps(self, columns: Columns) -> Floats:
        return to_steps(np.asarray(columns[self.attribute], float), self.intervals.precision)

    def _ends(self, x: Floats, segment_ids: NDArray[Any]) -> tuple[Floats, Floats]:
        """What a number can become before it is rounded; equal ends where it stays: 0, or the only value there is."""
        box = self.intervals.take(segment_ids)
        far = np.where(box.low < box.high, REACH * self.spread * np.abs(x), 0.0)
        if not self.bounded:
            return x - far, x + far
        half = 0.5 if self.intervals.on_grid else 0.0
        return np.maximum(x - far, box.low - half), np.minimum(x + far, box.high + half)

    def _stored(self, drawn: Floats, segment_ids: NDArray[Any]) -> Floats:
        """Numbers on their grid, and still inside."""
        precision = self.intervals.precision
        if not self.bounded:
            free = replace(self.intervals, low=np.array(-np.inf), high=np.array(np.inf))
            return as_stored(from_steps(np.rint(drawn) if free.on_grid else drawn, precision), free)
        box = self.intervals.take(segment_ids)
        if box.on_grid:
            return from_steps(np.clip(np.rint(drawn), box.low, box.high), precision)
        return as_stored(np.clip(drawn, np.nextafter(box.low, np.inf), box.high), box)

    def described(self) -> dict[str, Any]:
        """The spread of the factor, and the intervals that it respects."""
        box = {"low": self.intervals.low.tolist(), "high": self.intervals.high.tolist()}
        return {
            "form": "truncated normal factor",
            "attribute": self.attribute,
            "precision": self.intervals.precision,
            "spread": self.spread,
            "reach": REACH * self.spread,
            **(box if self.bounded else {}),
        }

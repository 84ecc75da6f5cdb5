"""The law of multiplicative noise: a number times a normal factor around 1 that is cut at two standard deviations.

KIMWINKLER draws from it. Noise that does not depend on the number is in `noise`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.tables.domains import Intervals, from_steps, to_steps
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.protocol import Columns, Law
from hushwood.techniques.together.column_by_column import log_between
from hushwood.techniques.together.number_groups import NumberGroup

REACH = 2.0  # standard deviations: how far a factor may lie from 1


@dataclass(frozen=True, slots=True)
class FactorLaw(Law):
    """One attribute: y = x · r, r ~ N(1, spread²) inside 1 ± 2 · spread, rounded to the grid.

    If it is `bounded`, r also keeps y inside the interval of the record's segment. A value that is the only one of
    its interval never changes.
    """

    attribute: str
    intervals: Intervals
    spread: float
    purpose: str
    bounded: bool = True

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Log probability of every grid point, of a unit as in `noise`; 0 where a missing value stayed missing."""
        x, y = (self._numbers(columns) for columns in (original, released))
        low, high = self._ends(x, segment_ids)
        step = self.intervals.step[segment_ids]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            scale = self.spread * np.abs(x)
            inside = log_between(low / scale, high / scale)
            first, last = np.maximum(y - x - step / 2, low), np.minimum(y - x + step / 2, high)
            chance = np.where(first < last, log_between(first / scale, last / scale), -np.inf)
            found = np.where(low < high, chance - inside - np.log(step), np.where(x == y, 0.0, -np.inf))
        gone = np.isnan(x) & np.isnan(y)
        return np.where(np.isnan(x) | np.isnan(y), np.where(gone, 0.0, -np.inf), found)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        from scipy.special import ndtr, ndtri

        u = streams.uniform(self.purpose, self.attribute, 0, row_ids)
        x = self._numbers(original)
        low, high = self._ends(x, segment_ids)
        moves = low < high
        scale = np.where(moves, self.spread * np.abs(x), 1.0)
        first, last = ndtr(low / scale), ndtr(high / scale)
        drawn = x + np.clip(scale * ndtri(first + u * (last - first)), low, high)
        released = np.asarray(original[self.attribute], float).copy()
        released[moves] = self._rounded(drawn[moves], segment_ids[moves])
        return {self.attribute: released}

    def _numbers(self, columns: Columns) -> Floats:
        return to_steps(np.asarray(columns[self.attribute], float), self.intervals.precision)

    def _ends(self, x: Floats, segment_ids: Array) -> tuple[Floats, Floats]:
        """How far a number can move before it is rounded; not at all if it is 0 or its interval's only value."""
        box = self.intervals
        far = np.where((box.low < box.high)[segment_ids], REACH * self.spread * np.abs(x), 0.0)
        if not self.bounded:
            return -far, far
        half = box.step[segment_ids] / 2
        # A number at the very end of its box may lie beyond the half step of the last grid point.
        low, high = box.first[segment_ids] - x - half, box.last[segment_ids] - x + half
        return np.maximum(-far, np.minimum(low, 0.0)), np.minimum(far, np.maximum(high, 0.0))

    def _rounded(self, drawn: Floats, segment_ids: Array) -> Floats:
        """Numbers on their grid, still inside."""
        box = self.intervals
        step = box.step[segment_ids]
        rounded = np.rint(drawn / step) * step
        if self.bounded:
            rounded = np.clip(rounded, box.first[segment_ids], box.last[segment_ids])
        elif box.single:  # beyond the domain singles are coarser than its grid
            rounded = rounded.astype(np.float32).astype(np.float64)
        return from_steps(rounded, box.precision)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Asked about in pairs; segments with the same box have the same law."""
        ends = np.stack([self.intervals.low, self.intervals.high])
        _, first, same = np.unique(ends, axis=1, return_index=True, return_inverse=True)
        group = NumberGroup((self.attribute,), (self.intervals,))
        return {self.attribute: PairForm(self, group.names, group=group, alike=first[same.reshape(-1)])}

    def described(self) -> dict[str, Any]:
        box = {"low": self.intervals.low.tolist(), "high": self.intervals.high.tolist()}
        return {
            "form": "truncated normal factor",
            "attribute": self.attribute,
            "precision": self.intervals.precision,
            "step": self.intervals.step.tolist(),
            "spread": self.spread,
            "reach": REACH * self.spread,
            **(box if self.bounded else {}),
        }

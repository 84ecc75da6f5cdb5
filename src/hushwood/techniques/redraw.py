"""Categorical values drawn anew from a distribution per group: the law behind PPT, ALPT, CAPT and random categorical.

In group g a value v becomes w with probability Q_g(w) (redraw), or stays with 1 - c_g and becomes another value w
with c_g · Q_g(w) / (1 - Q_g(v)) (change); c may also differ from value to value. The distributions are kept sparse, so
a hundred thousand categories in a thousand groups cost what they hold. A missing value is a value like any other: the
code after the last category. Matrices that are no such form are in `transition`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams
from hushwood.tables.coding import dense_codes
from hushwood.techniques.protocol import Columns

Groups = Callable[[Columns, NDArray[Any]], NDArray[np.int64]]
Floats = NDArray[np.float64]


def by_segment(columns: Columns, segment_ids: NDArray[Any]) -> NDArray[np.int64]:
    """Every segment is a group."""
    return np.asarray(segment_ids, np.int64)


def whole_table(columns: Columns, segment_ids: NDArray[Any]) -> NDArray[np.int64]:
    """All records are one group."""
    return np.zeros(len(segment_ids), np.int64)


def coded(values: NDArray[Any], width: int) -> NDArray[np.int64]:
    """Category codes with missing as the last of `width` codes."""
    codes = np.asarray(values, np.int64)
    return np.where(codes < 0, width - 1, codes)


@dataclass(frozen=True, slots=True)
class Distributions:
    """Sparse distributions over value codes: the cells of group g are those whose key is g · width + code."""

    width: int
    keys: NDArray[np.int64]
    probability: Floats
    cumulative: Floats  # group number plus the distribution function up to each cell: one ascending array

    @classmethod
    def from_weights(
        cls, groups: NDArray[Any], codes: NDArray[Any], weights: NDArray[Any], width: int
    ) -> Distributions:
        """Add up weights per (group, code) and make every group's sum 1."""
        keys, place = dense_codes(np.asarray(groups, np.int64) * width + codes)
        weight = np.bincount(place, np.asarray(weights, np.float64), minlength=len(keys))
        keys, weight = keys[weight > 0], weight[weight > 0]
        group = keys // width
        probability = weight / np.bincount(group, weight)[group]
        running = np.cumsum(probability)
        before = np.concatenate([[0.0], running])[np.searchsorted(keys, group * width)]
        last = np.append(group[1:] != group[:-1], True)
        upto = np.where(last, 1.0, np.minimum(running - before, 1.0))
        return cls(width, keys, probability, np.asarray(group + upto, np.float64))

    def place(
        self, groups: NDArray[np.int64], codes: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Cell of every (group, code), and whether there is one."""
        wanted = groups * self.width + codes
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return at, self.keys[at] == wanted

    def of(self, groups: NDArray[np.int64], codes: NDArray[np.int64]) -> Floats:
        """Probability of every (group, code)."""
        at, there = self.place(groups, codes)
        return np.where(there, self.probability[at], 0.0)

    def draw(self, groups: NDArray[np.int64], u: Floats) -> NDArray[np.int64]:
        """The code at position u of every group's distribution function."""
        # A sum of group and u near 1 must not be rounded up into the next group.
        position = np.minimum(groups + u, np.nextafter(groups + 1.0, 0.0))
        at = np.searchsorted(self.cumulative, position, side="right")
        return np.asarray(self.keys[np.minimum(at, len(self.keys) - 1)] % self.width)


@dataclass(frozen=True, slots=True)
class RedrawLaw:
    """Transition probabilities of one attribute; `change[g]` is c_g, NaN where group g redraws.

    With `by_value` there is one c for every cell of the distributions; values that are no cell stay as they are.
    """

    attribute: str
    distributions: Distributions
    change: Floats
    group_of: Groups
    purpose: str
    dependent: bool = False
    by_value: bool = False

    def changes(self, groups: NDArray[np.int64], codes: NDArray[np.int64]) -> Floats:
        """The probability of change of values in groups; NaN where they are redrawn."""
        return self._changes(groups, *self.distributions.place(groups, codes))

    def _changes(self, groups: NDArray[np.int64], at: NDArray[np.int64], there: NDArray[np.bool_]) -> Floats:
        """The same from the cells of the values."""
        return np.where(there, self.change[at], 0.0) if self.by_value else np.asarray(self.change[groups])

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Floats:
        """Log probability of every change of value."""
        groups = self.group_of(original, segment_ids)
        v, w = self._codes(original[self.attribute]), self._codes(released[self.attribute])
        to, own = self.distributions.of(groups, w), self.distributions.of(groups, v)
        change = self.changes(groups, v)
        with np.errstate(divide="ignore", invalid="ignore"):
            other = np.where(own < 1, change * to / (1 - own), 0.0)
            stay = np.where(own < 1, 1 - change, 1.0)
            return np.log(np.where(np.isnan(change), to, np.where(v == w, stay, other)))

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """One number per record decides whether and to what it changes."""
        u = streams.uniform(self.purpose, self.attribute, 0, row_ids)
        groups = self.group_of(original, segment_ids)
        v = self._codes(original[self.attribute])
        at, there = self.distributions.place(groups, v)
        change = self._changes(groups, at, there)
        redraw = np.isnan(change)
        own = np.where(there, self.distributions.probability[at], 0.0)
        # The number, stretched over the distribution without v's own piece.
        position = np.where(redraw, u, u / np.where(change > 0, change, 1.0) * (1 - own))
        upto = self.distributions.cumulative[at] - groups
        jump = ~redraw & there & (position >= upto - own)
        drawn = self.distributions.draw(
            groups, np.clip(position + np.where(jump, own, 0.0), 0.0, 1.0 - 2.0**-53)
        )
        moves = redraw | ((u < change) & (own < 1))
        return {self.attribute: self._values(np.where(moves, drawn, v))}

    def _codes(self, values: NDArray[Any]) -> NDArray[np.int64]:
        return coded(values, self.distributions.width)

    def _values(self, codes: NDArray[np.int64]) -> NDArray[np.int32]:
        return np.where(codes == self.distributions.width - 1, -1, codes).astype(np.int32)

    def described(self) -> dict[str, Any]:
        """The sparse transition probabilities."""
        return {
            "form": "transition matrix per group",
            "attribute": self.attribute,
            "width": self.distributions.width,
            "keys": self.distributions.keys.tolist(),
            "probability": self.distributions.probability.tolist(),
            "by_value": self.by_value,
            "change": [None if np.isnan(c) else c for c in self.change.tolist()],
        }

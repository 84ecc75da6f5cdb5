"""Categorical values redrawn from a distribution per group: the law behind PPT, ALPT, CAPT and RC.

In group g a value v becomes w with probability Q_g(w) (redraw), or stays with 1 - c_g and becomes another value w
with c_g · Q_g(w) / (1 - Q_g(v)) (change); c may also differ from value to value. The distributions are sparse: a
hundred thousand categories in a thousand groups cost only the cells that occur. A missing value is a value like any
other, the code after the last category. Other matrices are in `transition`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form, MatrixForm, RedrawForm
from hushwood.techniques.laws.groupings import ClusterGroups, Groups, OwnValue, by_segment, coded, whole_table
from hushwood.techniques.protocol import Columns, Law


@dataclass(frozen=True, slots=True)
class Distributions:
    """Sparse distributions over value codes: the cells of group g are those whose key is g · width + code."""

    width: int
    keys: Integers
    probability: Floats
    cumulative: Floats  # group number plus the distribution function up to each cell: one ascending array

    @classmethod
    def from_weights(cls, groups: Array, codes: Array, weights: Array, width: int) -> Distributions:
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

    def place(self, groups: Integers, codes: Integers) -> tuple[Integers, Flags]:
        """Cell of every (group, code), and whether there is one."""
        wanted = groups * self.width + codes
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return at, self.keys[at] == wanted

    def of(self, groups: Integers, codes: Integers) -> Floats:
        """Probability of every (group, code)."""
        at, there = self.place(groups, codes)
        return np.where(there, self.probability[at], 0.0)

    def draw(self, groups: Integers, u: Floats) -> Integers:
        """The code at position u of every group's distribution function."""
        # A sum of group and u near 1 must not be rounded up into the next group.
        position = np.minimum(groups + u, np.nextafter(groups + 1.0, 0.0))
        at = np.searchsorted(self.cumulative, position, side="right")
        return np.asarray(self.keys[np.minimum(at, len(self.keys) - 1)] % self.width)


@dataclass(frozen=True, slots=True)
class RedrawLaw(Law):
    """Transition probabilities of one attribute; `change[g]` is c_g, NaN where group g redraws.

    With `by_value` there is one c for every cell of the distributions; values without a cell never change.
    """

    attribute: str
    distributions: Distributions
    change: Floats
    group_of: Groups
    purpose: str
    by_value: bool = False

    def changes(self, groups: Integers, codes: Integers) -> Floats:
        """The probability of change of values in groups; NaN where they are redrawn."""
        return self._changes(groups, *self.distributions.place(groups, codes))

    def knows(self, groups: Integers) -> Flags:
        """Whether a group is one that records of the table could be in."""
        if not self.by_value:
            return np.asarray(groups < len(self.change))
        return np.isin(groups, self.distributions.keys // self.distributions.width)

    def _changes(self, groups: Integers, at: Integers, there: Flags) -> Floats:
        """The same from the cells of the values."""
        if self.by_value:
            return np.where(there, self.change[at], 0.0)
        if not isinstance(self.group_of, ClusterGroups):
            return np.asarray(self.change[groups])
        # A sample may lack a group: there is nothing to draw from, and its records keep their values.
        held = np.zeros(len(self.change) + 1, bool)
        held[self.distributions.keys // self.distributions.width] = True
        known = np.minimum(groups, len(self.change))
        return np.where(held[known], np.append(self.change, 0.0)[known], 0.0)

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        groups = self.group_of(original, segment_ids)
        v, w = self._codes(original[self.attribute]), self._codes(released[self.attribute])
        to, own = self.distributions.of(groups, w), self.distributions.of(groups, v)
        change = self.changes(groups, v)
        with np.errstate(divide="ignore", invalid="ignore"):
            other = np.where(own < 1, change * to / (1 - own), 0.0)
            stay = np.where(own < 1, 1 - change, 1.0)
            return np.log(np.where(np.isnan(change), to, np.where(v == w, stay, other)))

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
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

    def _codes(self, values: Array) -> Integers:
        return coded(values, self.distributions.width)

    def _values(self, codes: Integers) -> Codes:
        return np.where(codes == self.distributions.width - 1, -1, codes).astype(np.int32)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """A matrix if segments or single values are the groups, else a redraw within clusters or the table."""
        groups, width = self.group_of, self.distributions.width
        if isinstance(groups, OwnValue):
            own = MatrixForm(self, self.attribute, width, groups.within == "segment", None)
            return {self.attribute: own}
        if groups is by_segment:
            return {self.attribute: MatrixForm(self, self.attribute, width, True, self.distributions)}
        if groups is whole_table:
            return {self.attribute: RedrawForm(self, ClusterGroups())}
        return {self.attribute: RedrawForm(self, groups)} if isinstance(groups, ClusterGroups) else {}

    def described(self) -> dict[str, Any]:
        return {
            "form": "transition matrix per group",
            "attribute": self.attribute,
            "width": self.distributions.width,
            "keys": self.distributions.keys.tolist(),
            "probability": self.distributions.probability.tolist(),
            "by_value": self.by_value,
            "change": [None if np.isnan(c) else c for c in self.change.tolist()],
        }

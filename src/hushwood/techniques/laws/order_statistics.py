"""Numbers of a column replaced, in order, by a sample from a distribution: the law behind LIEW.

The record with rank r of n gets the r-th smallest of n independent draws. That is an order statistic: its position p in
the distribution is Beta(r, n + 1 - r). Records with the same number share their ranks out by chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.random_streams import Rows, Streams, group_order
from hushwood.tables.domains import Intervals, from_steps, to_steps
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.fitted_families import FAMILY_NAMES, Fitted
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.groupings import Groups, by_segment
from hushwood.techniques.protocol import Columns, Law, Within

_FINE = 1e-6  # expected draws in a step of the grid, below which the density gives its probability


@dataclass(frozen=True, slots=True)
class OrderStatisticLaw(Law):
    """One column; `intervals`, `fitted` and `moves` have an entry for every group, the table or a segment.

    Numbers of a group that does not move stay as they are.
    """

    attribute: str
    intervals: Intervals
    fitted: Fitted
    moves: Flags
    held: HeldRanks
    group_of: Groups
    purpose: str
    dependent: ClassVar[bool] = True

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Marginal law of one record, any of those with its number: probability of a grid point, by unit."""
        groups = self.group_of(original, segment_ids)
        x = np.asarray(original[self.attribute], np.float64)
        y = to_steps(np.asarray(released[self.attribute], np.float64), self.intervals.precision)
        same = to_steps(x, self.intervals.precision) == y
        cell, held = self.held.place(groups, x)
        inside = self.intervals.take(groups)
        possible = held & (y >= inside.first) & (y <= inside.last)
        out = np.where((np.isnan(x) & np.isnan(y)) | (~self.moves[groups] & same), 0.0, -np.inf)
        asked = np.flatnonzero(possible & self.moves[groups])
        if len(asked):
            out[asked] = self._log_chance(y[asked], groups[asked], cell[asked])
        return out

    def _log_chance(self, y: Floats, groups: Integers, cell: Integers) -> Floats:
        """Log probability of grid points, given the ranks of the original numbers."""
        step = self.intervals.step[groups]
        first, count = self.held.first[cell], self.held.count[cell]
        size = self.held.sizes[groups]
        below, upto = (self.fitted.upto(y + side * step / 2, groups) for side in (-1.0, 1.0))
        with np.errstate(divide="ignore"):
            chance = expected_draws(upto, first, count, size) - expected_draws(below, first, count, size)
            by_step = np.log(np.maximum(chance, 0.0) / (count * step))
            near = between(self.fitted.upto(y, groups), first, first + count, size - 1)
            by_density = self.fitted.log_density(y, groups) + np.log(size / count * near)
        return np.where(size * (upto - below) < _FINE, by_density, by_step)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """As many draws as a group has numbers, sorted, go to its records in the order of their numbers."""
        values = np.asarray(original[self.attribute], np.float64)
        groups = self.group_of(original, segment_ids)
        rows = np.flatnonzero(~np.isnan(values) & self.moves[groups])
        out = values.copy()
        if len(rows) == 0:
            return {self.attribute: out}
        u = streams.uniform(self.purpose, self.attribute, 0, row_ids)[rows]
        ties = streams.words(self.purpose, self.attribute, 1, row_ids)[rows]
        by_value = np.lexsort((ties, values[rows]))
        by_value = by_value[group_order(groups[rows][by_value])]
        drawn = np.argsort(u, kind="stable")
        drawn = drawn[group_order(groups[rows][drawn])]
        out[rows[by_value]] = self._placed(u[drawn], groups[rows][drawn])
        return {self.attribute: out}

    def _placed(self, position: Floats, groups: Integers) -> Floats:
        """The grid points at positions of the groups' distributions."""
        inside = self.intervals
        first, step, points = inside.first[groups], inside.step[groups], inside.points[groups]
        place = np.rint((self.fitted.at(position, groups) - first) / step)
        return from_steps(first + np.clip(place, 0.0, points - 1.0) * step, inside.precision)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Asked about in pairs."""
        within: Within = "segment" if self.group_of is by_segment else "table"
        return {self.attribute: PairForm(self, (self.attribute,), within=within)}

    def described(self) -> dict[str, Any]:
        """The distribution of every group."""
        return {
            "form": "order statistics of a fitted distribution",
            "attribute": self.attribute,
            "family": [FAMILY_NAMES[place] for place in self.fitted.family.tolist()],
            **{name: numbers.tolist() for name, numbers in self.fitted.shape._asdict().items()},
            "moves": self.moves.tolist(),
        }


def expected_draws(p: Floats, first: Integers, count: Integers, size: Integers) -> Floats:
    """How many of the draws with ranks first + 1 to first + count, of `size`, lie below position p on average.

    E min(max(B - first, 0), count) with B ~ Binomial(size, p).

    >>> float(expected_draws(np.array([0.5]), np.array([0]), np.array([2]), np.array([2]))[0])
    1.0
    """
    last = first + count
    part = size * p * between(p, first, last - 1, size - 1) - first * between(p, first + 1, last, size)
    return np.asarray(part + count * at_least(last, size, p))


def between(p: Floats, low: Integers, high: Integers, size: Integers) -> Floats:
    """P(low <= B < high) with B ~ Binomial(size, p)."""
    from scipy.special import gammaln, xlog1py, xlogy

    single = high - low == 1
    one = gammaln(size + 1) - gammaln(np.maximum(low, 0) + 1) - gammaln(np.maximum(size - low, 0) + 1)
    one = np.exp(one + xlogy(low, p) + xlog1py(np.maximum(size - low, 0), -p))
    several = np.maximum(at_least(low, size, p) - at_least(high, size, p), 0.0)
    return np.where(single, one, np.where(high > low, several, 0.0))


def at_least(count: Integers, size: Integers, p: Floats) -> Floats:
    """P(B >= count) with B ~ Binomial(size, p)."""
    from scipy.special import betainc

    inside = np.clip(count, 1, np.maximum(size, 1))
    found = betainc(inside, np.maximum(size - inside + 1, 1), p)
    return np.where(count <= 0, 1.0, np.where(count > size, 0.0, found))


@dataclass(frozen=True, slots=True)
class HeldRanks:
    """The ranks of every distinct value in every group: value v of group g is the cell of g · len(values) + v."""

    values: Floats
    keys: Integers
    first: Integers
    count: Integers
    sizes: Integers

    @classmethod
    def of(cls, column: Array, groups: Integers) -> HeldRanks:
        """Sort the known values of a column."""
        known = ~np.isnan(column)
        values, codes = np.unique(column[known], return_inverse=True)
        keys, place = dense_codes(groups[known] * len(values) + codes)
        count = np.bincount(place, minlength=len(keys))
        group = keys // max(len(values), 1)
        before = np.cumsum(count) - count
        sizes = np.bincount(group, count, minlength=int(groups.max(initial=0)) + 1).astype(np.int64)
        return cls(values, keys, before - (np.cumsum(sizes) - sizes)[group], count, sizes)

    def place(self, groups: Integers, values: Floats) -> tuple[Integers, Flags]:
        """The cell of every value of a group, and whether there is one."""
        if len(self.keys) == 0:
            return np.zeros(len(values), np.int64), np.zeros(len(values), bool)
        code = np.minimum(np.searchsorted(self.values, values), len(self.values) - 1)
        wanted = groups * len(self.values) + code
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return at, (self.keys[at] == wanted) & (self.values[code] == values)

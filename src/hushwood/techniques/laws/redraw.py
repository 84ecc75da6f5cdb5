"""Categorical values redrawn from a distribution per group: the law behind PPT, ALPT, CAPT, RC and PRAM.

In group g a value v becomes w with probability Q_g(w) (redraw), or stays with 1 - c_g and becomes another value w with
c_g · Q_g(w) / (1 - Q_g(v)) (change); c may also differ from value to value. The distributions are sparse: a hundred
thousand categories in a thousand groups cost only the cells that occur. A missing value is a value like any other, the
code after the last category. Transition matrices, given or made from a probability of change, become such a law too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.errors import InputError
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.formats.matrix_file import NamedRows
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, missing_values
from hushwood.techniques.laws.forms import Form, MatrixForm, RedrawForm
from hushwood.techniques.laws.groupings import (
    ClusterGroups,
    Groups,
    OwnValue,
    by_segment,
    coded,
    groups_within,
    whole_table,
)
from hushwood.techniques.protocol import Columns, Law, Within

Others = Literal["equal", "frequency"]
# Most entries, over all segments, of a matrix that is written out: 2,000 categories in one table.
MOST_ENTRIES = 4_000_000
_ROUNDING = 1e-9


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


def checked_probability(name: str, value: float) -> float:
    """The value itself, if it lies between 0 and 1."""
    if not 0 <= value <= 1:
        raise InputError(f"{name} must be between 0 and 1; {value:g} was given.")
    return value


def shares_within(original: Table, attribute: str, segments: Segments, within: Within) -> Distributions:
    """The share of every value, missing included, in every segment or in the table."""
    width = len(original.schema[attribute].categories) + 1
    codes = coded(original.columns[attribute], width)
    groups = groups_within(within)(original.columns, segments.ids)
    return Distributions.from_weights(groups, codes, np.ones(len(codes)), width)


def spread(shares: Distributions, others: Others) -> Distributions:
    """The same values, all equally likely or with their own frequencies."""
    if others == "frequency":
        return shares
    group, code = shares.keys // shares.width, shares.keys % shares.width
    return Distributions.from_weights(group, code, np.ones(len(code)), shares.width)


def random_law(original: Table, attribute: str, probability: float, purpose: str) -> RedrawLaw:
    """The law of a column whose values change to any other; missing counts as a value if the column has any."""
    width = len(original.schema[attribute].categories) + 1
    domain = np.arange(width if bool((np.asarray(original.columns[attribute]) < 0).any()) else width - 1)
    drawn = Distributions.from_weights(np.zeros(len(domain), np.int64), domain, np.ones(len(domain)), width)
    return RedrawLaw(attribute, drawn, np.array([probability]), whole_table, purpose)


def named_matrix(attribute: str, rows: NamedRows) -> Floats:
    """A matrix with names, in their order; every row and column must be there, and rows sum to 1."""
    names = list(rows)
    for name, row in rows.items():
        for other in (*row, *names):
            if (other in row) != (other in rows):
                has, lacks = ("column", "row") if other in row else ("row", "column")
                raise InputError(
                    f"The matrix of {attribute!r} has a {has} for {other!r}, but no {lacks}; give both for every value."
                )
        total, least = sum(row.values()), min(row.values())
        if not (abs(total - 1) <= _ROUNDING and least >= 0):
            raise InputError(
                f"The row of {name!r} in the matrix of {attribute!r} sums to {total:.12g}, its smallest entry is "
                f"{least:g}; a row holds probabilities of at least 0 that sum to 1."
            )
    return checked_matrix(attribute, [[row[name] for name in names] for row in rows.values()])


def in_order_of(attribute: Attribute, rows: NamedRows) -> Floats:
    """A matrix with names as one over the categories in order, with missing as the last one if it has a row for it."""
    known = (*attribute.categories, "") if "" in rows else attribute.categories
    lacking = [name for name in known if name not in rows]
    if lacking:
        raise InputError(
            f"The matrix of {attribute.name!r} has no row for {lacking[0]!r}; it needs one for each of the column's "
            f"{len(attribute.categories)} values."
        )
    strange = next((name for name in rows if name not in set(known)), None)
    if strange is not None:
        raise InputError(
            f"The matrix of {attribute.name!r} has a row for {strange!r}, which is not a value of the column; remove "
            "it."
        )
    matrix, place = named_matrix(attribute.name, rows), {name: i for i, name in enumerate(rows)}
    order = [place[name] for name in known]
    return np.asarray(matrix[np.ix_(order, order)])


def checked_matrix(attribute: str, rows: Sequence[Sequence[float]]) -> Floats:
    """The rows as a square matrix of probabilities whose rows sum to exactly 1."""
    try:
        matrix = np.asarray(rows, np.float64)
    except ValueError:
        matrix = np.empty(0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise InputError(
            f"The matrix of {attribute!r} must have as many columns as rows, one for every value."
        )
    total = matrix.sum(axis=1)
    wrong = ~(np.abs(total - 1) <= _ROUNDING) | ~(matrix >= 0).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"Row {row + 1} of the matrix of {attribute!r} sums to {total[row]:.12g}, its smallest entry is "
            f"{matrix[row].min():g}; a row holds probabilities of at least 0 that sum to 1."
        )
    return np.asarray(matrix / total[:, None])


def check_entries(
    attribute: str, entries: int, instead: str = "give a probability of change instead"
) -> None:
    """Refuse a matrix that is too large to be written out, and say what to do."""
    if entries > MOST_ENTRIES:
        raise InputError(
            f"The transition matrices of {attribute!r} would have {entries:,} entries, more than {MOST_ENTRIES:,}; "
            f"{instead}."
        )


def matrix_law(
    original: Table, attribute: str, matrix: Floats, segments: Segments, within: Within, purpose: str
) -> RedrawLaw:
    """The law of a matrix over the categories in order, with missing as the last one if it has a row for it.

    Inside a segment a row is conditioned on values that occur there; if none does, the value stays.
    """
    width = len(original.schema[attribute].categories) + 1
    matrix = _with_missing(attribute, matrix, width)
    group_of = OwnValue(attribute, width, within)
    if within == "table":
        check_entries(attribute, width * width)
        group, code = np.divmod(np.arange(width * width), width)
        weight = matrix.ravel()
    else:
        shares = shares_within(original, attribute, segments, within)
        group, code = _pairs(attribute, shares, segments.count)
        weight = matrix[group % width, code]
        stuck = np.bincount(group, weight, minlength=segments.count * width)[group] == 0
        weight = np.where(stuck, code == group % width, weight)
    drawn = Distributions.from_weights(group, code, weight, width)
    rows = width * (1 if within == "table" else segments.count)
    return RedrawLaw(attribute, drawn, np.full(rows, np.nan), group_of, purpose)


def _with_missing(attribute: str, matrix: Floats, width: int) -> Floats:
    """The matrix with a last row for missing, which stays missing unless the matrix says otherwise."""
    if len(matrix) == width:
        return matrix
    if len(matrix) != width - 1:
        raise InputError(
            f"The matrix of {attribute!r} has {len(matrix)} rows; it needs {width - 1}, one for every category, "
            f"or {width} with missing as the last."
        )
    whole = np.zeros((width, width))
    whole[:-1, :-1] = matrix
    whole[-1, -1] = 1.0
    return whole


def _pairs(attribute: str, shares: Distributions, segments: int) -> tuple[Integers, Integers]:
    """All pairs of values that occur in the same segment: the row of the first, the code of the second."""
    width = shares.width
    segment, code = shares.keys // width, shares.keys % width
    held = np.bincount(segment, minlength=segments)
    check_entries(attribute, max(int((held**2).sum()), segments * width))
    first = np.concatenate([[0], np.cumsum(held)[:-1]])
    row = np.repeat(shares.keys, held[segment])
    begin = np.concatenate([[0], np.cumsum(held[segment])[:-1]])
    within_row = np.arange(len(row)) - np.repeat(begin, held[segment])
    return row, code[np.repeat(first[segment], held[segment]) + within_row]


def certain_log_prob(wanted: Array, given: Array) -> Floats:
    """0 for the only value that can be released, -inf for all others."""
    given = np.asarray(given)
    same = (wanted == given) | (missing_values(wanted) & missing_values(given))
    return np.where(same, 0.0, -np.inf)

"""PRAM, IPRAM and RC: every value moves by a known Markov matrix, the post-randomisation method.

Gouweleeuw et al. (1998). The matrix is given, or made from a probability of change; `laws.redraw` has the law. What a
miner can reconstruct is in `reconstruction.frequencies`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.errors import InputError
from hushwood.parameters import SHARE, check_parameters
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.formats.matrix_file import NamedRows
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import Form, MatrixForm
from hushwood.techniques.laws.groupings import Groups, by_segment, coded, groups_within
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.promises import AVERAGE_COUNTS, ESTIMATED_COUNTS, NOTHING, Promise, redrawn
from hushwood.techniques.laws.redraw import (
    Distributions,
    Others,
    RedrawLaw,
    checked_matrix,
    in_order_of,
    matrix_law,
    named_matrix,
    random_law,
    shares_within,
    spread,
)
from hushwood.techniques.protocol import Columns, Law, LearntOn, Target, Technique, Within

Construction = Literal["two-stage", "direct"]


@dataclass(frozen=True, slots=True)
class Pram(Technique):
    """PRAM: change by a `matrix` per column; a column without one changes with one `probability`.

    A matrix has a row for every category in order, or names them: old value -> new value -> probability. The other
    values are then equally likely, or in proportion to their frequency. Rows always sum to 1 (errata C2).
    """

    matrix: Mapping[str, Sequence[Sequence[float]] | NamedRows] | None = None
    probability: Annotated[float, SHARE] = 0.1
    others: Others = "equal"
    within: Within = "table"
    acronym: ClassVar[str] = "PRAM"
    perturbs: ClassVar[Target] = "categorical"
    trust: ClassVar[str] = ESTIMATED_COUNTS
    options: ClassVar[Mapping[str, str]] = {"probability": "probability", "matrix": "pram_matrix"}

    def __post_init__(self) -> None:
        check_parameters(self)
        for name, rows in (self.matrix or {}).items():
            if isinstance(rows, Mapping):
                named_matrix(name, rows)
            else:
                checked_matrix(name, rows)

    @property
    def promise(self) -> Promise:
        """Inside segments only values that occur there are drawn; a matrix for the table may also blank values."""
        if self.matrix and self.within == "table":
            return Promise("any", "inside", "table")
        return redrawn("held" if self.keeps_segment else "inside", self.within)

    def says(self) -> str:
        how = (
            "by the matrix given for its column"
            if self.matrix
            else f"with probability {self.probability:.0%}"
        )
        which = "that occurs in its segment" if self.keeps_segment else "of the column"
        return f"Changed {how} to another value {which}."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Count the values where their frequencies are needed."""
        for name in self.matrix or {}:
            attribute = original.schema[name]
            if attribute.kind != "categorical" or attribute not in original.schema.inputs:
                what = (
                    f"its role is {attribute.role}" if attribute.kind == "categorical" else "it holds numbers"
                )
                raise InputError(f"PRAM does not change column {name!r}: {what}. Omit its matrix.")
        return by_column(attributes, lambda name: self._law(original, name, segments))

    def _law(self, original: Table, name: str, segments: Segments) -> RedrawLaw:
        if self.matrix and name in self.matrix:
            rows = self.matrix[name]
            if isinstance(rows, Mapping):
                matrix = in_order_of(original.schema[name], rows)
            else:
                matrix = checked_matrix(name, rows)
            return matrix_law(original, name, matrix, segments, self.within, self.acronym)
        if self.within == "table" and self.others == "equal":
            return random_law(original, name, self.probability, self.acronym)
        drawn = spread(shares_within(original, name, segments, self.within), self.others)
        change = np.full(segments.count if self.within == "segment" else 1, self.probability)
        return RedrawLaw(name, drawn, change, groups_within(self.within), self.acronym)


@dataclass(frozen=True, slots=True)
class InvariantPram(Technique):
    """IPRAM: a matrix P that keeps the expected frequencies, πP = π, in the table or inside every segment.

    Two-stage: to the `others` with `probability` and back, for a share `blend` of the records. Direct: the rarest value
    changes with probability `theta`, and any other in inverse proportion to its frequency.
    """

    construction: Construction = "two-stage"
    probability: Annotated[float, SHARE] = 0.1
    others: Others = "equal"
    blend: Annotated[float, SHARE] = 1.0
    theta: Annotated[float, SHARE] = 1.0
    within: Within = "table"
    acronym: ClassVar[str] = "IPRAM"
    perturbs: ClassVar[Target] = "categorical"
    trust: ClassVar[str] = AVERAGE_COUNTS
    options: ClassVar[Mapping[str, str]] = {"probability": "probability"}

    @property
    def promise(self) -> Promise:
        """Only values that occur in the segment or in the table are drawn."""
        return redrawn("held", self.within)

    def says(self) -> str:
        where = "its segment" if self.keeps_segment else "the column"
        return f"Changed at random so that the frequencies of the values in {where} are kept on average."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Count the values of the table or of every segment."""
        return by_column(attributes, lambda name: self._law(original, name, segments))

    def _law(self, original: Table, name: str, segments: Segments) -> Law:
        shares = shares_within(original, name, segments, self.within)
        group_of = groups_within(self.within)
        if self.construction == "direct":
            change = self.theta * _rarest(shares) / shares.probability
            return RedrawLaw(name, spread(shares, "equal"), change, group_of, self.acronym, by_value=True)
        towards = spread(shares, self.others)
        return two_stage_law(name, shares, towards, self.probability, self.blend, group_of, self.acronym)


def _rarest(shares: Distributions) -> Floats:
    """The smallest share in the group of every cell."""
    group = shares.keys // shares.width
    smallest = np.ones(int(group.max(initial=0)) + 1)
    np.minimum.at(smallest, group, shares.probability)
    return np.asarray(smallest[group])


@dataclass(frozen=True, slots=True)
class RandomCategorical(Technique):
    """RC: every value changes with one probability to any other of the domain; the control (thesis 7.3)."""

    probability: Annotated[float, SHARE] = 0.1
    acronym: ClassVar[str] = "RC"
    perturbs: ClassVar[Target] = "categorical"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = NOTHING
    options: ClassVar[Mapping[str, str]] = {"probability": "probability"}
    promise: ClassVar[Promise] = redrawn("inside", "table")

    def says(self) -> str:
        return f"Changed with probability {self.probability:.0%} to any other value, regardless of the rules."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """The domain is all that is needed."""
        return by_column(attributes, lambda name: random_law(original, name, self.probability, self.acronym))


@dataclass(frozen=True, slots=True)
class TwoStageLaw(Law):
    """A change followed by a change back, R, blended with the identity.

    With shares π and P_kl = u_k q_l for k ≠ l (q: where changed values go), the second stage is Q_lk = P_kl π_k / λ_l
    with λ = πP, and R = P Q keeps π. `forth` and `back` are the two stages, `terms` what R is computed from: everything
    is stored as numbers per value; no matrix is ever written out.
    """

    attribute: str
    shares: Distributions
    forth: RedrawLaw
    back: RedrawLaw
    blend: float
    terms: TwoStageTerms
    group_of: Groups

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Log probability of every change of value; a value that does not occur in its group stays."""
        groups, width = self.group_of(original, segment_ids), self.shares.width
        v, w = coded(original[self.attribute], width), coded(released[self.attribute], width)
        i, held = self.shares.place(groups, v)
        j, possible = self.shares.place(groups, w)
        same = v == w
        moved = np.where(possible, self.shares.probability[j] * self.terms.sums(i, j, same), 0.0)
        chance = np.where(held, self.blend * np.minimum(moved, 1.0) + (1 - self.blend) * same, same)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(chance))

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Each stage has a keyed number of its own; a third decides which records take part."""
        values = np.asarray(original[self.attribute])
        away = self.forth.sample(original, segment_ids, row_ids, streams)
        returned = self.back.sample({**original, **away}, segment_ids, row_ids, streams)[self.attribute]
        if self.blend < 1:
            goes = streams.uniform(self.forth.purpose, self.attribute, 1, row_ids) < self.blend
            returned = np.where(goes, returned, values)
        return {self.attribute: returned}

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        inside = self.group_of is by_segment
        held = self.shares if inside else None
        return {self.attribute: MatrixForm(self, self.attribute, self.shares.width, inside, held)}

    def described(self) -> dict[str, Any]:
        return {
            "form": "two transition matrices per group, one after the other",
            "attribute": self.attribute,
            "blend": self.blend,
            "stages": [self.forth.described(), self.back.described()],
        }


@dataclass(frozen=True, slots=True)
class TwoStageTerms:
    """What Σ_l P_il P_jl / λ_l is computed from, per cell: P's diagonal, u, λ and q.

    The sum over all other values, Σ q_l² / λ_l, is kept without the group's largest term (`top`), which could swallow
    the others.
    """

    stay: Floats
    push: Floats
    arriving: Floats
    towards: Floats
    top: Flags
    top_term: Floats
    rest: Floats

    @classmethod
    def of(
        cls, group: Integers, stay: Floats, push: Floats, arriving: Floats, towards: Floats
    ) -> TwoStageTerms:
        """From the numbers of every cell; groups are ascending."""
        term = towards**2 / arriving
        top = _largest(group, term)
        of_top, of_others = (np.bincount(group, np.where(mine, term, 0.0)) for mine in (top, ~top))
        sums = (np.asarray(total, np.float64)[group] for total in (of_top, of_others))
        return cls(stay, push, arriving, towards, top, *sums)

    def sums(self, i: Integers, j: Integers, same: Flags) -> Floats:
        """Σ_l P_il P_jl / λ_l for cells i and j of the same group."""
        term = np.where(self.top, 0.0, self.towards**2 / self.arriving)
        others = self.rest[i] - term[i] - np.where(same, 0.0, term[j])
        others = np.maximum(others, 0.0) + np.where(self.top[i] | self.top[j], 0.0, self.top_term[i])
        direct = self.stay[i] ** 2 / self.arriving[i]
        through = self.stay[i] * self.push[j] * self.towards[i] / self.arriving[i]
        through = through + self.stay[j] * self.push[i] * self.towards[j] / self.arriving[j]
        return np.asarray(np.where(same, direct, through) + self.push[i] * self.push[j] * others)


def two_stage_law(
    attribute: str,
    shares: Distributions,
    towards: Distributions,
    probability: float,
    blend: float,
    group_of: Groups,
    purpose: str,
) -> TwoStageLaw:
    """The law of P: change with one probability to the others, as `towards` says (over the values of `shares`)."""
    group = shares.keys // shares.width
    pi, q = shares.probability, towards.probability
    alone = q >= 1
    change = np.where(alone, 0.0, probability)
    room = np.where(alone, 1.0, _sum_of_others(group, q))
    u = change / room
    from_others = q * _sum_of_others(group, pi * u)
    arriving = pi * (1 - change) + from_others
    back_to = Distributions.from_weights(group, shares.keys % shares.width, pi / room, shares.width)
    forth = RedrawLaw(attribute, towards, change, group_of, purpose, by_value=True)
    back = RedrawLaw(attribute, back_to, from_others / arriving, group_of, f"{purpose} back", by_value=True)
    terms = TwoStageTerms.of(group, 1 - change, u, arriving, q)
    return TwoStageLaw(attribute, shares, forth, back, blend, terms, group_of)


def _largest(group: Integers, values: Floats) -> Flags:
    """Marks one cell with the largest value in every group."""
    order = np.lexsort((-values, group))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    marks = np.zeros(len(group), bool)
    marks[order[first]] = True
    return marks


def _sum_of_others(group: Integers, values: Floats) -> Floats:
    """The sum over the other cells of the group; the largest is left out instead of subtracted, to keep all digits."""
    top = _largest(group, values)
    total, rest = np.bincount(group, values), np.bincount(group, np.where(top, 0.0, values))
    return np.asarray(np.where(top, rest[group], total[group] - values), np.float64)

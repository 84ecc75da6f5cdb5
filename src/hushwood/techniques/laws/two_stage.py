"""A change of value followed by one that restores the expected frequencies: the law of two-stage invariant PRAM.

With shares π and P_kl = u_k q_l for k ≠ l (q: where changed values go), the second stage is Q_lk = P_kl π_k / λ_l with
λ = πP, and R = P Q keeps π. Everything is stored as numbers per value; no matrix is ever written out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form, MatrixForm
from hushwood.techniques.laws.groupings import Groups, by_segment, coded
from hushwood.techniques.laws.redraw import Distributions, RedrawLaw
from hushwood.techniques.protocol import Columns, Law


@dataclass(frozen=True, slots=True)
class TwoStageLaw(Law):
    """R blended with the identity; `forth` and `back` are the two stages, `terms` what R is computed from."""

    attribute: str
    shares: Distributions
    forth: RedrawLaw
    back: RedrawLaw
    blend: float
    terms: Terms
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
class Terms:
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
    def of(cls, group: Integers, stay: Floats, push: Floats, arriving: Floats, towards: Floats) -> Terms:
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
    terms = Terms.of(group, 1 - change, u, arriving, q)
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

"""RANKSWAP: numbers that are near each other in rank change places (Moore 1996).

A column is sorted, and from the lowest rank on every rank that was not yet swapped takes a random partner among the
free ranks up to p % of all ranks above it. Every value stays in the column, or in the segment, and moves only a little.
The walk itself is in `kernels.rank_swap`, the probabilities of its outcomes in `kernels.rank_chances`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.parameters import AtLeast, Between
from hushwood.random_streams import Rows, Streams, group_order
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blur import Blur, said_blur
from hushwood.techniques.blurring.blurred_law import BlurredLaw
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.groupings import Groups, by_segment, groups_within
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.order_statistics import HeldRanks
from hushwood.techniques.laws.promises import INSIDE, Promise, exact_or_blurred
from hushwood.techniques.protocol import Columns, Law, Target, Technique, Within


@dataclass(frozen=True, slots=True)
class RankSwap(Technique):
    """Swap values whose ranks differ by at most `percent` of the ranks, in the table or inside every segment.

    Rare numbers then move by at most `blur` places in the sorted column; 0 hands out all as they are.
    """

    percent: Annotated[float, Between(0, 100, open_low=True)] = 5.0
    within: Within = "table"
    blur: Annotated[int, AtLeast(0)] = 0
    acronym: ClassVar[str] = "RANKSWAP"
    perturbs: ClassVar[Target] = "numeric"
    options: ClassVar[Mapping[str, str]] = {"blur": "blur"}

    @property
    def trust(self) -> str:
        return (
            f"Do not rely on single values. {exact_or_blurred(self.blur)}; each value moved by a limited share of the "
            "ranks."
        )

    @property
    def promise(self) -> Promise:
        """Numbers change places, and missing ones keep theirs; or numbers stay in the domain."""
        return INSIDE if self.blur else Promise(values="dealt", within=self.within)

    def says(self) -> str:
        where = "of the same segment" if self.within == "segment" else "of the table"
        kept = f". {said_blur(self.blur)}" if self.blur else ", so the column keeps all its values."
        return (
            f"Exchanged with a value at most {self.percent:g} % of the ranks away among the records {where}, if there "
            f"are enough of them{kept}"
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Note which values the table, or every segment, holds."""
        group_of = groups_within(self.within)
        groups = group_of(original.columns, segments.ids)

        def law_of(name: str) -> Law:
            held = HeldRanks.of(original.columns[name], groups)
            law = RankSwapLaw(name, self.percent, group_of, held, self.acronym)
            blur = self._blur(name, original, segments)
            return law if blur is None else BlurredLaw(law, name, blur)

        return by_column(attributes, law_of)

    def _blur(self, name: str, original: Table, segments: Segments) -> Blur | None:
        """The blur of a column inside its boxes; None for one without any numbers."""
        if name not in segments.intervals:
            return None
        inside = segments.intervals[name]
        if self.within == "table":
            inside = domain_intervals(original.schema[name], segments.count)
        return Blur.of(original, [name], [inside], self.blur, self.acronym)


def windows(sizes: Array, percent: float) -> Integers:
    """How many ranks away a partner may be: the percentage of the number of ranks, rounded down.

    >>> windows(np.array([19, 20, 100]), 5.0).tolist()
    [0, 1, 5]
    """
    # 18.4 % of 375 is 68.99999999999999 in floating point.
    return np.floor(np.round(sizes * percent / 100, 9)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class RankSwapLaw(Law):
    """Values of one column exchanged by rank; a missing number stays missing."""

    attribute: str
    percent: float
    group_of: Groups
    held: HeldRanks
    purpose: str
    dependent: ClassVar[bool] = True

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Marginal law of one record, any of those with its value: probabilities, of the values that are there.

        Exact for windows of up to eight ranks, else as if the free ranks were taken independently of each other:
        within 0.04 (total variation) of the exact law of every record. -inf is never released.
        """
        groups = self.group_of(original, segment_ids)
        x = np.asarray(original[self.attribute], np.float64)
        y = np.asarray(released[self.attribute], np.float64)
        (source, is_held), (goal, can_be) = self.held.place(groups, x), self.held.place(groups, y)
        out = np.where(np.isnan(x) & np.isnan(y), 0.0, -np.inf)
        asked = np.flatnonzero(is_held & can_be)
        with np.errstate(divide="ignore"):
            out[asked] = np.log(self._chances(source[asked], goal[asked]))
        return out

    def _chances(self, source: Integers, goal: Integers) -> Floats:
        """The chance of every cell to become another one; equal questions are answered once."""
        from hushwood.techniques.kernels.ranks import value_chances

        pairs, place = np.unique(source * len(self.held.keys) + goal, return_inverse=True)
        source, goal = pairs // len(self.held.keys), pairs % len(self.held.keys)
        size = self.held.sizes[self.held.keys[source] // len(self.held.values)]
        order = np.argsort(size, kind="stable")
        size, source, goal = size[order], source[order], goal[order]
        first, end = self.held.first, self.held.first + self.held.count
        chances = np.empty(len(pairs))
        chances[order] = value_chances(
            size, windows(size, self.percent), first[source], end[source], first[goal], end[goal]
        )
        return np.asarray(np.clip(chances, 0.0, 1.0)[place])

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Sort every group, ties by row, and walk; the number of the row at a rank chooses its partner."""
        from hushwood.techniques.kernels.ranks import swapped_ranks

        values = np.asarray(original[self.attribute], np.float64)
        known = np.flatnonzero(~np.isnan(values))
        groups = self.group_of(original, segment_ids)[known]
        by_value = np.argsort(values[known], kind="stable")
        row = known[by_value[group_order(groups[by_value])]]
        sizes = np.bincount(groups)
        start = np.concatenate([[0], np.cumsum(sizes)])
        u = streams.uniform(self.purpose, self.attribute, 0, row_ids)
        partner = swapped_ranks(start, windows(sizes, self.percent), u[row])
        out = values.copy()
        out[row] = values[row[partner]]
        return {self.attribute: out}

    def holders(self, released: Columns, segment_ids: Array) -> Integers:
        """How many records hold each released value; 1 if none is known to."""
        at, there = self.held.place(
            self.group_of(released, segment_ids), np.asarray(released[self.attribute], float)
        )
        return np.where(there, np.append(self.held.count, 1)[np.where(there, at, -1)], 1)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Asked about in pairs; values change places."""
        within: Within = "segment" if self.group_of is by_segment else "table"
        return {self.attribute: PairForm(self, (self.attribute,), within=within, holders=self.holders)}

    def described(self) -> dict[str, Any]:
        """How far a value may go; the values are those of the table."""
        within = "segments" if self.group_of is by_segment else "the table"
        return {"form": f"rank swap within {within}", "attribute": self.attribute, "percent": self.percent}

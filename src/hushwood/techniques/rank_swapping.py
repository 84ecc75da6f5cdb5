"""RANKSWAP: numbers that are near each other in rank change places (Moore 1996; algorithms 5).

A column is sorted, and from the lowest rank on every rank that was not yet swapped takes a random partner among the
free ranks up to p % of all ranks above it. Every value stays in the column, or in the segment, and moves only a little.
The walk itself is in `rank_swap_kernels`, the chances of its outcomes in `rank_chance_kernels`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.random_streams import Rows, Streams, group_order
from hushwood.segments.segments import Segments
from hushwood.tables.coding import dense_codes
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.promises import Promise
from hushwood.techniques.protocol import Columns, Target, Within
from hushwood.techniques.redraw import Groups, by_segment
from hushwood.techniques.transition import checked_choice, groups_within

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankSwap:
    """Swap values whose ranks differ by at most `percent` of the ranks, in the table or inside every segment."""

    percent: float = 5.0
    within: Within = "table"
    acronym: ClassVar[str] = "RANKSWAP"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0 < self.percent <= 100:
            raise InputError(
                f"The percent of ranks must be above 0 and at most 100; {self.percent:g} was given."
            )
        checked_choice(self.acronym, "within", self.within, get_args(Within))

    @property
    def keeps_segment(self) -> bool:
        """Values that stay among the records of a segment stay in its box."""
        return self.within == "segment"

    @property
    def promise(self) -> Promise:
        """Numbers change places, and missing ones keep theirs."""
        return Promise(values="dealt", within=self.within)

    def says(self) -> str:
        """One sentence for reports."""
        where = "of the same segment" if self.within == "segment" else "of the table"
        return (
            f"Exchanged with a value at most {self.percent:g} % of the ranks away among the records {where}, if "
            "there are enough of them for that, so every value of the column stays."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Note which values the table, or every segment, holds."""
        group_of = groups_within(self.within)
        laws = [
            RankSwapLaw(
                name,
                self.percent,
                group_of,
                Held.of(original.columns[name], group_of(original.columns, segments.ids)),
                self.acronym,
            )
            for name in attributes
        ]
        return LawPerturber(tuple(attributes), JointLaw(tuple(laws)))


def windows(sizes: NDArray[Any], percent: float) -> Integers:
    """How many ranks away a partner may be: the percentage of so many ranks, rounded down.

    >>> windows(np.array([19, 20, 100]), 5.0).tolist()
    [0, 1, 5]
    """
    # 18.4 % of 375 is 68.99999999999999 in floating point.
    return np.floor(np.round(sizes * percent / 100, 9)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Held:
    """The ranks of every distinct value in every group: value v of group g is the cell of g · len(values) + v."""

    values: Floats
    keys: Integers
    first: Integers
    count: Integers
    sizes: Integers

    @classmethod
    def of(cls, column: NDArray[Any], groups: Integers) -> Held:
        """Sort the known values of a column."""
        known = ~np.isnan(column)
        values, codes = np.unique(column[known], return_inverse=True)
        keys, place = dense_codes(groups[known] * len(values) + codes)
        count = np.bincount(place, minlength=len(keys))
        group = keys // max(len(values), 1)
        before = np.cumsum(count) - count
        sizes = np.bincount(group, count, minlength=int(groups.max(initial=0)) + 1).astype(np.int64)
        return cls(values, keys, before - (np.cumsum(sizes) - sizes)[group], count, sizes)

    def place(self, groups: Integers, values: Floats) -> tuple[Integers, NDArray[np.bool_]]:
        """The cell of every value of a group, and whether there is one."""
        if len(self.keys) == 0:
            return np.zeros(len(values), np.int64), np.zeros(len(values), bool)
        code = np.minimum(np.searchsorted(self.values, values), len(self.values) - 1)
        wanted = groups * len(self.values) + code
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return at, (self.keys[at] == wanted) & (self.values[code] == values)


@dataclass(frozen=True, slots=True)
class RankSwapLaw:
    """Values of one column exchanged by rank; a missing number stays missing."""

    attribute: str
    percent: float
    group_of: Groups
    held: Held
    purpose: str
    dependent: bool = True

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Floats:
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
        from hushwood.techniques.rank_chance_kernels import value_chances

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

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """Sort every group, ties by row, and walk; the number of the row at a rank chooses its partner."""
        from hushwood.techniques.rank_swap_kernels import swapped_ranks

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

    def described(self) -> dict[str, Any]:
        """How far a value may go; the values are those of the table."""
        within = "segments" if self.group_of is by_segment else "the table"
        return {"form": f"rank swap within {within}", "attribute": self.attribute, "percent": self.percent}

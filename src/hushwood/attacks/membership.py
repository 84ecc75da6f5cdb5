"""Membership: whether a person was in the table.

The intruder knows all attributes of the targets and has a reference sample: people of the same population who are
neither in the table nor among the targets. Distance to the nearest released record alone is known to miss real risk
(Yao and others, "The DCR Delusion", 2025), so several ways are tried and the most successful counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.attacks.protocol import Attack, Knowledge, MemberGuesses
from hushwood.attacks.search.members import (
    class_certainty,
    crowding,
    likeness,
    nearness,
    pairs_found,
    values_found,
    why_not,
)
from hushwood.detail_tables import DetailTable
from hushwood.parameters import Between, Checked, OneOf
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

Score = Callable[[Knowledge, Table, Streams], Floats]
NEAREST, CLASS_LOSS = "nearest record", "class loss"
WAYS: Mapping[str, Score] = {
    NEAREST: nearness,
    "unique values": values_found,
    "rare pairs": pairs_found,
    "density ratio, 1 neighbour": partial(crowding, k=1),
    "density ratio, 5 neighbours": partial(crowding, k=5),
    "classifier": likeness,
    CLASS_LOSS: class_certainty,
}


@dataclass(frozen=True, slots=True)
class Membership(Attack, Checked):
    """The share `members` of the targets with the highest scores is said to be in the table; ties by chance.

    `members` is also the share of the targets who are, as the intruder is taken to know (El Emam and others 2022: it
    should match the share of the population that is in the table).
    """

    by: Annotated[str, OneOf(tuple(WAYS))] = NEAREST
    members: Annotated[float, Between(0, 1, open_low=True, open_high=True)] = 0.5

    name = "membership"
    title = "Membership"
    question = "Does the release reveal who was in the table?"
    goal = "member"
    family = "membership"
    headline = 4
    settings = ("members",)

    def variants(self) -> tuple[Membership, ...]:
        """Every way to score the targets."""
        return tuple(replace(self, by=way) for way in WAYS)

    def plain_variants(self) -> tuple[Membership, ...]:
        """The nearest record finds everyone in an untouched table, and nobody in pure noise; the others take longer."""
        return (replace(self, by=NEAREST),)

    def refuses(self, knowledge: Knowledge, released: Table) -> str | None:
        """Why this way cannot be tried."""
        if self.by == CLASS_LOSS:
            return why_not(knowledge, released)
        if self.by != NEAREST and not any(len(values) for values in knowledge.reference.values()):
            return "There are no people for a reference sample."
        return None

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> MemberGuesses:
        """Members are those with the highest scores."""
        score = WAYS[self.by](knowledge, released, streams)
        by_chance = streams.words(self.name, "ties", 0, range(knowledge.count))
        return self._named(np.lexsort((by_chance, -score)), score)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> MemberGuesses:
        """As many targets as the intruder expects, drawn at random."""
        order = streams.order(self.name, "naive", range(knowledge.count))
        return self._named(order, np.zeros(knowledge.count))

    def remarks(self, details: Mapping[str, Any]) -> str:
        """How far the strongest way gets."""
        if "advantage" not in details:
            return ""
        way = details.get("strongest", {}).get("by", NEAREST)
        low, high = details["advantage_interval"]
        return (
            f"Strongest way: {way}. It names {_percent(details['true_positive_rate'])} of the members and "
            f"{_percent(details['false_positive_rate'])} of the others, an advantage of "
            f"{100 * details['advantage']:.1f} points (interval {100 * low:.1f} to {100 * high:.1f}). At 1 % false "
            f"alarms it finds {_percent(details['found_at_1_percent'])} of the members; guessing would find 1 %."
        )

    def tables(self, details: Mapping[str, Any]) -> tuple[DetailTable, ...]:
        """All ways that were tried."""
        ways = sorted(details.get("variants", ()), key=lambda way: -way["success"])
        if not ways or "advantage" not in ways[0]:
            return ()
        keys = ("by", "success", "advantage", "area_under_curve", "found_at_1_percent")
        return (
            DetailTable.of(
                "Ways to find out who was in the table",
                "The advantage is the share of members that are named less the share of others, in percentage points. "
                "The area is the chance that a member scores above one of the others: 50 % is guessing. The last "
                "column is the share of members found while 1 % of the others are mistaken for members.",
                {
                    "Way": "text",
                    "right": "share",
                    "advantage": "points",
                    "area": "share",
                    "found at 1 % false alarms": "share",
                },
                (tuple(way[key] for key in keys) for way in ways),
            ),
        )

    def _named(self, order: Integers, score: Floats) -> MemberGuesses:
        member = np.zeros(len(order), bool)
        member[order[: int(self.members * len(order) + 1e-9)]] = True
        return MemberGuesses(member, score)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0") + " %"

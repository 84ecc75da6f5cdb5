"""Membership, by a list of candidates: which of the people on a list were in the table.

The intruder has a list (of those invited, employed or registered), two thirds of whom are in the table, knows all
attributes of everybody on it, how the release was made, and the published tree; where a release publishes none, a tree
is grown on it. No single way to score the candidates always wins (Synth-MIA 2025), so all of these are tried;
policies limit what one learner makes of all of them (`judging.shadows`), trained on other releases of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import numpy as np

from hushwood.arrays import Floats
from hushwood.attacks.protocol import Attack, Guesses, Knowledge, MemberGuesses
from hushwood.attacks.search.candidates import Candidates
from hushwood.attacks.search.members import why_not
from hushwood.detail_tables import DetailTable
from hushwood.parameters import Between, Checked, OneOf
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

Score = Callable[[Candidates], Floats]
LEAF, NEAREST, CLASS_LOSS = "leaf", "nearest record", "class loss"
WAYS: Mapping[str, Score] = {
    LEAF: lambda given: given.leaf_scores[0],
    "leaf likelihood": lambda given: given.leaf_scores[1],
    "values": Candidates.value_trace,
    "pairs": Candidates.pair_trace,
    "value counts": Candidates.values_seen,
    "pair counts": Candidates.pairs_seen,
    "exact numbers": Candidates.numbers_seen,
    NEAREST: partial(Candidates.nearness, k=1),
    "5 nearest records": partial(Candidates.nearness, k=5),
    "25 nearest records": partial(Candidates.nearness, k=25),
    "density": lambda given: given.densities[0],
    "density ratio": lambda given: given.densities[0] - given.densities[1],
    "local likelihood": lambda given: given.densities[2],
    CLASS_LOSS: Candidates.class_certainty,
}


@dataclass(frozen=True, slots=True)
class ListMembership(Attack, Checked):
    """The share `members` of the candidates with the highest scores is said to be in the table; ties by chance."""

    by: Annotated[str, OneOf(tuple(WAYS))] = LEAF
    members: Annotated[float, Between(0, 1, open_low=True, open_high=True)] = 2 / 3

    name = "list_membership"
    title = "List membership"
    question = "Does the release reveal which people of a list were in the table?"
    goal = "member"
    family = "membership"
    headline = 4
    quick = True
    listed = True
    settings = ("members",)

    def variants(self) -> tuple[ListMembership, ...]:
        """Every way to score the candidates."""
        return tuple(replace(self, by=way) for way in WAYS)

    def plain_variants(self) -> tuple[ListMembership, ...]:
        """The nearest record finds everyone in an untouched table, and nobody in pure noise; the others take longer."""
        return (replace(self, by=NEAREST),)

    def refuses(self, knowledge: Knowledge, released: Table) -> str | None:
        """Why this way cannot be tried."""
        return why_not(knowledge, released) if self.by == CLASS_LOSS else None

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> MemberGuesses:
        """Members are those with the highest scores."""
        return self._named(WAYS[self.by](Candidates(knowledge, released, streams)), streams)

    def all_guesses(
        self, variants: Sequence[Attack], knowledge: Knowledge, released: Table, streams: Streams
    ) -> list[Guesses]:
        """All ways at once: they look at the same counts and distances."""
        given = Candidates(knowledge, released, streams)
        ways = [one for one in variants if isinstance(one, ListMembership)]
        return [one._named(WAYS[one.by](given), streams) for one in ways]

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> MemberGuesses:
        """As many candidates as the intruder expects, drawn at random."""
        return self._named(np.zeros(knowledge.count), streams)

    def remarks(self, details: Mapping[str, Any]) -> str:
        """How far the strongest way gets, and what all of them together find of the worst-off."""
        if "advantage" not in details:
            return ""
        low, high = details["advantage_interval"]
        return (
            f"The list makes this intruder strong; Membership is without it. Strongest single way on one release: "
            f"{details.get('strongest', {}).get('by', self.by)}, an advantage of {100 * details['advantage']:.1f} "
            f"points (interval {100 * low:.1f} to {100 * high:.1f}).{_together(details.get('further', {}))}"
        )

    def tables(self, details: Mapping[str, Any]) -> tuple[DetailTable, ...]:
        """All ways that were tried."""
        ways = sorted(details.get("variants", ()), key=lambda way: -way["success"])
        if not ways or "advantage" not in ways[0]:
            return ()
        keys = ("by", "success", "advantage", "area_under_curve", "found_at_1_percent")
        return (
            DetailTable.of(
                "Ways to find out which people of a list were in the table",
                "Each by itself, on one release. The advantage is the share of members that are named less the share "
                "of others, in percentage points. The area is the chance that a member scores above one of the "
                "others: 50 % is guessing. The last column is the share of members found while 1 % of the others are "
                "mistaken for members.",
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

    def _named(self, score: Floats, streams: Streams) -> MemberGuesses:
        by_chance = streams.words(self.name, "ties", 0, range(len(score)))
        member = np.zeros(len(score), bool)
        order = np.lexsort((by_chance, -score))
        member[order[: int(self.members * len(score) + 1e-9)]] = True
        return MemberGuesses(member, score)


def _together(further: Mapping[str, Sequence[float]]) -> str:
    """What one learner makes of all ways: of everybody at 1 % and 10 % false alarms, and of the worst-off."""
    if not further:
        return ""
    found = {name: f"{100 * value:.1f}" for name, (value, _, _) in further.items()}
    said = (
        f" All ways together find {found['at_1_percent']} % of the members at 1 % false alarms and "
        f"{found['at_10_percent']} % at 10 %; guessing would find 1 % and 10 %."
    )
    if "worst_off_advantage" not in found:
        return said
    return (
        f"{said} Of the worst-off 5 %, who are alone in a category or farthest from all others, they find "
        f"{found['worst_off_at_1_percent']} % and {found['worst_off_at_10_percent']} %, an advantage of "
        f"{found['worst_off_advantage']} points."
    )

"""Linkability: two sources about the same people are joined through the release (algorithms 7).

`linkage` looks for a person's own released row instead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from hushwood.attacks.draws import different_draws
from hushwood.attacks.guesses import PartGuesses
from hushwood.attacks.linkage import nearest_known
from hushwood.attacks.protocol import Goal, Knowledge
from hushwood.random_streams import Streams
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class Linkability:
    """Two parts belong together if their `neighbours` nearest released rows have one in common."""

    neighbours: int = 1

    name: ClassVar[str] = "linkability"
    question: ClassVar[str] = "Can two sources about the same people be joined through the release?"
    goal: ClassVar[Goal] = "parts"

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> PartGuesses:
        """The released rows nearest to each first part and to each second part.

        Equally near rows come in another order for either part: if both took the first of them, a release that
        tells nobody apart would seem to join everybody.
        """
        second = replace(knowledge, columns=knowledge.other)
        other_order = Streams(streams.derive(self.name, "second parts", 0))
        return PartGuesses(
            nearest_known(knowledge, released, streams, "range", self.neighbours).rows,
            nearest_known(second, released, other_order, "range", self.neighbours).rows,
        )

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> PartGuesses:
        """Random released rows for both parts."""
        people = range(knowledge.count)
        return PartGuesses(
            different_draws(released.rows, self.neighbours, people, streams, "naive first parts"),
            different_draws(released.rows, self.neighbours, people, streams, "naive second parts"),
        )

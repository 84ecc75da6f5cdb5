"""Linkability: two sources about the same people are joined through the release (docs/attacks.md)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hushwood.attacks.protocol import Attack, Knowledge, PartGuesses
from hushwood.attacks.search.released_rows import different_draws, nearest_known
from hushwood.random_streams import Streams
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class Linkability(Attack):
    """Two parts belong together if their `neighbours` nearest released rows have one in common."""

    neighbours: int = 1

    name = "linkability"
    title = "Joining two sources"
    question = "Can two sources about the same people be joined through the release?"
    goal = "parts"
    family = "linkability"
    headline = 5

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> PartGuesses:
        """The released rows nearest to each first part and to each second part.

        Ties are broken in a different order for either part: with the same order, a release in which all people look
        alike would seem to join them all.
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

"""Nearest-record linkage: a target is linked with the nearest released record in the known attributes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hushwood.attacks.protocol import Attack, Knowledge, RowGuesses
from hushwood.attacks.search.released_rows import SCALINGS, any_row, nearest_known
from hushwood.distances.coding import Scaling
from hushwood.random_streams import Streams
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class Linkage(Attack):
    """The nearest released record by the mean distance of the known attributes.

    Numbers are scaled by their range, or replaced by their ranks. The intruder cannot know which of the two links more,
    so both are tried, and the more successful one counts. Ties are broken by the key, so that each of t equally near
    records has the chance 1/t.
    """

    name = "linkage"
    title = "Nearest-record linkage"
    question = "How often is the released record nearest to a person that person's own?"
    goal = "row"
    family = "linkage"
    headline = 1
    quick = True
    scaling: Scaling = "range"

    def variants(self) -> tuple[Linkage, ...]:
        """One attacker for each way to scale numbers."""
        return tuple(replace(self, scaling=scaling) for scaling in SCALINGS)

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """The nearest released row of every target."""
        return RowGuesses(nearest_known(knowledge, released, streams, self.scaling).rows[:, 0])

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """A released row drawn blindly for every target."""
        return any_row(knowledge.count, released, streams)

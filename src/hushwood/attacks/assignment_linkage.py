"""Linkage in which every released record is linked with one target only, so that targets compete for it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hushwood.attacks.protocol import Attack, Knowledge, RowGuesses
from hushwood.attacks.search.released_rows import SCALINGS, any_row, assign, nearest_known
from hushwood.distances.coding import Scaling
from hushwood.random_streams import Streams
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class AssignmentLinkage(Attack):
    """The one-to-one assignment with the smallest sum of distances (the Hungarian problem).

    Each target may get one of its nearest `candidates`; that is enough unless more targets than that have the
    same nearest records.
    """

    name = "assignment_linkage"
    title = "One-to-one linkage"
    question = (
        "How often is a person found by matching all targets with released records at once, one to one?"
    )
    goal = "row"
    family = "linkage"
    headline = 1
    scaling: Scaling = "range"
    candidates: int = 50

    def variants(self) -> tuple[AssignmentLinkage, ...]:
        """One attacker for each way to scale numbers."""
        return tuple(replace(self, scaling=scaling) for scaling in SCALINGS)

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """The released row that the assignment gives every target."""
        near = nearest_known(knowledge, released, streams, self.scaling, self.candidates)
        return RowGuesses(assign(near.rows, near.distance))

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """A released row drawn blindly for every target."""
        return any_row(knowledge.count, released, streams)

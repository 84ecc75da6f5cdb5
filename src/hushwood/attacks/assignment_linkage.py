"""Linkage that gives every released record to one target only, so that near misses settle each other.

`linkage` takes the nearest record for each target on its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from hushwood.attacks.guesses import RowGuesses
from hushwood.attacks.linkage import SCALINGS, any_row, nearest_known
from hushwood.attacks.one_to_one import assign
from hushwood.attacks.protocol import Goal, Knowledge
from hushwood.distances.coding import Scaling
from hushwood.random_streams import Streams
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class AssignmentLinkage:
    """The one-to-one assignment with the smallest sum of distances (the Hungarian problem).

    Each target may get one of its nearest `candidates`; that many are enough, unless more targets than that crowd
    around the same records.
    """

    name: ClassVar[str] = "assignment_linkage"
    question: ClassVar[str] = (
        "How often is a person found when all targets are matched with released records at once, one to one?"
    )
    goal: ClassVar[Goal] = "row"
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

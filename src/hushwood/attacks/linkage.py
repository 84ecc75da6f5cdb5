"""Nearest-record linkage: a target is taken for the released record that is nearest in what is known.

`assignment_linkage` gives each released record away only once, `probabilistic_linkage` weighs the attributes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from hushwood.attacks.guesses import RowGuesses
from hushwood.attacks.protocol import Goal, Knowledge
from hushwood.distances.coding import Scaling, code_pair
from hushwood.distances.nearest import Nearest, nearest
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

SCALINGS: tuple[Scaling, ...] = ("range", "rank")


@dataclass(frozen=True, slots=True)
class Linkage:
    """The nearest released record by the mean distance of the known attributes.

    Numbers are scaled by their range, or replaced by their ranks. Which of the two links more the intruder cannot
    tell without the truth, so both are tried and the worse for the release counts. Equally near records are
    chosen among by the key, which gives each of t the chance 1/t.
    """

    name: ClassVar[str] = "linkage"
    question: ClassVar[str] = "How often is the released record nearest to a person that person's own?"
    goal: ClassVar[Goal] = "row"
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


def nearest_known(
    knowledge: Knowledge, released: Table, streams: Streams, scaling: Scaling, k: int = 1
) -> Nearest:
    """The k released rows that are nearest to every target in the known attributes, ties by the key."""
    targets, records = code_pair(
        knowledge.columns, released.columns, released.schema, tuple(knowledge.columns), scaling=scaling
    )
    words = streams.words("linkage", "ties", 0, range(released.rows))
    return nearest(targets, records, k, words=words, threads=knowledge.threads)


def any_row(count: int, released: Table, streams: Streams) -> RowGuesses:
    """A released row for each of so many targets, drawn by the key."""
    drawn = streams.uniform("linkage", "naive", 0, range(count)) * released.rows
    return RowGuesses(np.minimum(drawn.astype(np.int64), released.rows - 1))

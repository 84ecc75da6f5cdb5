"""Linkage of the most unusual people: an average over all people can hide that the unusual ones are found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from hushwood.arrays import Integers
from hushwood.attacks.protocol import Attack, Knowledge, RowGuesses
from hushwood.attacks.search.outliers import outlyingness
from hushwood.attacks.search.released_rows import SCALINGS, any_row, nearest_known
from hushwood.distances.coding import Scaling
from hushwood.random_streams import Streams
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class OutlierLinkage(Attack):
    """Nearest-record linkage of only those targets that are farthest from the others.

    These are chosen by what is known about the targets, so they are the same people for every release.
    """

    name = "outlier_linkage"
    title = "Linkage of unusual people"
    question = "How often is the released record nearest to one of the most unusual people that person's own?"
    goal = "row"
    family = "linkage"
    headline = 1
    scaling: Scaling = "range"
    picks: float = 0.05

    def variants(self) -> tuple[OutlierLinkage, ...]:
        """One attacker for each way to scale numbers."""
        return tuple(replace(self, scaling=scaling) for scaling in SCALINGS)

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """The nearest released row of every unusual target, no guess for the rest."""
        chosen = most_outlying(knowledge, self.picks)
        columns = {name: values[chosen] for name, values in knowledge.columns.items()}
        known = replace(knowledge, count=len(chosen), columns=columns)
        rows = np.full(knowledge.count, -1, np.int64)
        rows[chosen] = nearest_known(known, released, streams, self.scaling).rows[:, 0]
        return RowGuesses(rows)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """A released row drawn blindly for every target."""
        return any_row(knowledge.count, released, streams)


def most_outlying(knowledge: Knowledge, share: float) -> Integers:
    """The share of targets that are farthest from their nearest neighbours, at least one, ties by order."""
    count = ceil(share * knowledge.count)
    order: Integers = np.argsort(-outlyingness(knowledge), kind="stable")
    return order[:count]

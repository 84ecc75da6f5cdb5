"""Linkage of the people who stand out: an average over everybody can hide that the rare ones are found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import ClassVar

import numpy as np

from hushwood.attacks.guesses import Floats, RowGuesses, Rows
from hushwood.attacks.linkage import SCALINGS, any_row, nearest_known
from hushwood.attacks.protocol import Goal, Knowledge
from hushwood.distances.coding import Scaling, code_pair
from hushwood.distances.nearest import nearest
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

NEIGHBOURS = 10
COMPARED = 5_000  # people whom each is compared with to see who stands out


@dataclass(frozen=True, slots=True)
class OutlierLinkage:
    """Nearest-record linkage of the targets that are farthest from the others, and of no one else.

    Who stands out is judged by what is known of the targets alone, so it is the same people whatever the release.
    """

    name: ClassVar[str] = "outlier_linkage"
    question: ClassVar[str] = (
        "How often is the released record nearest to one of the most unusual people that person's own?"
    )
    goal: ClassVar[Goal] = "row"
    scaling: Scaling = "range"
    picks: float = 0.05

    def variants(self) -> tuple[OutlierLinkage, ...]:
        """One attacker for each way to scale numbers."""
        return tuple(replace(self, scaling=scaling) for scaling in SCALINGS)

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """The nearest released row of every target that stands out, no guess for the rest."""
        chosen = most_outlying(knowledge, self.picks)
        columns = {name: values[chosen] for name, values in knowledge.columns.items()}
        known = replace(knowledge, count=len(chosen), columns=columns)
        rows = np.full(knowledge.count, -1, np.int64)
        rows[chosen] = nearest_known(known, released, streams, self.scaling).rows[:, 0]
        return RowGuesses(rows)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """A released row drawn blindly for every target."""
        return any_row(knowledge.count, released, streams)


def most_outlying(knowledge: Knowledge, share: float) -> Rows:
    """The share of targets that are farthest from their nearest fellows, at least one, ties by order."""
    count = ceil(share * knowledge.count)
    order: Rows = np.argsort(-outlyingness(knowledge), kind="stable")
    return order[:count]


def outlyingness(knowledge: Knowledge) -> Floats:
    """Mean range-scaled distance of every target to its nearest among the first targets, itself left out."""
    fellows = {name: values[:COMPARED] for name, values in knowledge.columns.items()}
    everybody, some = code_pair(knowledge.columns, fellows, knowledge.schema, tuple(knowledge.columns))
    distance = nearest(everybody, some, NEIGHBOURS + 1, threads=knowledge.threads).distance.astype(np.float64)
    if distance.shape[1] < 2:
        return np.zeros(knowledge.count)
    # Those among the fellows are their own nearest, at distance 0.
    inside = np.arange(knowledge.count) < some.rows
    return np.asarray(np.where(inside, distance[:, 1:].mean(axis=1), distance[:, :-1].mean(axis=1)))

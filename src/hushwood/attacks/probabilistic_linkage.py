"""Probabilistic linkage (Fellegi-Sunter): agreement counts by how much likelier it is for one person than for two."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hushwood.attacks.protocol import Attack, Knowledge, RowGuesses
from hushwood.attacks.search.fellegi_sunter import (
    cheapest_rows,
    compare,
    learn,
    pattern_counts,
    pattern_scores,
)
from hushwood.attacks.search.released_rows import any_row, assign
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

NEARNESS = (0.05, 0.25)
LEARNT_FROM = 300  # targets; the probabilities hardly change with more


@dataclass(frozen=True, slots=True)
class ProbabilisticLinkage(Attack):
    """The one-to-one assignment with the largest sum of log-likelihood ratios among the best candidates.

    Numbers agree within `near` standard deviations. A small number suits a release with little noise, a large one
    a release with much; both are tried, and the more successful one counts.
    """

    name = "probabilistic_linkage"
    title = "Probabilistic linkage"
    question = (
        "How often is a person found by weighing the attributes in which a released record agrees with what is "
        "known?"
    )
    goal = "row"
    family = "linkage"
    headline = 1
    near: float = NEARNESS[0]
    candidates: int = 50

    def variants(self) -> tuple[ProbabilisticLinkage, ...]:
        """One attacker for each nearness."""
        return tuple(replace(self, near=near) for near in NEARNESS)

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """The released row that every target is linked with."""
        compared = compare(knowledge, released, self.near)
        counts = pattern_counts(compared, LEARNT_FROM, knowledge.threads)
        scores = pattern_scores(learn(counts, compared.attributes))
        cost = (scores.max() - scores).astype(np.float32)
        words = streams.words("probabilistic linkage", "ties", 0, range(released.rows))
        return RowGuesses(assign(*cheapest_rows(compared, cost, words, self.candidates, knowledge.threads)))

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> RowGuesses:
        """A released row drawn blindly for every target."""
        return any_row(knowledge.count, released, streams)

"""Probabilistic linkage (Fellegi-Sunter): agreement counts by how much likelier it is for one person than for two.

`linkage` gives every attribute the same say. The model is in `fellegi_sunter`, the pairs are in `agreements`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from hushwood.attacks.agreements import cheapest_rows, compare, pattern_counts
from hushwood.attacks.fellegi_sunter import learn, pattern_scores
from hushwood.attacks.guesses import RowGuesses
from hushwood.attacks.linkage import any_row
from hushwood.attacks.one_to_one import assign
from hushwood.attacks.protocol import Goal, Knowledge
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

NEARNESS = (0.05, 0.25)
LEARNT_FROM = 300  # targets; the probabilities hardly change with more


@dataclass(frozen=True, slots=True)
class ProbabilisticLinkage:
    """The one-to-one assignment with the largest sum of log-likelihood ratios among the best candidates.

    Numbers agree within `near` standard deviations. A small number suits a release with little noise, a large one
    a release with much; both are tried, and the worse for the release counts.
    """

    name: ClassVar[str] = "probabilistic_linkage"
    question: ClassVar[str] = (
        "How often is a person found by weighing in which attributes a released record agrees with what is known?"
    )
    goal: ClassVar[Goal] = "row"
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

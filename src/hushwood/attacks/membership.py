"""Membership: whether somebody was in the table, told from how near the nearest released row is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.attacks.guesses import MemberGuesses
from hushwood.attacks.linkage import nearest_known
from hushwood.attacks.protocol import Goal, Knowledge
from hushwood.random_streams import Streams
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class Membership:
    """The nearer half of the targets is said to be in the table; equally near ones are told apart by chance."""

    name: ClassVar[str] = "membership"
    question: ClassVar[str] = "Does the release tell who was in the table?"
    goal: ClassVar[Goal] = "member"

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> MemberGuesses:
        """Members are those nearer than the median; the nearer, the surer."""
        distance = nearest_known(knowledge, released, streams, "range").distance[:, 0].astype(np.float64)
        by_chance = streams.words(self.name, "ties", 0, range(knowledge.count))
        nearer = np.lexsort((by_chance, distance))[: knowledge.count // 2]
        member = np.zeros(knowledge.count, bool)
        member[nearer] = True
        return MemberGuesses(member, -distance)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> MemberGuesses:
        """Everybody is said to be in the table: right for the half who were, like a coin that never errs by luck."""
        return MemberGuesses(np.ones(knowledge.count, bool), np.zeros(knowledge.count))

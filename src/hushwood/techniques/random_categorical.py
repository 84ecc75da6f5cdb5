"""RC: every value changes with one probability to any other value of the domain; the control (thesis 7.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from hushwood.parameters import SHARE
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.promises import Promise, redrawn
from hushwood.techniques.laws.transition import random_law
from hushwood.techniques.laws.trust import NOTHING
from hushwood.techniques.protocol import LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class RandomCategorical(Technique):
    """With one probability another value of the domain, all equally likely."""

    probability: Annotated[float, SHARE] = 0.1
    acronym: ClassVar[str] = "RC"
    perturbs: ClassVar[Target] = "categorical"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = NOTHING
    options: ClassVar[Mapping[str, str]] = {"probability": "probability"}
    promise: ClassVar[Promise] = redrawn("inside", "table")

    def says(self) -> str:
        return f"Changed with probability {self.probability:.0%} to any other value, regardless of the rules."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """The domain is all that is needed."""
        return by_column(attributes, lambda name: random_law(original, name, self.probability, self.acronym))

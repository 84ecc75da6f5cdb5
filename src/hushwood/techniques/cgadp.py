"""C-GADP: numbers drawn anew with the marginals they had and ranks that go together as before (2002).

GADP on normal scores: a record's new scores are normal with the correlations of the original scores, and each is
turned into the value at that place of its column's distribution (Sarathy, Muralidhar and Parsa; algorithms 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, get_args

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.by_record import ByRecord
from hushwood.techniques.copula_law import copula_law
from hushwood.techniques.fallbacks import GroupPerturber
from hushwood.techniques.learnt_groups import LearntGroup
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target, Within
from hushwood.techniques.security import checked_rho, said_rho
from hushwood.techniques.transition import checked_choice


@dataclass(frozen=True, slots=True)
class Cgadp:
    """A normal copula with the columns' own distributions; fields as in GADP."""

    rho: float = 0.0
    within: Within = "table"
    given: tuple[str, ...] | None = None
    alone: NoiseParameters | None = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "CGADP"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def __post_init__(self) -> None:
        checked_rho(self.rho)
        checked_choice(self.acronym, "within", self.within, get_args(Within))

    @property
    def keeps_segment(self) -> bool:
        """Inside segments a number lies between those of its own segment."""
        return self.within == "segment"

    def says(self) -> str:
        """One sentence for reports."""
        where = "segment" if self.within == "segment" else "whole table"
        return (
            f"Drawn anew from the values between the smallest and the largest of the {where}, as often as they "
            f"are there, so that large values still meet large values of other columns{said_rho(self.rho)}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the distributions and the correlations of scores of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given, by_ranks=True)
        law = copula_law(learnt, self.rho, self.acronym)
        return learnt.perturber(ByRecord(law, 2 + learnt.given.columns), self.acronym, self.alone)

"""C-GADP: numbers redrawn with the marginals they had and correlated ranks as before (2002).

GADP on normal scores: a record's new scores are normal with the correlations of the original scores, and each becomes
the value at that place of its column's distribution (Sarathy, Muralidhar and Parsa).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.copula_law import copula_law
from hushwood.techniques.together.group_perturber import GroupPerturber, RecordDraws
from hushwood.techniques.together.joint_technique import JointTechnique, Rho, said_rho
from hushwood.techniques.together.learnt_groups import LearntGroup


@dataclass(frozen=True, slots=True)
class Cgadp(JointTechnique):
    """A normal copula with the columns' own distributions; `rho` as in GADP."""

    rho: Rho = 0.0
    acronym: ClassVar[str] = "CGADP"
    trust: ClassVar[str] = (
        "Do not rely on single values. Frequencies of values and rank correlations are right on average."
    )

    def says(self) -> str:
        where = "segment" if self.within == "segment" else "whole table"
        return (
            f"Redrawn between the smallest and the largest value of the {where}, with the frequencies found there and "
            f"so that large values still meet large values of other columns{said_rho(self.rho)}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the distributions and the correlations of scores of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given, by_ranks=True)
        law = copula_law(learnt, self.rho, self.acronym)
        return learnt.perturber(
            RecordDraws(law, 2 + learnt.given.columns), self.acronym, self.alone, blur=self.blur
        )

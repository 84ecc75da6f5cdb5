"""RPT: the class values of a leaf are permuted among its records, so that totals stay the same (thesis 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber
from hushwood.techniques.laws.permutation import permuted_columns
from hushwood.techniques.laws.promises import Promise, dealt
from hushwood.techniques.laws.trust import EXACT_COUNTS
from hushwood.techniques.protocol import LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Rpt(Technique):
    """A random permutation of the class within every segment."""

    acronym: ClassVar[str] = "RPT"
    perturbs: ClassVar[Target] = "class"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = EXACT_COUNTS
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = dealt("segment")

    def says(self) -> str:
        return "Permuted among the records of the same segment, so every segment keeps its class counts."

    def says_for(self, attribute: Attribute) -> str:
        """Numbers, and columns that trees predict where there is no class, have no class counts."""
        if attribute.role == "class" and attribute.kind == "categorical":
            return self.says()
        return (
            "Permuted among the records of the same segment, so every segment keeps the counts of its values."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Nothing to learn: the values are the segment's own."""
        return permuted_columns(original, attributes, segments, self.acronym)

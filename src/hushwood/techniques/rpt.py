"""RPT: the class values of a leaf are dealt out anew among its records, so that totals stay (thesis 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.permutation import permutation_law
from hushwood.techniques.promises import Promise, dealt
from hushwood.techniques.protocol import Target


@dataclass(frozen=True, slots=True)
class Rpt:
    """A random permutation of the class within every segment."""

    acronym: ClassVar[str] = "RPT"
    perturbs: ClassVar[Target] = "class"
    jointly: ClassVar[bool] = False
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = dealt("segment")

    def says(self) -> str:
        """One sentence for reports."""
        return (
            "Dealt out anew among the records of the same segment, so every segment keeps its class counts."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Nothing to learn: the values are the segment's own."""
        laws = [permutation_law(original, name, segments, self.acronym) for name in attributes]
        return LawPerturber(tuple(attributes), JointLaw(tuple(laws)))

"""SWAP: categorical attributes are permuted within their segment (Forest Framework, step 5).

Each attribute by itself, as printed, or all of a record as one (`joint`), which keeps what goes together (errata G10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.joint_permutation import JointPermutationLaw
from hushwood.techniques.laws.permutation import permuted_columns
from hushwood.techniques.laws.promises import Promise, dealt
from hushwood.techniques.laws.trust import EXACT_COUNTS
from hushwood.techniques.protocol import LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Swap(Technique):
    """A random permutation of a categorical column within every segment; `joint`: one for all columns."""

    joint: bool = False
    acronym: ClassVar[str] = "SWAP"
    perturbs: ClassVar[Target] = "categorical"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = EXACT_COUNTS
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = dealt("segment")

    @property
    def jointly(self) -> bool:
        """One permutation for all columns needs all columns."""
        return self.joint

    def says(self) -> str:
        how = " together with the record's other categories" if self.joint else ""
        return f"Permuted{how} among the records of the same segment, so every segment keeps the counts of its values."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Nothing to learn: the values are the segment's own."""
        if self.joint:
            law = JointPermutationLaw.of(original, attributes, segments, self.acronym)
            return LawPerturber(tuple(attributes), JointLaw((law,)))
        return permuted_columns(original, attributes, segments, self.acronym)

"""LINFAPT: noise on leaf influential numeric attributes, inside the sub-domain that the rules describe (thesis 5.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.laws.trust import WITHIN_RANGE
from hushwood.techniques.protocol import Target, Technique


@dataclass(frozen=True, slots=True)
class Linfapt(Technique):
    """Noise of a share of the sub-domain's size, in the segments whose rules test the attribute."""

    parameters: NoiseParameters = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "LINFAPT"
    perturbs: ClassVar[Target] = "numeric"
    trust: ClassVar[str] = WITHIN_RANGE
    options: ClassVar[Mapping[str, str]] = {"parameters": "noise"}
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def says(self) -> str:
        return (
            f"Where a record's rules test it, {self.parameters.says()} the range that its rules allow is added; the "
            "result stays in that range."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Scale the noise to every segment's sub-domain."""
        names = tuple(name for name in attributes if name in segments.intervals)
        covered = {name: segments.influential[name] for name in names}
        law = self.parameters.law
        return by_column(
            names, lambda name: law(name, segments.intervals[name], self.acronym, covered[name]), covered
        )

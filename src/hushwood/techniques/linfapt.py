"""LINFAPT: noise on leaf influential numeric attributes, inside the sub-domain that the rules describe (thesis 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target


@dataclass(frozen=True, slots=True)
class Linfapt:
    """Noise of a share of the sub-domain's size, in the segments whose rules test the attribute."""

    parameters: NoiseParameters = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "LINFAPT"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = False
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def says(self) -> str:
        """One sentence for reports."""
        return (
            f"Where a record's rules test it, {self.parameters.says()} the range the rules leave, "
            "and the result stays in that range."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Scale the noise to every segment's sub-domain."""
        names = tuple(name for name in attributes if name in segments.intervals)
        covered = {name: segments.influential[name] for name in names}
        laws = [self.parameters.law(n, segments.intervals[n], self.acronym, covered[n]) for n in names]
        return LawPerturber(names, JointLaw(tuple(laws)), covered)

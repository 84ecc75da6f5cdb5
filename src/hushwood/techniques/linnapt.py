"""LINNAPT: noise on leaf innocent numeric attributes, inside their whole domain (thesis 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target


@dataclass(frozen=True, slots=True)
class Linnapt:
    """Noise of a share of the domain's size, in the segments whose rules do not test the attribute."""

    parameters: NoiseParameters = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "LINNAPT"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = False
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def says(self) -> str:
        """One sentence for reports."""
        return (
            f"Where no rule of a record tests it, {self.parameters.says()} the column's whole range, "
            "and the result stays in that range."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Scale the noise to the whole domain."""
        names = tuple(name for name in attributes if name in segments.intervals)
        covered = {name: ~segments.influential[name] for name in names}
        laws = [
            self.parameters.law(
                n, domain_intervals(original.schema[n], segments.count), self.acronym, covered[n]
            )
            for n in names
        ]
        return LawPerturber(names, JointLaw(tuple(laws)), covered)

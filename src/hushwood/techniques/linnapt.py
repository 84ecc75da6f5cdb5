"""LINNAPT: noise on leaf innocent numeric attributes, inside their whole domain (thesis 5.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.laws.trust import WITHIN_RANGE
from hushwood.techniques.protocol import Target, Technique


@dataclass(frozen=True, slots=True)
class Linnapt(Technique):
    """Noise of a share of the domain's size, in the segments whose rules do not test the attribute."""

    parameters: NoiseParameters = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "LINNAPT"
    perturbs: ClassVar[Target] = "numeric"
    trust: ClassVar[str] = WITHIN_RANGE
    options: ClassVar[Mapping[str, str]] = {"parameters": "noise"}
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def says(self) -> str:
        return (
            f"Where no rule of a record tests it, {self.parameters.says()} the column's whole range is added; the "
            "result stays in that range."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Scale the noise to the whole domain."""
        names = tuple(name for name in attributes if name in segments.intervals)
        covered = {name: ~segments.influential[name] for name in names}

        def law(name: str) -> NoiseLaw:
            domain = domain_intervals(original.schema[name], segments.count)
            return self.parameters.law(name, domain, self.acronym, covered[name])

        return by_column(names, law, covered)

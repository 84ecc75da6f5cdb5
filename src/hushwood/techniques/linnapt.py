"""LINNAPT: noise on leaf innocent numeric attributes, inside their whole domain (thesis 5.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.laws.trust import WITHIN_RANGE
from hushwood.techniques.protocol import LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Linnapt(Technique):
    """Noise of a share of the domain's size, in the segments whose rules do not test the attribute."""

    parameters: NoiseParameters = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "LINNAPT"
    perturbs: ClassVar[Target] = "numeric"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = WITHIN_RANGE
    options: ClassVar[Mapping[str, str]] = {"parameters": "noise_innocent"}
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def says(self) -> str:
        noise, inside = self.parameters, "the column's whole range"
        end = "that range" if noise.of == "range" else inside
        return (
            f"Where no rule of a record tests it, {noise.says(inside)} is added; the result stays in {end}."
        )

    def says_for(self, attribute: Attribute) -> str:
        return replace(self, parameters=self.parameters.for_column(attribute)).says()

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Scale the noise to the whole domain."""
        names = tuple(name for name in attributes if name in segments.intervals)
        covered = {name: ~segments.influential[name] for name in names}

        def law(name: str) -> NoiseLaw:
            domain = domain_intervals(original.schema[name], segments.count)
            parameters = self.parameters.for_column(original.schema[name])
            return parameters.law(name, domain, self.acronym, covered[name])

        return by_column(names, law, covered)

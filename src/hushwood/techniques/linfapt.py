"""LINFAPT: noise on leaf influential numeric attributes, inside the sub-domain that the rules describe (thesis 5.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.laws.trust import WITHIN_RANGE
from hushwood.techniques.protocol import LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Linfapt(Technique):
    """Noise of a share of the sub-domain's size, in the segments whose rules test the attribute."""

    parameters: NoiseParameters = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "LINFAPT"
    perturbs: ClassVar[Target] = "numeric"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = WITHIN_RANGE
    options: ClassVar[Mapping[str, str]] = {"parameters": "noise_influential"}
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def says(self) -> str:
        noise, inside = self.parameters, "the range that its rules allow"
        end = "that range" if noise.of == "range" else inside
        return f"Where a record's rules test it, {noise.says(inside)} is added; the result stays in {end}."

    def says_for(self, attribute: Attribute) -> str:
        return replace(self, parameters=self.parameters.for_column(attribute)).says()

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Scale the noise to every segment's sub-domain."""
        names = tuple(name for name in attributes if name in segments.intervals)
        covered = {name: segments.influential[name] for name in names}

        def law(name: str) -> NoiseLaw:
            parameters = self.parameters.for_column(original.schema[name])
            return parameters.law(name, segments.intervals[name], self.acronym, covered[name])

        return by_column(names, law, covered)

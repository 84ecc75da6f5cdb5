"""LINFAPT, LINNAPT and RNAT: noise on numbers that stays in a sub-domain or in the whole domain (thesis 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.domains import Boundary
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.laws.promises import INSIDE, NOTHING, WITHIN_RANGE, Promise
from hushwood.techniques.protocol import LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Linfapt(Technique):
    """LINFAPT: noise on leaf influential attributes, inside the sub-domain that the rules describe (thesis 5.3).

    Its scale is a share of the sub-domain's size, in the segments whose rules test the attribute.
    """

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


@dataclass(frozen=True, slots=True)
class Linnapt(Technique):
    """LINNAPT: noise on leaf innocent attributes, inside their whole domain (thesis 5.2).

    Its scale is a share of the domain's size, in the segments whose rules do not test the attribute.
    """

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


@dataclass(frozen=True, slots=True)
class Rnat(Technique):
    """RNAT: noise uniform over ±(domain size), wrapped in the domain, regardless of the rules (thesis 5.4, errata B2).

    Over the whole `domain` it redraws a number evenly. As `printed` it ends a step earlier on both sides, and a number
    stays half as often as it becomes any other. It is the control.
    """

    boundary: Boundary = "wrap"
    reach: Literal["domain", "printed"] = "domain"
    acronym: ClassVar[str] = "RNAT"
    perturbs: ClassVar[Target] = "numeric"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = NOTHING
    promise: ClassVar[Promise] = INSIDE

    def says(self) -> str:
        return "Uniform noise over the column's whole range is added, regardless of the rules."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Let the noise reach from one end of the domain to the other."""

        def law(name: str) -> NoiseLaw:
            domain = domain_intervals(original.schema[name], segments.count)
            # Rounded to the D grid points: -D ... D, the ends half as likely, or -(D - 1) ... D - 1, equally likely.
            points = domain.points if self.reach == "domain" else domain.points - 0.5
            reach = points * domain.step
            return NoiseLaw(name, domain, reach, self.boundary, "uniform", self.acronym)

        return by_column((name for name in attributes if name in segments.intervals), law)

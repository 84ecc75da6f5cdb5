"""RNAT: uniform noise over the whole domain, regardless of the rules; the control (thesis 5.4, errata B2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Boundary
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.laws.trust import NOTHING
from hushwood.techniques.protocol import LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Rnat(Technique):
    """Noise uniform over ±(domain size), wrapped in the domain.

    Over the whole `domain` it redraws a number evenly. As `printed` it ends a step earlier on both sides, and a number
    stays half as often as it becomes any other.
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

"""RNAT: uniform noise over the whole domain, without respect for any rule; the control (thesis 5.4, errata B2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Boundary
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.noise import NoiseLaw
from hushwood.techniques.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target


@dataclass(frozen=True, slots=True)
class Rnat:
    """Noise uniform over ±(domain size), wrapped in the domain."""

    boundary: Boundary = "wrap"
    acronym: ClassVar[str] = "RNAT"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = False
    keeps_segment: ClassVar[bool] = False
    promise: ClassVar[Promise] = INSIDE

    def says(self) -> str:
        """One sentence for reports."""
        return "Uniform noise over the column's whole range, without respect for any rule."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Let the noise reach from one end of the domain to the other."""
        laws = []
        for name in (n for n in attributes if n in segments.intervals):
            intervals = domain_intervals(original.schema[name], segments.count)
            # On D grid points the noise is -(D - 1) ... D - 1; half a step more makes them equally likely.
            reach = (intervals.points - 0.5) * intervals.step
            laws.append(
                NoiseLaw(name, intervals, np.maximum(reach, 0.0), self.boundary, "uniform", self.acronym)
            )
        return LawPerturber(tuple(law.attribute for law in laws), JointLaw(tuple(laws)))

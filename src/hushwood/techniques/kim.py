"""KIM: correlated noise, then one linear map that removes the added variance (Kim 1986).

Y = X + e with e ~ N(0, d·Σ), released Z = c·Y + (1 - c)·mean. TENDICK is the same with the c of a large table; here c
may be that of the records at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.noise_technique import NoiseTechnique
from hushwood.techniques.laws.trust import MOMENTS
from hushwood.techniques.together.correlated_noise import Scale, kims_factor, noisy_group, said_of_noise
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.learnt_groups import LearntGroup


@dataclass(frozen=True, slots=True)
class Kim(NoiseTechnique):
    """Noise with `noise` (d) times the covariance, shrunk by one number c for all columns.

    `scale` says which c: "finite", √((n - 1) / (n - 1 + n·d)) of the n records that are perturbed together, or
    "asymptotic", 1 / √(1 + d).
    """

    scale: Scale = "finite"
    acronym: ClassVar[str] = "KIM"
    trust: ClassVar[str] = MOMENTS
    jointly: ClassVar[bool] = True

    def says(self) -> str:
        return said_of_noise(self)

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the moments of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within)
        scale = kims_factor(self.noise, self.scale, learnt)
        return noisy_group(learnt, self.noise, scale, self.acronym, self.bounded)

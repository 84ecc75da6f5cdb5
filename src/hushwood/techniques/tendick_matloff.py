"""TENDICK: correlated noise that keeps means and covariances of a large table (Tendick and Matloff 1994).

X' = mean + (X + e - mean) / √(1 + d) with e ~ N(0, d·Σ). KIM has the same form; its factor may also be the one for
the number of records at hand, which is a little smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.noise_technique import NoiseTechnique
from hushwood.techniques.laws.trust import MOMENTS
from hushwood.techniques.together.correlated_noise import noisy_group, said_of_noise, shrinking
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.learnt_groups import LearntGroup


@dataclass(frozen=True, slots=True)
class TendickMatloff(NoiseTechnique):
    """Noise with `noise` (d) times the covariance, shrunk by 1 / √(1 + d)."""

    acronym: ClassVar[str] = "TENDICK"
    trust: ClassVar[str] = MOMENTS
    jointly: ClassVar[bool] = True

    def says(self) -> str:
        return said_of_noise(self)

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the moments of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within)
        return noisy_group(learnt, self.noise, shrinking(self.noise), self.acronym, self.bounded)

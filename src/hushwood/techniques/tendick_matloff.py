"""TENDICK: correlated noise that keeps means and covariances of a large table (Tendick and Matloff 1994; algorithms 5).

X' = mean + (X + e - mean) / √(1 + d) with e ~ N(0, d·Σ). KIM has the same form; its factor may also be the one for
the number of records at hand, which is a little smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.correlated_noise import noisy_group, shrinking
from hushwood.techniques.fallbacks import GroupPerturber
from hushwood.techniques.kim import said_of_correlated_noise
from hushwood.techniques.learnt_groups import LearntGroup
from hushwood.techniques.noise_level import checked_noise
from hushwood.techniques.promises import Promise, inside_if
from hushwood.techniques.protocol import Target, Within


@dataclass(frozen=True, slots=True)
class TendickMatloff:
    """Noise with `noise` (d) times the covariance, shrunk by 1 / √(1 + d); other fields as in Kim."""

    noise: float = 0.5
    within: Within = "table"
    bounded: bool = True
    acronym: ClassVar[str] = "TENDICK"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_noise(self.noise, "a share of the numbers' covariance")

    @property
    def keeps_segment(self) -> bool:
        """Inside segments the draws are truncated to the segment's box."""
        return self.within == "segment" and self.bounded

    @property
    def promise(self) -> Promise:
        """Numbers stay in the domain unless they are not bounded."""
        return inside_if(self.bounded)

    def says(self) -> str:
        """One sentence for reports."""
        return said_of_correlated_noise(self.noise, self.within, self.bounded)

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the moments of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within)
        return noisy_group(learnt, self.noise, shrinking(self.noise), self.acronym, self.bounded)

"""SADP: independent normal noise on every column, with a share of its variance (simple additive data perturbation).

Y = X + e, e_j ~ N(0, d·s_j²): correlations shrink by 1 / (1 + d) (docs/techniques.md). KIM and TENDICK keep them, TRAUB
chooses d by the error that averages may have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber
from hushwood.techniques.laws.noise_technique import NoiseTechnique
from hushwood.techniques.laws.trust import WEAKER_LINKS
from hushwood.techniques.together.separate_noise import Separate


@dataclass(frozen=True, slots=True)
class Sadp(NoiseTechnique):
    """Noise with `noise` (d) times the variance of the table or segment."""

    acronym: ClassVar[str] = "SADP"
    trust: ClassVar[str] = WEAKER_LINKS

    def says(self) -> str:
        return (
            f"Normal noise with {self.noise:.0%} of the column's variance in {self.said_where} is added, "
            f"{self.said_bounds}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Learn the variances of every column."""
        noise = Separate(self.noise, self.within, self.bounded, self.acronym)
        return noise.by_column(original, attributes, segments)

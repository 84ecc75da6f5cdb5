"""SADP: independent normal noise on every column, with a share of its variance (simple additive data perturbation).

Y = X + e, e_j ~ N(0, d·s_j²): correlations shrink by 1 / (1 + d) (algorithms 5). KIM and TENDICK keep them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.laws.noise_technique import NoiseTechnique
from hushwood.techniques.laws.trust import WEAKER_LINKS
from hushwood.techniques.protocol import Law
from hushwood.techniques.together.correlated_noise import added_noise
from hushwood.techniques.together.learnt_groups import LearntGroup


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

        def law(name: str) -> Law:
            learnt = LearntGroup.of(original, [name], segments, self.within)
            conditional = added_noise(self.noise, learnt.numbers, learnt.cells.known)
            free = learnt.normal_law(conditional, self.acronym, bounded=False)
            return self._inside(free, original, segments) if self.bounded else free

        return by_column((name for name in attributes if name in segments.intervals), law)

    def _inside(self, free: JointNormalLaw, original: Table, segments: Segments) -> NoiseLaw:
        """The same noise, truncated."""
        (name,) = free.attributes
        known = free.cells.known[:, 0]
        scale = np.zeros(segments.count)
        if self.within == "segment":
            scale[free.cells.segment[known]] = free.root[known, 0, 0]
            intervals = segments.intervals[name]
        else:
            scale[:] = free.root[known, 0, 0].max(initial=0.0)
            intervals = domain_intervals(original.schema[name], segments.count)
        intervals = intervals.fitted_to(original.columns[name])
        return NoiseLaw(name, intervals, scale, "truncate", "normal", self.acronym)

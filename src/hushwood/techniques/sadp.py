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
from hushwood.techniques.correlated_noise import added_noise
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.joint_normal import JointNormalLaw
from hushwood.techniques.learnt_groups import LearntGroup
from hushwood.techniques.noise import NoiseLaw
from hushwood.techniques.noise_level import checked_noise, said_bounds, said_where
from hushwood.techniques.promises import Promise, inside_if
from hushwood.techniques.protocol import Law, Target, Within


@dataclass(frozen=True, slots=True)
class Sadp:
    """Noise with `noise` (d) times the variance of the table or segment.

    Numbers that are not `bounded` may leave the domain, as in the papers; else the noise is truncated.
    """

    noise: float = 0.5
    within: Within = "table"
    bounded: bool = True
    acronym: ClassVar[str] = "SADP"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checked_noise(self.noise, "a share of a column's variance")

    @property
    def keeps_segment(self) -> bool:
        """Inside segments the noise is truncated to the segment's box."""
        return self.within == "segment" and self.bounded

    @property
    def promise(self) -> Promise:
        """Numbers stay in the domain unless they are not bounded."""
        return inside_if(self.bounded)

    def says(self) -> str:
        """One sentence for reports."""
        return (
            f"Normal noise with {self.noise:.0%} of the variance that the column has in {said_where(self.within)} "
            f"is added, {said_bounds(self.bounded)}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Learn the variances of every column."""
        names = tuple(name for name in attributes if name in segments.intervals)
        laws: list[Law] = []
        for name in names:
            learnt = LearntGroup.of(original, [name], segments, self.within)
            conditional = added_noise(self.noise, learnt.numbers, learnt.cells.known)
            free = learnt.normal_law(conditional, self.acronym, bounded=False)
            laws.append(self._inside(free, original, segments) if self.bounded else free)
        return LawPerturber(names, JointLaw(tuple(laws)))

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

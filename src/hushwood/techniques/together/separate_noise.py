"""Normal noise on every column by itself, with a share of its variance: what SADP and TRAUB have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.protocol import Law, Within
from hushwood.techniques.together.correlated_noise import added_noise
from hushwood.techniques.together.learnt_groups import LearntGroup


@dataclass(frozen=True, slots=True)
class Separate:
    """Noise with `share` times the variance of the table or the segment, truncated if it is `bounded`."""

    share: float
    within: Within
    bounded: bool
    purpose: str

    def by_column(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """A perturber that has learnt the variances of the named columns."""

        def law(name: str) -> Law:
            learnt = LearntGroup.of(original, [name], segments, self.within)
            conditional = added_noise(self.share, learnt.numbers, learnt.cells.known)
            free = learnt.normal_law(conditional, self.purpose, bounded=False)
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
        return NoiseLaw(name, intervals, scale, "truncate", "normal", self.purpose)

"""KIMWINKLER: every number times a random factor around 1 (Kim and Winkler 2003, their first method; algorithms 5).

Y = X · r, r ~ N(1, s²) cut at 1 ± 2s: E Y = E X. Their second method, noise on logarithms, is LOGNOISE.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.factor_noise import REACH, FactorLaw
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.noise_level import checked_noise, said_bounds
from hushwood.techniques.promises import Promise, inside_if
from hushwood.techniques.protocol import Target, Within

LARGEST_NOISE = 1 / REACH**2  # beyond it a factor could be negative


@dataclass(frozen=True, slots=True)
class KimWinkler:
    """Factors with variance `noise` (s²) before they are cut.

    The factor does not look at other records; `within` says whether the released number stays in its segment's box or
    in the column's domain, if it is `bounded` at all. A zero stays zero, and whole numbers near zero hardly change.
    """

    noise: float = 0.1
    within: Within = "table"
    bounded: bool = True
    acronym: ClassVar[str] = "KIMWINKLER"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checked_noise(self.noise, "the variance of a factor that keeps the sign", LARGEST_NOISE)

    @property
    def keeps_segment(self) -> bool:
        """Inside segments the factor is one that stays in the segment's box."""
        return self.within == "segment" and self.bounded

    @property
    def promise(self) -> Promise:
        """Numbers stay in the domain unless they are not bounded."""
        return inside_if(self.bounded)

    def says(self) -> str:
        """One sentence for reports."""
        far = REACH * float(np.sqrt(self.noise))
        return (
            f"Multiplied with a random factor between {1 - far:.2g} and {1 + far:.2g}, {said_bounds(self.bounded)}; "
            "a zero stays zero."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """The boxes are all that is needed."""
        spread = float(np.sqrt(self.noise))
        names = tuple(name for name in attributes if name in segments.intervals)
        boxes = (
            segments.intervals[name]
            if self.keeps_segment
            else domain_intervals(original.schema[name], segments.count)
            for name in names
        )
        laws = [
            FactorLaw(name, box.fitted_to(original.columns[name]), spread, self.acronym, self.bounded)
            for name, box in zip(names, boxes, strict=True)
        ]
        return LawPerturber(names, JointLaw(tuple(laws)))

"""KIMWINKLER: every number times a random factor around 1 (Kim and Winkler 2003, their first method).

Y = X · r, r ~ N(1, s²) cut at 1 ± 2s: E Y = E X. Their second method, noise on logarithms, is LOGNOISE.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.parameters import Between
from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.factor_noise import REACH, FactorLaw
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.noise_technique import NoiseTechnique
from hushwood.techniques.laws.trust import WEAKER_LINKS

LARGEST_NOISE = 1 / REACH**2  # beyond it a factor could be negative
Variance = Between(0, LARGEST_NOISE, open_low=True, meaning="the variance of a factor that keeps the sign")


@dataclass(frozen=True, slots=True)
class KimWinkler(NoiseTechnique):
    """Factors with variance `noise` (s²) before they are cut.

    The factor does not depend on other records; `within` says whether the released number stays in its segment's box
    or in the column's domain, if it is `bounded` at all. A zero stays zero, and whole numbers near zero hardly change.
    """

    noise: Annotated[float, Variance] = 0.1
    acronym: ClassVar[str] = "KIMWINKLER"
    trust: ClassVar[str] = WEAKER_LINKS

    def says(self) -> str:
        far = REACH * float(np.sqrt(self.noise))
        return (
            f"Multiplied by a random factor between {1 - far:.2g} and {1 + far:.2g}, {self.said_bounds}; a zero stays "
            "zero."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """The boxes are all that is needed."""
        spread = float(np.sqrt(self.noise))

        def law(name: str) -> FactorLaw:
            box = (
                segments.intervals[name]
                if self.keeps_segment
                else domain_intervals(original.schema[name], segments.count)
            )
            return FactorLaw(name, box.fitted_to(original.columns[name]), spread, self.acronym, self.bounded)

        return by_column((name for name in attributes if name in segments.intervals), law)

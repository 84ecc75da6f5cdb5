"""KIM: correlated noise, then one linear map that takes the added variance back (Kim 1986; algorithms 5).

Y = X + e with e ~ N(0, d·Σ), released Z = c·Y + (1 - c)·mean. TENDICK is the same with the c of a large table; here c
may be that of the records at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np

from hushwood.errors import unknown_name
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.correlated_noise import Scale, noisy_group, shrinking
from hushwood.techniques.fallbacks import GroupPerturber
from hushwood.techniques.learnt_groups import LearntGroup
from hushwood.techniques.noise_level import checked_noise, said_bounds
from hushwood.techniques.promises import Promise, inside_if
from hushwood.techniques.protocol import Target, Within
from hushwood.techniques.security import moments_of


@dataclass(frozen=True, slots=True)
class Kim:
    """Noise with `noise` (d) times the covariance, shrunk by one number c for all columns.

    `scale` says which c: "finite", √((n - 1) / (n - 1 + n·d)) of the n records that are perturbed together, or
    "asymptotic", 1 / √(1 + d). Numbers that are not `bounded` may leave the domain, as in the paper.
    """

    noise: float = 0.5
    within: Within = "table"
    bounded: bool = True
    scale: Scale = "finite"
    acronym: ClassVar[str] = "KIM"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_noise(self.noise, "a share of the numbers' covariance")
        if self.scale not in get_args(Scale):
            raise unknown_name("scale", self.scale, get_args(Scale))

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
        sizes = learnt.cells.sizes
        # A record alone has the noise of the whole table, and so its c.
        records = np.where(sizes > 1, sizes, max(original.rows, 2)) if self.scale == "finite" else None
        scale = shrinking(self.noise, records)
        return noisy_group(learnt, self.noise, scale, self.acronym, self.bounded)


def said_of_correlated_noise(noise: float, within: Within, bounded: bool) -> str:
    """What Kim's method and that of Tendick and Matloff do to a number."""
    return (
        f"Noise with {noise:.0%} of the numbers' own variances and covariances is added and the sum drawn back "
        f"towards the mean, so that {moments_of(within)} stay on average, {said_bounds(bounded)}."
    )

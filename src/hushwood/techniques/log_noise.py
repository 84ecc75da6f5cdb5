"""LOGNOISE: correlated normal noise on logarithms (Kim and Winkler 2003, their second method; algorithms 5).

z = ln(x + a), y = exp(z + e - c·s_z²/2) - a with e ~ N(0, c·Σ_z): E y = x. Their first method is KIMWINKLER.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.by_record import ByRecord
from hushwood.techniques.cells import Matrix
from hushwood.techniques.correlated_noise import added_noise
from hushwood.techniques.fallbacks import GroupPerturber
from hushwood.techniques.learnt_groups import LearntGroup
from hushwood.techniques.log_normal import LogNormalLaw, logarithms
from hushwood.techniques.noise_level import checked_noise, said_bounds, said_where
from hushwood.techniques.promises import Promise, inside_if
from hushwood.techniques.protocol import Target, Within


@dataclass(frozen=True, slots=True)
class LogNoise:
    """Noise with `noise` (c) times the covariance of the logarithms of the table or segment.

    Logarithms need numbers above 0: to a column with others a number is added before (and taken off after) that
    brings its smallest one standard deviation above 0. Numbers that are not `bounded` may leave the domain.
    """

    noise: float = 0.1
    within: Within = "table"
    bounded: bool = True
    acronym: ClassVar[str] = "LOGNOISE"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_noise(self.noise, "a share of the covariance of the numbers' logarithms")

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
        return (
            f"Noise with {self.noise:.0%} of the variances and covariances that logarithms have in "
            f"{said_where(self.within)} is added to the number's logarithm, {said_bounds(self.bounded)}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the moments of the logarithms of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within)
        origin = origins(learnt.numbers)
        logs = logarithms(learnt.numbers, origin)
        conditional = added_noise(self.noise, logs, learnt.cells.known)
        law = learnt.normal_law(conditional, self.acronym, self.bounded, logs)
        drift = (law.root**2).sum(axis=2) / 2
        stated = LogNormalLaw(replace(law, shift=law.shift - drift), origin)
        return learnt.perturber(ByRecord(stated, None), self.acronym, None, self.bounded)


def origins(numbers: Matrix) -> Matrix:
    """What is added to every column before its logarithm is taken: 0 if all its numbers are above 0.

    >>> origins(np.array([[1.0, -1.0], [3.0, 3.0]])).tolist()
    [0.0, 3.0]
    """
    found = np.zeros(numbers.shape[1])
    for j, column in enumerate(numbers.T):
        known = column[~np.isnan(column)]
        if len(known) and float(known.min()) <= 0:
            found[j] = (float(known.std()) if np.ptp(known) > 0 else 1.0) - float(known.min())
    return found

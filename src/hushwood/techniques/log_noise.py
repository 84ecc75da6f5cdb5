"""LOGNOISE: correlated normal noise on logarithms (Kim and Winkler 2003, their second method).

z = ln(x + a), y = exp(z + e - c·s_z²/2) - a with e ~ N(0, c·Σ_z): E y = x. Their first method is KIMWINKLER.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Floats
from hushwood.parameters import Above
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.log_normal import LogNormalLaw, logarithms
from hushwood.techniques.laws.noise_technique import NoiseTechnique
from hushwood.techniques.laws.trust import MOMENTS
from hushwood.techniques.together.correlated_noise import added_noise
from hushwood.techniques.together.group_perturber import GroupPerturber, RecordDraws
from hushwood.techniques.together.learnt_groups import LearntGroup


@dataclass(frozen=True, slots=True)
class LogNoise(NoiseTechnique):
    """Noise with `noise` (c) times the covariance of the logarithms of the table or segment.

    Logarithms need numbers above 0: to a column with others a number is added before (and subtracted after) that
    brings its smallest value to one standard deviation above 0.
    """

    noise: Annotated[float, Above(0)] = 0.1
    acronym: ClassVar[str] = "LOGNOISE"
    trust: ClassVar[str] = MOMENTS
    jointly: ClassVar[bool] = True

    def says(self) -> str:
        return (
            f"Noise with {self.noise:.0%} of the variances and covariances of the logarithms in {self.said_where} is "
            f"added to the number's logarithm, {self.said_bounds}."
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
        return learnt.perturber(RecordDraws(stated, None), self.acronym, None, bounded=self.bounded)


def origins(numbers: Floats) -> Floats:
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

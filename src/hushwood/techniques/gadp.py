"""GADP: numbers redrawn from the joint normal law that keeps means, covariances and a wanted security (1999).

Y given the record is normal with mean μ + Σ_YU Σ_UU⁻¹ (u - μ_U) and covariance Σ_XX - Σ_YU Σ_UU⁻¹ Σ_UY, where u is
the record's numbers X and the columns S that it is conditioned on (Muralidhar, Parsa and Sarathy).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.errors import InputError
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.trust import MOMENTS
from hushwood.techniques.together.cells import inverses, products, spreads, without_rounding
from hushwood.techniques.together.group_perturber import GroupPerturber, RecordDraws, enough_records
from hushwood.techniques.together.joint_technique import JointTechnique, Rho, said_rho
from hushwood.techniques.together.learnt_groups import Conditional, LearntGroup, regenerated

SLACK = 1e-8  # of a product of two spreads: what rounding may cost


@dataclass(frozen=True, slots=True)
class Gadp(JointTechnique):
    """Joint normal numbers with the moments of the table or of every segment.

    `rho` is how much of a number's own deviation stays: 0 redraws it entirely, near 1 hides little. `security` may
    instead give any other correlations of released (rows) with original columns.
    """

    rho: Rho = 0.0
    security: tuple[tuple[float, ...], ...] | None = None
    acronym: ClassVar[str] = "GADP"
    trust: ClassVar[str] = MOMENTS

    def says(self) -> str:
        return (
            f"Redrawn from a normal law, together with the other numbers, with {self.moments} as far as the allowed "
            f"range permits{said_rho(self.rho)}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the moments of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given)
        spare = 2 + learnt.given.columns
        if self.security is None:
            conditional = regenerated(self.rho)
        else:
            conditional = secured(self.security, enough_records(learnt.cells, spare))
        law = learnt.normal_law(conditional, self.acronym)
        return learnt.perturber(RecordDraws(law, spare), self.acronym, self.alone, blur=self.blur)


def secured(security: tuple[tuple[float, ...], ...], checked: Flags) -> Conditional:
    """Numbers with a wanted correlation to the original ones, if the joint covariance stays positive semidefinite.

    Only the `checked` cells must allow it.
    """

    def conditional(covariance: Floats, k: int) -> tuple[Floats, Floats]:
        spread, units = spreads(covariance)[:, :k], products(spreads(covariance))[:, :k]
        xx = covariance[:, :k, :k]
        yx = _security_matrix(security, k) * spread[:, :, None] * spread[:, None, :]
        yu = np.concatenate([yx, covariance[:, :k, k:]], axis=2)
        slope = yu @ inverses(covariance)
        rest = xx - slope @ yu.transpose(0, 2, 1)
        rest = (rest + rest.transpose(0, 2, 1)) / 2
        least = np.linalg.eigvalsh(rest / units[:, :, :k]).min(axis=1, initial=0.0)
        missed = (np.abs(slope @ covariance - yu) / units).max(axis=(1, 2), initial=0.0)
        if (checked & ((least < -SLACK) | (missed > SLACK))).any():
            raise InputError(
                "No released numbers can have these correlations with the original ones: the joint covariance "
                "would not be positive semidefinite. Lower the entries of the security matrix, or give rho."
            )
        return slope, without_rounding(rest, xx)

    return conditional


def _security_matrix(given: tuple[tuple[float, ...], ...], k: int) -> Floats:
    if len(given) != k or any(len(row) != k for row in given):
        raise InputError(
            f"The security matrix must have {k} rows of {k} numbers, one for each numeric column."
        )
    wanted = np.array(given, float)
    if not np.isfinite(wanted).all():
        raise InputError(
            "The entries of the security matrix are correlations; a number is missing or infinite."
        )
    return wanted

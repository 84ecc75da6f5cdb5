"""GADP: numbers drawn anew from the joint normal law that keeps means, covariances and a wanted security (1999).

Y given the record is normal with mean μ + Σ_YU Σ_UU⁻¹ (u - μ_U) and covariance Σ_XX - Σ_YU Σ_UU⁻¹ Σ_UY, where u is
the record's numbers X and the columns S that it is conditioned on (Muralidhar, Parsa and Sarathy; algorithms 3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.by_record import ByRecord, enough_records
from hushwood.techniques.cells import Marks
from hushwood.techniques.covariances import Stack, inverses, products, spreads, without_rounding
from hushwood.techniques.fallbacks import GroupPerturber
from hushwood.techniques.learnt_groups import Conditional, LearntGroup, regenerated
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target, Within
from hushwood.techniques.security import checked_rho, moments_of, said_rho
from hushwood.techniques.transition import checked_choice

SLACK = 1e-8  # of a product of two spreads: what rounding may cost


@dataclass(frozen=True, slots=True)
class Gadp:
    """Joint normal numbers with the moments of the table or of every segment.

    `rho` is how much of a number's own deviation stays: 0 draws it anew, near 1 hides little. `security` may give
    any other wanted correlations of released (rows) with original columns instead. `given` are the columns whose
    link to the numbers is kept: None is the class within a table and nothing within segments. `alone` is the noise
    for a record that has its segment to itself; None leaves it as it is.
    """

    rho: float = 0.0
    within: Within = "table"
    given: tuple[str, ...] | None = None
    security: tuple[tuple[float, ...], ...] | None = None
    alone: NoiseParameters | None = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "GADP"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def __post_init__(self) -> None:
        checked_rho(self.rho)
        checked_choice(self.acronym, "within", self.within, get_args(Within))

    @property
    def keeps_segment(self) -> bool:
        """Inside segments the draws are truncated to the segment's box."""
        return self.within == "segment"

    def says(self) -> str:
        """One sentence for reports."""
        return (
            f"Drawn anew from a normal law, together with the other numbers, with {moments_of(self.within)} "
            f"as far as the allowed range has room for them{said_rho(self.rho)}."
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
        return learnt.perturber(ByRecord(law, spare), self.acronym, self.alone)


def secured(security: tuple[tuple[float, ...], ...], checked: Marks) -> Conditional:
    """Numbers with a wanted correlation to the original ones, if the joint covariance stays positive semidefinite.

    Only cells that are `checked` must allow it.
    """

    def conditional(covariance: Stack, k: int) -> tuple[Stack, Stack]:
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


def _security_matrix(given: tuple[tuple[float, ...], ...], k: int) -> NDArray[np.float64]:
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

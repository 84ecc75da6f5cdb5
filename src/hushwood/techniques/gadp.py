"""GADP, C-GADP and EGADP: numbers redrawn together; means and covariances, or marginals and ranks, stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.errors import InputError
from hushwood.random_streams import group_order
from hushwood.segments.segments import Segments
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.table import Table
from hushwood.techniques.laws.copula_law import copula_law
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.promises import EXACT_MOMENTS, MOMENTS
from hushwood.techniques.together.cells import Cells, inverses, products, spreads, without_rounding
from hushwood.techniques.together.fallbacks import KEPT, NOISE, PERMUTATION, ROTATION, SHUFFLE, Fallback
from hushwood.techniques.together.group_perturber import GroupPerturber, RecordDraws, enough_records
from hushwood.techniques.together.group_rows import GroupRows
from hushwood.techniques.together.learnt_groups import (
    Conditional,
    JointTechnique,
    LearntGroup,
    Rho,
    loosened,
    regenerated,
    said_rho,
)

SLACK = 1e-8  # of a product of two spreads: what rounding may cost
FEW_OUTSIDE = 0.05  # share of a cell's records that may be rotated back
TRIES = 8


@dataclass(frozen=True, slots=True)
class Gadp(JointTechnique):
    """GADP: numbers redrawn from the joint normal law that keeps means, covariances and a wanted security (1999).

    Y given the record is normal with mean μ + Σ_YU Σ_UU⁻¹ (u - μ_U) and covariance Σ_XX - Σ_YU Σ_UU⁻¹ Σ_UY, where u is
    the record's numbers X and the columns S that it is conditioned on (Muralidhar, Parsa and Sarathy). The moments are
    those of the table or of every segment. `rho` is how much of a number's own deviation stays: 0 redraws it entirely,
    near 1 hides little. `security` may instead give any other correlations of released (rows) with original columns.
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


@dataclass(frozen=True, slots=True)
class Cgadp(JointTechnique):
    """C-GADP: numbers redrawn with the marginals they had and correlated ranks as before (2002); `rho` as in GADP.

    GADP on normal scores: a record's new scores are normal with the correlations of the original scores, and each
    becomes the value at that place of its column's distribution (Sarathy, Muralidhar and Parsa).
    """

    rho: Rho = 0.0
    acronym: ClassVar[str] = "CGADP"
    trust: ClassVar[str] = (
        "Do not rely on single values. Frequencies of values and rank correlations are right on average."
    )

    def says(self) -> str:
        where = "segment" if self.within == "segment" else "whole table"
        return (
            f"Redrawn between the smallest and the largest value of the {where}, with the frequencies found there and "
            f"so that large values still meet large values of other columns{said_rho(self.rho)}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Learn the distributions and the correlations of scores of every cell."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given, by_ranks=True)
        law = copula_law(learnt, self.rho, self.acronym)
        return learnt.perturber(
            RecordDraws(law, 2 + learnt.given.columns), self.acronym, self.alone, blur=self.blur
        )


@dataclass(frozen=True, slots=True)
class Egadp(JointTechnique):
    """EGADP: numbers redrawn with exactly the sample means and covariances of the original ones (2005).

    The residuals of the numbers on the given columns are replaced by random ones that are orthogonal to them and have
    the same covariances, in the sample and not only on average (Muralidhar and Sarathy). If a few numbers leave their
    box, they are rotated back into it; if many do, the whole segment is rotated instead. Both are exact. `rho` is as in
    GADP.
    """

    rho: Rho = 0.0
    acronym: ClassVar[str] = "EGADP"
    trust: ClassVar[str] = EXACT_MOMENTS

    def says(self) -> str:
        return (
            f"Redrawn together with the other numbers, with {self.moments} kept up to rounding, or rotated where a "
            f"draw would leave its range{said_rho(self.rho)}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Find the cells; the draw itself reads all their records."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given)
        stated = loosened(learnt.normal_law(regenerated(self.rho), self.acronym))
        method = ExactDraws(stated, self.rho, learnt.given.columns, share_outside(learnt) <= FEW_OUTSIDE)
        return learnt.perturber(method, self.acronym, self.alone, blur=self.blur)


@dataclass(frozen=True, slots=True)
class ExactDraws:
    """EGADP; `stated` is the normal law that one record's draw has among many, in cells that are `roomy` enough."""

    stated: JointNormalLaw
    rho: float
    given: int
    roomy: Flags
    by_record: bool = False
    copies: bool = False
    independent: bool = False
    falls_to: tuple[Fallback, ...] = (ROTATION, SHUFFLE, PERMUTATION, NOISE, KEPT)

    def able(self, cells: Cells) -> Flags:
        """New residuals need as many free directions as the old ones take."""
        return np.asarray(cells.sizes >= 2 * cells.known.shape[1] + self.given + 2)

    def claims(self, cells: Cells) -> Flags:
        """Cells whose boxes are wide enough; elsewhere numbers are rotated, and no formula says where to."""
        return self.able(cells) & self.roomy

    def drawn(self, rows: GroupRows, able: Flags) -> tuple[Floats, Flags]:
        """The draw, and the cells in which every number is inside its box."""
        from hushwood.techniques.kernels.orthogonal import exact_draws

        layout = rows.layout
        able = able & self.able(rows.cells)
        sorted_numbers = layout.sorted(rows.numbers)
        out = sorted_numbers.copy()
        design = layout.sorted(rows.given.common_design(rows.columns, rows.cell, rows.cells.sizes))
        normals = layout.sorted(rows.normals())
        exact_draws(sorted_numbers, design, normals, layout.start, able, self.rho, out)
        return rotated_back(rows, layout.back(out), able)


def share_outside(learnt: LearntGroup) -> Floats:
    """The largest share of every cell's numbers that normal draws with its moments put outside its box."""
    from scipy.special import ndtr

    from hushwood.techniques.kernels.numbers import cell_moments

    numbers, cells = learnt.numbers, learnt.cells
    if not learnt.group.names:
        return np.zeros(cells.count)
    mean, covariance = cell_moments(np.where(np.isnan(numbers), 0.0, numbers), learnt.cell, cells.count)
    spread = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    varies = cells.known & (spread > 0)
    scale = np.where(varies, spread, 1.0)
    low, high = (end[cells.segment] for end in learnt.group.room())
    outside = ndtr((low - mean) / scale) + ndtr((mean - high) / scale)
    return np.asarray(np.where(varies, outside, 0.0).max(axis=1, initial=0.0))


def rotated_back(rows: GroupRows, numbers: Floats, chosen: Flags) -> tuple[Floats, Flags]:
    """The numbers, rotated back into the box in chosen cells with few outside, and the cells that end up inside.

    The drawn numbers that left their box are rotated with others of their cell, which keeps means and covariances.
    """
    from hushwood.techniques.kernels.orthogonal import turn_back

    low, high = rows.room()
    outside = _outside(rows, numbers, low, high)
    count = np.bincount(rows.cell[outside], minlength=rows.cells.count)
    # Given numbers would need turns of more than three records at once.
    few = chosen & (count <= FEW_OUTSIDE * rows.cells.sizes) & (not rows.given.numeric)
    outside = outside[few[rows.cell[outside]]]
    if len(outside):
        mates, start = _mates(rows, outside)
        row_ids = rows.ids_of(outside)
        tries = [rows.streams.words(rows.purpose, "turned back", t, row_ids) for t in range(TRIES)]
        box = rows.cell[outside]
        turn_back(numbers, outside, mates, start, low[box], high[box], np.stack(tries))
        left = _outside(rows, numbers, low, high)
        count = np.bincount(rows.cell[left], minlength=rows.cells.count)
    return numbers, chosen & (count == 0)


def _outside(rows: GroupRows, numbers: Floats, low: Floats, high: Floats) -> Integers:
    """The records with a number outside its box."""
    from hushwood.techniques.kernels.orthogonal import rows_outside

    return np.flatnonzero(rows_outside(numbers, rows.cell, low, high))


def _mates(rows: GroupRows, outside: Integers) -> tuple[Integers, Integers]:
    """All records sorted by cell and given categories, and where those like every record outside begin and end."""
    strata = rows.given.strata(rows.columns)
    keys, group = dense_codes(rows.cell * (int(strata.max(initial=0)) + 1) + strata)
    limits = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(keys)))])
    return group_order(group), np.stack([limits[group[outside]], limits[group[outside] + 1]], axis=1)

"""EGADP: numbers redrawn with exactly the sample means and covariances of the original ones (2005).

The residuals of the numbers on the given columns are replaced by random ones that are orthogonal to them and have the
same covariances, in the sample and not only on average (Muralidhar and Sarathy). If a few numbers
leave their box, they are rotated back into it; if many do, the whole segment is rotated instead. Both are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.random_streams import group_order
from hushwood.segments.segments import Segments
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.trust import EXACT_MOMENTS
from hushwood.techniques.together.cells import Cells
from hushwood.techniques.together.fallbacks import KEPT, NOISE, PERMUTATION, ROTATION, SHUFFLE, Way
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.group_rows import GroupRows
from hushwood.techniques.together.joint_technique import JointTechnique, Rho, said_rho
from hushwood.techniques.together.learnt_groups import LearntGroup, loosened, regenerated

FEW_OUTSIDE = 0.05  # share of a cell's records that may be rotated back
TRIES = 8


@dataclass(frozen=True, slots=True)
class Egadp(JointTechnique):
    """Numbers with exactly the moments that they had; `rho` as in GADP."""

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
    falls_to: tuple[Way, ...] = (ROTATION, SHUFFLE, PERMUTATION, NOISE, KEPT)

    def able(self, cells: Cells) -> Flags:
        """New residuals need as many free directions as the old ones take."""
        return np.asarray(cells.sizes >= 2 * cells.known.shape[1] + self.given + 2)

    def claims(self, cells: Cells) -> Flags:
        """Cells whose boxes are wide enough; elsewhere numbers are rotated, and no formula says where to."""
        return self.able(cells) & self.roomy

    def drawn(self, rows: GroupRows, able: Flags) -> tuple[Floats, Flags]:
        """The draw, and the cells in which every number is inside its box."""
        from hushwood.techniques.kernels.frames import exact_draws

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

    from hushwood.techniques.kernels.moments import cell_moments

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
    from hushwood.techniques.kernels.rotation import turn_back

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
    from hushwood.techniques.kernels.rotation import rows_outside

    return np.flatnonzero(rows_outside(numbers, rows.cell, low, high))


def _mates(rows: GroupRows, outside: Integers) -> tuple[Integers, Integers]:
    """All records sorted by cell and given categories, and where those like every record outside begin and end."""
    strata = rows.given.strata(rows.columns)
    keys, group = dense_codes(rows.cell * (int(strata.max(initial=0)) + 1) + strata)
    limits = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(keys)))])
    return group_order(group), np.stack([limits[group[outside]], limits[group[outside] + 1]], axis=1)

"""EGADP: numbers drawn anew with exactly the sample means and covariances of the original ones (2005).

The residuals of the numbers on the given columns are replaced by random ones that are orthogonal to them and have the
same covariances, in the sample and not only on average (Muralidhar and Sarathy; algorithms 3.4). A few numbers that
leave their box are turned back into it; where there are many, the whole segment is rotated instead. Both are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, get_args

import numpy as np

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.cells import Cells, Marks, Matrix
from hushwood.techniques.fallbacks import KEPT, NOISE, PERMUTATION, ROTATION, SHUFFLE, GroupPerturber
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.joint_normal import JointNormalLaw
from hushwood.techniques.learnt_groups import LearntGroup, loosened, regenerated
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target, Within
from hushwood.techniques.security import checked_rho, moments_of, said_rho
from hushwood.techniques.transition import checked_choice
from hushwood.techniques.turning_back import FEW, turned_back


@dataclass(frozen=True, slots=True)
class Egadp:
    """Numbers with exactly the moments that they had; fields as in GADP."""

    rho: float = 0.0
    within: Within = "table"
    given: tuple[str, ...] | None = None
    alone: NoiseParameters | None = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "EGADP"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def __post_init__(self) -> None:
        checked_rho(self.rho)
        checked_choice(self.acronym, "within", self.within, get_args(Within))

    @property
    def keeps_segment(self) -> bool:
        """Inside segments a draw that leaves the box is not taken."""
        return self.within == "segment"

    def says(self) -> str:
        """One sentence for reports."""
        return (
            f"Drawn anew together with the other numbers, with {moments_of(self.within)} kept up to rounding, "
            f"or rotated where a draw would leave its range{said_rho(self.rho)}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Find the cells; the draw itself reads all their records."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given)
        stated = loosened(learnt.normal_law(regenerated(self.rho), self.acronym))
        method = ExactDraws(stated, self.rho, learnt.given.columns, share_outside(learnt) <= FEW)
        return learnt.perturber(method, self.acronym, self.alone)


@dataclass(frozen=True, slots=True)
class ExactDraws:
    """EGADP; `stated` is the normal law that one record's draw has among many, in cells that are `roomy` enough."""

    stated: JointNormalLaw
    rho: float
    given: int
    roomy: Marks
    by_record: bool = False
    copies: bool = False
    independent: bool = False
    falls_to: tuple[int, ...] = (ROTATION, SHUFFLE, PERMUTATION, NOISE, KEPT)

    def able(self, cells: Cells) -> Marks:
        """New residuals need as many free directions again as the old ones take."""
        return np.asarray(cells.sizes >= 2 * cells.known.shape[1] + self.given + 2)

    def claims(self, cells: Cells) -> Marks:
        """Cells whose boxes have room for the draws; elsewhere they are rotated, and no formula tells where to."""
        return self.able(cells) & self.roomy

    def drawn(self, rows: GroupRows, able: Marks) -> tuple[Matrix, Marks]:
        """The draw, and the cells in which every number is inside its box."""
        from hushwood.techniques.frame_kernels import exact_draws

        layout = rows.layout
        able = able & self.able(rows.cells)
        sorted_numbers = layout.sorted(rows.numbers)
        out = sorted_numbers.copy()
        design = layout.sorted(rows.given.common_design(rows.columns, rows.cell, rows.cells.sizes))
        normals = layout.sorted(rows.normals())
        exact_draws(sorted_numbers, design, normals, layout.start, able, self.rho, out)
        return turned_back(rows, layout.back(out), able)


def share_outside(learnt: LearntGroup) -> Matrix:
    """The largest share of every cell's numbers that normal draws with its moments put outside its box."""
    from scipy.special import ndtr

    from hushwood.techniques.moment_kernels import cell_moments

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

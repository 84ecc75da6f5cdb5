"""ROTATION: numbers rotated among the records of a segment; means, covariances and boxes are kept exactly.

Every orthogonal map of the records that fixes the vector of ones (and the given columns) keeps the sample means and
covariances of all columns. Algorithms 3.5 rotates a whole segment by one angle, which a single record at the edge of
its box stops; the many small rotations of `rotation_walk` are not stopped by it, and each is as exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.trust import EXACT_MOMENTS
from hushwood.techniques.together.cells import Cells
from hushwood.techniques.together.fallbacks import KEPT, NOISE, PERMUTATION, SHUFFLE, Way
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.group_rows import GroupRows
from hushwood.techniques.together.joint_technique import JointTechnique
from hushwood.techniques.together.learnt_groups import LearntGroup, loosened, regenerated
from hushwood.techniques.together.rotation_walk import fewest_to_turn, walked


@dataclass(frozen=True, slots=True)
class Rotation(JointTechnique):
    """A walk of rotations inside every segment or the whole table."""

    acronym: ClassVar[str] = "ROTATION"
    trust: ClassVar[str] = EXACT_MOMENTS

    def says(self) -> str:
        return (
            f"Mixed with the numbers of other records by many small rotations, with {self.moments} kept up to "
            "rounding, never out of the allowed range."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Find the cells; the walk itself reads all their records."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given)
        stated = loosened(learnt.normal_law(regenerated(0.0), self.acronym))
        return learnt.perturber(
            Turns(stated, fewest_to_turn(learnt.given)), self.acronym, self.alone, blur=self.blur
        )


@dataclass(frozen=True, slots=True)
class Turns:
    """Rotations in cells of at least `fewest` records; `stated` has the cell's moments but is not claimed."""

    stated: JointNormalLaw
    fewest: int
    by_record: bool = False
    copies: bool = False
    independent: bool = False
    falls_to: tuple[Way, ...] = (SHUFFLE, PERMUTATION, NOISE, KEPT)

    def able(self, cells: Cells) -> Flags:
        """Cells with enough records to rotate."""
        return np.asarray(cells.sizes >= self.fewest)

    def claims(self, cells: Cells) -> Flags:
        """None: no formula describes where a walk among boxes ends."""
        return np.zeros(cells.count, bool)

    def drawn(self, rows: GroupRows, able: Flags) -> tuple[Floats, Flags]:
        able = able & self.able(rows.cells)
        return walked(rows, able, rows.numbers), able

"""ROTATION: numbers turned among the records of a segment; means and covariances stay exactly, and so do the boxes.

Every orthogonal map of the records that leaves the vector of ones (and the given columns) in place keeps the sample
means and covariances of all columns. Algorithms 3.5 turns a whole segment by one angle, which a single record at the
edge of its box stops; the many small turns of `rotation_walk` are not stopped by it, and each is as exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, get_args

import numpy as np

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.cells import Cells, Marks, Matrix
from hushwood.techniques.fallbacks import KEPT, NOISE, PERMUTATION, SHUFFLE, GroupPerturber
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.joint_normal import JointNormalLaw
from hushwood.techniques.learnt_groups import LearntGroup, loosened, regenerated
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.promises import INSIDE, Promise
from hushwood.techniques.protocol import Target, Within
from hushwood.techniques.rotation_walk import fewest_to_turn, walked
from hushwood.techniques.security import moments_of
from hushwood.techniques.transition import checked_choice


@dataclass(frozen=True, slots=True)
class Rotation:
    """A walk of rotations inside every segment or the whole table; fields as in GADP."""

    within: Within = "table"
    given: tuple[str, ...] | None = None
    alone: NoiseParameters | None = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "ROTATION"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def __post_init__(self) -> None:
        checked_choice(self.acronym, "within", self.within, get_args(Within))

    @property
    def keeps_segment(self) -> bool:
        """Inside segments no turn leaves the box."""
        return self.within == "segment"

    def says(self) -> str:
        """One sentence for reports."""
        return (
            f"Mixed with the numbers of other records by many small rotations, with {moments_of(self.within)} "
            "kept up to rounding, never out of the allowed range."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Find the cells; the walk itself reads all their records."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given)
        stated = loosened(learnt.normal_law(regenerated(0.0), self.acronym))
        return learnt.perturber(Turns(stated, fewest_to_turn(learnt.given)), self.acronym, self.alone)


@dataclass(frozen=True, slots=True)
class Turns:
    """Rotations in cells of at least so many records; `stated` has the cell's moments but is not claimed."""

    stated: JointNormalLaw
    fewest: int
    by_record: bool = False
    copies: bool = False
    independent: bool = False
    falls_to: tuple[int, ...] = (SHUFFLE, PERMUTATION, NOISE, KEPT)

    def able(self, cells: Cells) -> Marks:
        """Cells in which anything can be turned."""
        return np.asarray(cells.sizes >= self.fewest)

    def claims(self, cells: Cells) -> Marks:
        """None: where a walk among boxes ends, no formula tells."""
        return np.zeros(cells.count, bool)

    def drawn(self, rows: GroupRows, able: Marks) -> tuple[Matrix, Marks]:
        """The numbers after the walk."""
        able = able & self.able(rows.cells)
        return walked(rows, able, rows.numbers), able

"""KIMWINKLER95: correlated noise, then the records that stand out exchange their numbers (Kim and Winkler 1995).

Two halves (thesis 3.2.1). First KIM's noise, which keeps means and covariances. Then a record that noise alone does not
hide has its numbers swapped with those of similar records, column by column. All are of one subpopulation, so what one
loses another gets, and the subpopulation's totals stay: that is the controlled distortion (errata B9). Their methods of
2003 are KIMWINKLER and LOGNOISE.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Codes, Flags, Floats, Integers
from hushwood.errors import unknown_name
from hushwood.parameters import Above, AtLeast
from hushwood.segments.partition import combine
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.exchanged_numbers import STAYS, ExchangedNumbers
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.promises import Promise, inside_if
from hushwood.techniques.partitions.near_records import near_records, standardised
from hushwood.techniques.protocol import Target, Technique
from hushwood.techniques.together.correlated_noise import Scale, added_noise, kims_factor
from hushwood.techniques.together.learnt_groups import LearntGroup


@dataclass(frozen=True, slots=True)
class MaskAndSwap(Technique):
    """Noise with `noise` (d) times the covariance, shrunk as by KIM, and exchanges in groups of `k` or more.

    A record is at risk if fewer than k records of its subpopulation, itself included, lie within `reach` standard
    deviations of the noise of it in every column. `controls` are the columns that make subpopulations; None stands for
    the class.
    """

    noise: Annotated[float, Above(0)] = 0.1
    k: Annotated[int, AtLeast(2)] = 5
    reach: Annotated[float, AtLeast(0)] = 2.0
    controls: tuple[str, ...] | None = None
    scale: Scale = "finite"
    bounded: bool = True
    acronym: ClassVar[str] = "KIMWINKLER95"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True
    trust: ClassVar[str] = (
        "Do not rely on single values. Averages and correlations with other numbers are right where the range is wide "
        "enough; links of unusual records are weaker."
    )

    @property
    def promise(self) -> Promise:
        """Bounded numbers stay in the domain; missing ones are exchanged only for missing ones."""
        return inside_if(self.bounded)

    def says(self) -> str:
        named = "class" if self.controls is None else ", ".join(self.controls)
        like = f" of the same {named}" if named else ""
        where = "staying in the allowed range" if self.bounded else "possibly leaving the column's range"
        return (
            f"Noise with {self.noise:.0%} of the numbers' own variances and covariances is added and the sum drawn "
            f"back towards the mean, {where}; records that still stand out exchange their numbers, column by "
            f"column, with similar ones{like}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Learn the moments, and find the records at risk and their groups."""
        learnt = LearntGroup.of(original, attributes, segments, "table")
        names = learnt.group.names
        if not names:
            return LawPerturber((), JointLaw(()))
        members = self._members(learnt, self._subpopulations(original))
        apart = (LearntGroup.of(original, [name], segments, "table") for name in names)
        law = ExchangedNumbers(
            self._masked(learnt, self.acronym),
            tuple(self._masked(one, f"{self.acronym} apart") for one in apart),
            members,
            {name: original.columns[name] for name in names},
        )
        return LawPerturber(names, JointLaw((law,)))

    def _masked(self, learnt: LearntGroup, purpose: str) -> JointNormalLaw:
        """KIM's noise on one or several columns."""
        factor = kims_factor(self.noise, self.scale, learnt)
        noise = added_noise(self.noise, learnt.numbers, learnt.cells.known, factor)
        return learnt.normal_law(noise, purpose, self.bounded)

    def _members(self, learnt: LearntGroup, subpopulation: Integers) -> Codes:
        """The group of every record that is exchanged: those of groups with a record at risk."""
        near = near_records(learnt.numbers, subpopulation, "segment", self.k)
        like = combine([subpopulation, learnt.cell])[0].astype(np.int64)
        risky = isolated(standardised(learnt.numbers), like, self.k, self.reach * self.noise**0.5)
        concerned = np.bincount(near, risky) > 0
        concerned &= np.bincount(near) > 1
        return np.where(concerned[near], near, STAYS).astype(np.int32)

    def _subpopulations(self, original: Table) -> Integers:
        """The records that agree on all controls."""
        controls = original.schema.in_role("class") if self.controls is None else self.controls
        for name in controls:
            if name not in original.columns:
                raise unknown_name("column for a control", name, original.columns)
        parts = [np.unique(original.columns[name], return_inverse=True)[1] for name in controls]
        return np.asarray(combine(parts)[0], np.int64) if parts else np.zeros(original.rows, np.int64)


def isolated(points: Floats, cell: Integers, k: int, reach: float) -> Flags:
    """Records with fewer than k of their cell, themselves included, within reach in every column.

    >>> isolated(np.array([[0.0], [1.0], [5.0], [1.0]]), np.array([0, 0, 0, 1]), 2, 1.0).tolist()
    [False, False, True, True]
    """
    from scipy.spatial import KDTree

    # Records of different cells are put farther apart than the reach.
    apart = np.column_stack([points, cell * (3.0 * reach + 1.0)])
    tree = KDTree(apart, balanced_tree=False, compact_nodes=False)
    distance, _ = tree.query(apart, k=[k], p=np.inf, distance_upper_bound=np.nextafter(reach, np.inf))
    return np.asarray(~np.isfinite(distance[:, 0]))

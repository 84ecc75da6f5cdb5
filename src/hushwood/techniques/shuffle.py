"""SHUFFLE: every column's values are permuted among the records, so that ranks stay correlated as before (2006).

The marginals stay exactly as they were, and no value is made up (Muralidhar and Sarathy).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blur import said_blur
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.laws.trust import exact_or_blurred
from hushwood.techniques.together.cells import Cells
from hushwood.techniques.together.fallbacks import EXCHANGE, KEPT, NOISE, PERMUTATION, Way
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.group_rows import GroupRows
from hushwood.techniques.together.joint_technique import JointTechnique
from hushwood.techniques.together.learnt_groups import LearntGroup
from hushwood.techniques.together.shuffled_values import ShuffledValues, shuffled_values
from hushwood.techniques.together.shuffling import shuffled


@dataclass(frozen=True, slots=True)
class Shuffle(JointTechnique):
    """Shuffling inside every segment or the whole table."""

    acronym: ClassVar[str] = "SHUFFLE"

    @property
    def trust(self) -> str:
        return (
            f"Do not rely on single values. {exact_or_blurred(self.blur)}; correlations with other numbers are close "
            "where few numbers are missing."
        )

    @property
    def promise(self) -> Promise:
        """Every value stays, except for noise on a record that has no partner; or numbers stay in the domain."""
        if self.blur:
            return INSIDE
        return Promise(values="dealt", within=self.within, lone_moves=self.alone is not None)

    def says(self) -> str:
        where = "same segment" if self.within == "segment" else "whole table"
        kept = f". {said_blur(self.blur)}" if self.blur else "; the column keeps its values."
        return (
            f"Permuted among the records of the {where}, so that large values still meet large values of the columns "
            f"they went with{kept}"
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Find the cells and their values."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given, by_ranks=True)
        spare = learnt.given.columns + 2
        return learnt.perturber(
            Shuffling(shuffled_values(learnt), spare), self.acronym, self.alone, blur=self.blur
        )


@dataclass(frozen=True, slots=True)
class Shuffling:
    """Shuffling in cells with `spare` records more than columns."""

    stated: ShuffledValues
    spare: int
    by_record: bool = False
    copies: bool = True
    independent: bool = True
    falls_to: tuple[Way, ...] = (PERMUTATION, EXCHANGE, NOISE, KEPT)

    def able(self, cells: Cells) -> Flags:
        """Cells whose correlations are not just chance."""
        return np.asarray(cells.sizes >= cells.known.shape[1] + self.spare)

    def claims(self, cells: Cells) -> Flags:
        return self.able(cells)

    def drawn(self, rows: GroupRows, able: Flags) -> tuple[Floats, Flags]:
        able = able & self.able(rows.cells)
        return shuffled(rows, able, rows.numbers, self.stated.model), able

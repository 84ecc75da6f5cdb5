"""SHUFFLE: every column's values are dealt out anew among the records, so that ranks go together as before (2006).

The marginals stay exactly as they were, and no value is made up (Muralidhar and Sarathy; algorithms 3.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, get_args

import numpy as np

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.cells import Cells, Marks, Matrix
from hushwood.techniques.fallbacks import EXCHANGE, KEPT, NOISE, PERMUTATION, GroupPerturber
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.learnt_groups import LearntGroup
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.promises import Promise
from hushwood.techniques.protocol import Target, Within
from hushwood.techniques.shuffled_values import ShuffledValues, shuffled_values
from hushwood.techniques.shuffling import shuffled
from hushwood.techniques.transition import checked_choice


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Shuffling inside every segment or the whole table; fields as in GADP."""

    within: Within = "table"
    given: tuple[str, ...] | None = None
    alone: NoiseParameters | None = field(default_factory=NoiseParameters)
    acronym: ClassVar[str] = "SHUFFLE"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_choice(self.acronym, "within", self.within, get_args(Within))

    @property
    def keeps_segment(self) -> bool:
        """Inside segments a record gets values of its own segment."""
        return self.within == "segment"

    @property
    def promise(self) -> Promise:
        """Every value stays, but for noise on a record that has no partner."""
        return Promise(values="dealt", within=self.within, lone_moves=self.alone is not None)

    def says(self) -> str:
        """One sentence for reports."""
        where = "same segment" if self.within == "segment" else "whole table"
        return (
            f"Dealt out anew among the records of the {where}, so that large values still meet large values "
            "of the columns they went with; the column's values themselves stay."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupPerturber:
        """Find the cells and their values."""
        learnt = LearntGroup.of(original, attributes, segments, self.within, self.given, by_ranks=True)
        spare = learnt.given.columns + 2
        return learnt.perturber(DealtOut(shuffled_values(learnt), spare), self.acronym, self.alone)


@dataclass(frozen=True, slots=True)
class DealtOut:
    """Shuffling in cells with `spare` records more than columns."""

    stated: ShuffledValues
    spare: int
    by_record: bool = False
    copies: bool = True
    independent: bool = True
    falls_to: tuple[int, ...] = (PERMUTATION, EXCHANGE, NOISE, KEPT)

    def able(self, cells: Cells) -> Marks:
        """Cells whose correlations are not there by chance alone."""
        return np.asarray(cells.sizes >= cells.known.shape[1] + self.spare)

    def claims(self, cells: Cells) -> Marks:
        """All cells that it can deal with."""
        return self.able(cells)

    def drawn(self, rows: GroupRows, able: Marks) -> tuple[Matrix, Marks]:
        """The numbers dealt out anew."""
        able = able & self.able(rows.cells)
        return shuffled(rows, able, rows.numbers, self.stated.model), able

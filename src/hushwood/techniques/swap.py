"""SWAP and DRSWAP: categories are permuted within their segment, or within the cells of control columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.errors import unknown_name
from hushwood.parameters import Between
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import JointLaw, LawPerturber, by_column
from hushwood.techniques.laws.permutation import (
    ControlCells,
    JointPermutationLaw,
    permutation_law,
    permuted_columns,
)
from hushwood.techniques.laws.promises import EXACT_COUNTS, Promise, dealt
from hushwood.techniques.protocol import LearntOn, Target, Technique, Within


@dataclass(frozen=True, slots=True)
class Swap(Technique):
    """SWAP: a categorical column is permuted within every segment (Forest Framework, step 5).

    Each attribute by itself, as printed, or all of a record as one (`joint`), which keeps what goes together (errata
    G10).
    """

    joint: bool = False
    acronym: ClassVar[str] = "SWAP"
    perturbs: ClassVar[Target] = "categorical"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = EXACT_COUNTS
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = dealt("segment")

    @property
    def jointly(self) -> bool:
        """One permutation for all columns needs all columns."""
        return self.joint

    def says(self) -> str:
        how = " together with the record's other categories" if self.joint else ""
        return f"Permuted{how} among the records of the same segment, so every segment keeps the counts of its values."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Nothing to learn: the values are the segment's own."""
        if self.joint:
            law = JointPermutationLaw.of(original, attributes, segments, self.acronym)
            return LawPerturber(tuple(attributes), JointLaw((law,)))
        return permuted_columns(original, attributes, segments, self.acronym)


@dataclass(frozen=True, slots=True)
class DaleniusReiss(Technique):
    """DRSWAP: data swapping: a column is permuted among records with the same controls (Dalenius and Reiss 1982).

    All frequency tables of the swapped column by the controls stay exactly as they were. None stands for the class. A
    record takes part with probability `share`. The controls themselves are copied.
    """

    controls: tuple[str, ...] | None = None
    share: Annotated[float, Between(0, 1, open_low=True)] = 1.0
    within: Within = "table"
    acronym: ClassVar[str] = "DRSWAP"
    perturbs: ClassVar[Target] = "categorical"
    trust: ClassVar[str] = (
        "Do not rely on single values. Counts by the control columns, and so in the whole table, are exact."
    )

    @property
    def promise(self) -> Promise:
        """Control cells lie inside segments or the table, so the counts there stay too."""
        return dealt(self.within)

    def says(self) -> str:
        names = "the same class" if self.controls is None else f"the same {', '.join(self.controls)}"
        like = f" with {names}" if self.controls != () else ""
        where = " of the same segment" if self.keeps_segment else ""
        some = "" if self.share == 1 else f"For {self.share:.0%} of the records p"
        return f"{some or 'P'}ermuted among records{where}{like}, so the counts of its values there are kept."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Find the cells of the controls."""
        controls = self._controls(original)
        names = tuple(name for name in attributes if name not in controls)
        cells = ControlCells.of_table(original, controls, segments.ids, self.within)
        covered = {name: np.full(segments.count, name in names) for name in attributes}
        return by_column(
            names,
            lambda name: permutation_law(original, name, segments, self.acronym, cells, self.share),
            None if len(names) == len(attributes) else covered,
        )

    def _controls(self, original: Table) -> tuple[str, ...]:
        if self.controls is None:
            return original.schema.in_role("class")
        for name in self.controls:
            if name not in original.columns:
                raise unknown_name("column for a control", name, original.columns)
        return self.controls

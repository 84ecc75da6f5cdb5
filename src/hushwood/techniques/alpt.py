"""ALPT: every class value of the table changes with the same probability; the control (thesis 4.2, errata A1, A6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.segments import Segments, expected_changes
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import coded, whole_table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.promises import Promise, redrawn
from hushwood.techniques.laws.redraw import RedrawLaw
from hushwood.techniques.laws.transition import shares_within
from hushwood.techniques.laws.trust import NOTHING
from hushwood.techniques.protocol import LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Alpt(Technique):
    """As many changes as RPT and PPT make on average, but anywhere in the table."""

    acronym: ClassVar[str] = "ALPT"
    perturbs: ClassVar[Target] = "class"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = NOTHING
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = redrawn("held", "table")

    def says(self) -> str:
        return "Changed with the same probability in all records, to another class in proportion to its frequency."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Derive the probability of a change from the segments."""

        def law(name: str) -> RedrawLaw:
            drawn = shares_within(original, name, segments, "table")
            codes = coded(original.columns[name], drawn.width)
            probability = float(expected_changes(codes, segments.ids).sum()) / max(len(codes), 1)
            return RedrawLaw(name, drawn, np.array([probability]), whole_table, self.acronym)

        return by_column(attributes, law)

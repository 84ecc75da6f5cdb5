"""RPT, PPT and ALPT: the class values of leaves, or of the whole table, are permuted or drawn again (thesis 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.segments import Segments, expected_changes
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import by_segment, coded, whole_table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.permutation import permuted_columns
from hushwood.techniques.laws.promises import AVERAGE_COUNTS, EXACT_COUNTS, NOTHING, Promise, dealt, redrawn
from hushwood.techniques.laws.redraw import RedrawLaw, shares_within
from hushwood.techniques.protocol import LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Rpt(Technique):
    """RPT: a random permutation of the class within every segment, so that totals stay the same."""

    acronym: ClassVar[str] = "RPT"
    perturbs: ClassVar[Target] = "class"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = EXACT_COUNTS
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = dealt("segment")

    def says(self) -> str:
        return "Permuted among the records of the same segment, so every segment keeps its class counts."

    def says_for(self, attribute: Attribute) -> str:
        """Numbers, and columns that trees predict where there is no class, have no class counts."""
        if attribute.role == "class" and attribute.kind == "categorical":
            return self.says()
        return (
            "Permuted among the records of the same segment, so every segment keeps the counts of its values."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Nothing to learn: the values are the segment's own."""
        return permuted_columns(original, attributes, segments, self.acronym)


@dataclass(frozen=True, slots=True)
class Ppt(Technique):
    """PPT: every record of a segment draws its class from the segment's class distribution (errata A4)."""

    acronym: ClassVar[str] = "PPT"
    perturbs: ClassVar[Target] = "class"
    trust: ClassVar[str] = AVERAGE_COUNTS
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = redrawn("held", "segment")

    def says(self) -> str:
        return "Redrawn from the class distribution of the record's segment; totals are kept on average."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Count the classes of every segment."""
        redraw = np.full(segments.count, np.nan)

        def law(name: str) -> RedrawLaw:
            shares = shares_within(original, name, segments, "segment")
            return RedrawLaw(name, shares, redraw, by_segment, self.acronym)

        return by_column(attributes, law)


@dataclass(frozen=True, slots=True)
class Alpt(Technique):
    """ALPT: every class value of the table changes with the same probability; the control (errata A1, A6).

    As many changes as RPT and PPT make on average, but anywhere in the table.
    """

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

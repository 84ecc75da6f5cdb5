"""PPT: every record of a leaf draws its class from the leaf's class distribution (thesis 4.2, errata A4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import by_segment
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.promises import Promise, redrawn
from hushwood.techniques.laws.redraw import RedrawLaw
from hushwood.techniques.laws.transition import shares_within
from hushwood.techniques.laws.trust import AVERAGE_COUNTS
from hushwood.techniques.protocol import Target, Technique


@dataclass(frozen=True, slots=True)
class Ppt(Technique):
    """A fresh draw from the segment's class distribution."""

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

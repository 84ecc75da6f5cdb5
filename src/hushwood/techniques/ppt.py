"""PPT: every record of a leaf draws its class from the leaf's class distribution (thesis 4.2, errata A4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.promises import Promise, redrawn
from hushwood.techniques.protocol import Target
from hushwood.techniques.redraw import Distributions, RedrawLaw, by_segment, coded


@dataclass(frozen=True, slots=True)
class Ppt:
    """A fresh draw from the segment's class distribution."""

    acronym: ClassVar[str] = "PPT"
    perturbs: ClassVar[Target] = "class"
    jointly: ClassVar[bool] = False
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = redrawn("held", "segment")

    def says(self) -> str:
        """One sentence for reports."""
        return "Drawn anew from the class distribution of the record's segment; totals are kept on average."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Count the classes of every segment."""
        laws = []
        for name in attributes:
            width = len(original.schema[name].categories) + 1
            codes = coded(original.columns[name], width)
            drawn = Distributions.from_weights(segments.ids, codes, np.ones(len(codes)), width)
            laws.append(RedrawLaw(name, drawn, np.full(segments.count, np.nan), by_segment, self.acronym))
        return LawPerturber(tuple(attributes), JointLaw(tuple(laws)))

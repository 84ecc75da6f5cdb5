"""ALPT: every class value of the table changes with the same probability; the control (thesis 4.2, errata A1, A6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.class_changes import expected_changes
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.promises import Promise, redrawn
from hushwood.techniques.protocol import Target
from hushwood.techniques.redraw import Distributions, RedrawLaw, coded, whole_table


@dataclass(frozen=True, slots=True)
class Alpt:
    """As many changes as RPT and PPT make on average, but anywhere in the table."""

    acronym: ClassVar[str] = "ALPT"
    perturbs: ClassVar[Target] = "class"
    jointly: ClassVar[bool] = False
    keeps_segment: ClassVar[bool] = True
    promise: ClassVar[Promise] = redrawn("held", "table")

    def says(self) -> str:
        """One sentence for reports."""
        return (
            "Changed with one probability for all records, to another class in proportion to its frequency."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Work out the probability of a change from the segments."""
        laws = []
        for name in attributes:
            width = len(original.schema[name].categories) + 1
            codes = coded(original.columns[name], width)
            drawn = Distributions.from_weights(
                np.zeros(len(codes), np.int64), codes, np.ones(len(codes)), width
            )
            probability = float(expected_changes(codes, segments.ids).sum()) / max(len(codes), 1)
            laws.append(RedrawLaw(name, drawn, np.array([probability]), whole_table, self.acronym))
        return LawPerturber(tuple(attributes), JointLaw(tuple(laws)))

"""PRAM, the post-randomisation method: every value moves by a known Markov matrix (Gouweleeuw et al. 1998).

The matrix is given, or made of a probability of change. What a miner can win back is in `pram_estimates`; the version
that keeps the expected frequencies is `invariant_pram`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.joint import JointLaw, LawPerturber
from hushwood.techniques.probability import checked_probability
from hushwood.techniques.promises import Promise, redrawn
from hushwood.techniques.protocol import Target, Within
from hushwood.techniques.random_categorical import random_law
from hushwood.techniques.redraw import RedrawLaw
from hushwood.techniques.transition import (
    Others,
    checked_choice,
    checked_matrix,
    groups_within,
    matrix_law,
    shares_within,
    spread,
)


@dataclass(frozen=True, slots=True)
class Pram:
    """Change by a `matrix` per column; a column without one changes with one `probability`.

    The other values are then equally likely, or as likely as they are frequent. Rows always sum to 1 (errata C2).
    """

    matrix: Mapping[str, Sequence[Sequence[float]]] | None = None
    probability: float = 0.1
    others: Others = "equal"
    within: Within = "table"
    acronym: ClassVar[str] = "PRAM"
    perturbs: ClassVar[Target] = "categorical"
    jointly: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checked_probability("probability", self.probability)
        checked_choice("PRAM", "others", self.others, ("equal", "frequency"))
        checked_choice("PRAM", "within", self.within, ("segment", "table"))
        for name, rows in (self.matrix or {}).items():
            checked_matrix(name, rows)

    @property
    def keeps_segment(self) -> bool:
        """Inside segments only values that occur there are drawn."""
        return self.within == "segment"

    @property
    def promise(self) -> Promise:
        """Inside segments only values that occur there are drawn; a matrix for the table may also blank values."""
        if self.matrix and self.within == "table":
            return Promise("any", "inside", "table")
        return redrawn("held" if self.keeps_segment else "inside", self.within)

    def says(self) -> str:
        """One sentence for reports."""
        how = (
            "by the matrix given for its column"
            if self.matrix
            else f"with probability {self.probability:.0%}"
        )
        which = "that occurs in its segment" if self.keeps_segment else "of the column"
        return f"Changed {how} to another value {which}."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Count the values where their frequencies are needed."""
        for name in self.matrix or {}:
            original.schema[name]
        laws = [self._law(original, name, segments) for name in attributes]
        return LawPerturber(tuple(attributes), JointLaw(tuple(laws)))

    def _law(self, original: Table, name: str, segments: Segments) -> RedrawLaw:
        if self.matrix and name in self.matrix:
            matrix = checked_matrix(name, self.matrix[name])
            return matrix_law(original, name, matrix, segments, self.within, self.acronym)
        if self.within == "table" and self.others == "equal":
            return random_law(original, name, self.probability, self.acronym)
        drawn = spread(shares_within(original, name, segments, self.within), self.others)
        change = np.full(segments.count if self.within == "segment" else 1, self.probability)
        return RedrawLaw(name, drawn, change, groups_within(self.within), self.acronym)

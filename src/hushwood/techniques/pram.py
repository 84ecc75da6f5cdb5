"""PRAM, the post-randomisation method: every value moves by a known Markov matrix (Gouweleeuw et al. 1998).

The matrix is given, or made from a probability of change. What a miner can reconstruct is in
`reconstruction.frequencies`; the version that keeps the expected frequencies is `invariant_pram`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.errors import InputError
from hushwood.parameters import SHARE, check_parameters
from hushwood.segments.segments import Segments
from hushwood.tables.formats.matrix_file import NamedRows
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import groups_within
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.promises import Promise, redrawn
from hushwood.techniques.laws.redraw import RedrawLaw
from hushwood.techniques.laws.transition import (
    Others,
    checked_matrix,
    in_order_of,
    matrix_law,
    named_matrix,
    random_law,
    shares_within,
    spread,
)
from hushwood.techniques.laws.trust import ESTIMATED_COUNTS
from hushwood.techniques.protocol import Target, Technique, Within


@dataclass(frozen=True, slots=True)
class Pram(Technique):
    """Change by a `matrix` per column; a column without one changes with one `probability`.

    A matrix has a row for every category in order, or names them: old value -> new value -> probability.
    The other values are then equally likely, or in proportion to their frequency. Rows always sum to 1 (errata C2).
    """

    matrix: Mapping[str, Sequence[Sequence[float]] | NamedRows] | None = None
    probability: Annotated[float, SHARE] = 0.1
    others: Others = "equal"
    within: Within = "table"
    acronym: ClassVar[str] = "PRAM"
    perturbs: ClassVar[Target] = "categorical"
    trust: ClassVar[str] = ESTIMATED_COUNTS
    options: ClassVar[Mapping[str, str]] = {"probability": "probability", "matrix": "pram_matrix"}

    def __post_init__(self) -> None:
        check_parameters(self)
        for name, rows in (self.matrix or {}).items():
            if isinstance(rows, Mapping):
                named_matrix(name, rows)
            else:
                checked_matrix(name, rows)

    @property
    def promise(self) -> Promise:
        """Inside segments only values that occur there are drawn; a matrix for the table may also blank values."""
        if self.matrix and self.within == "table":
            return Promise("any", "inside", "table")
        return redrawn("held" if self.keeps_segment else "inside", self.within)

    def says(self) -> str:
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
            attribute = original.schema[name]
            if attribute.kind != "categorical" or attribute not in original.schema.inputs:
                what = (
                    f"its role is {attribute.role}" if attribute.kind == "categorical" else "it holds numbers"
                )
                raise InputError(f"PRAM does not change column {name!r}: {what}. Omit its matrix.")
        return by_column(attributes, lambda name: self._law(original, name, segments))

    def _law(self, original: Table, name: str, segments: Segments) -> RedrawLaw:
        if self.matrix and name in self.matrix:
            rows = self.matrix[name]
            if isinstance(rows, Mapping):
                matrix = in_order_of(original.schema[name], rows)
            else:
                matrix = checked_matrix(name, rows)
            return matrix_law(original, name, matrix, segments, self.within, self.acronym)
        if self.within == "table" and self.others == "equal":
            return random_law(original, name, self.probability, self.acronym)
        drawn = spread(shares_within(original, name, segments, self.within), self.others)
        change = np.full(segments.count if self.within == "segment" else 1, self.probability)
        return RedrawLaw(name, drawn, change, groups_within(self.within), self.acronym)

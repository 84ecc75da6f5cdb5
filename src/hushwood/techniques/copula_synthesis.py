"""COPULA-SYNTHESIS: records drawn from a normal copula with the columns' own distributions.

A value's normal score is the quantile of its middle rank; categories are ranked by how frequent they are, and missing
numbers lie below all others. Scores are drawn with the correlations of the table and turned back into values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.synthesis.synthesis import (
    SynthesisSource,
    TaughtSynthesis,
    blurred_values,
    with_class,
)

_SCORE = 0
# Correlations are shrunk by this share, so that columns which say the same do not stop the draw.
_SHRUNK = 1e-6


@dataclass(frozen=True, slots=True)
class CopulaSynthesis(TaughtSynthesis):
    """A normal copula of all columns; the class by a teacher, or, without a teacher, one of the columns."""

    acronym: ClassVar[str] = "COPULA-SYNTHESIS"

    def says(self) -> str:
        return (
            "Made up: a value of the column, drawn so that its ranks go with those of the other columns as in the "
            f"table{self.said_blur()}."
        )

    def records(self, source: SynthesisSource) -> dict[str, Array]:
        """Draw all columns together, then the class."""
        label = source.label
        among = label is not None and not label.constant and self.teacher == "none"
        columns = [*source.led, *([label] if among and label is not None else [])]
        ranked = source.remembered("ranks", lambda: [_Ranked.of(column) for column in columns])
        drawn = _drawn(source, ranked) if ranked else {}
        codes = drawn.pop(label.name).codes if among and label is not None else None
        released = source.complete(drawn)
        new = blurred_values(source, released, self.blur)
        if codes is not None and label is not None:
            return new | {label.name: source.classes(label, codes)}
        return with_class(source, released, new, self.teacher, self.min_leaf)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A column, its codes in the order of their ranks, and the share of records up to each of them."""

    column: CodedColumn
    order: Integers
    upto: Floats

    @classmethod
    def of(cls, column: CodedColumn) -> _Ranked:
        """Numbers in their order; categories from the most frequent on."""
        counts = column.counts
        order = np.arange(column.levels) if column.numeric else np.argsort(-counts, kind="stable")
        return cls(column, order, np.cumsum(counts[order]) / max(len(column.codes), 1))

    def scores(self, rows: Integers) -> Floats:
        """The normal score of the middle rank of every record's value."""
        from scipy.special import ndtri

        share = np.diff(self.upto, prepend=0.0)
        middle = ndtri(np.clip(self.upto - share / 2, 0.0, 1.0))
        of_code = np.zeros(len(self.order))
        of_code[self.order] = middle
        return np.asarray(of_code[self.column.codes[rows]])

    def drawn(self, scores: Floats) -> CodedColumn:
        """The values that new scores stand for."""
        from scipy.special import ndtr

        # A code that no record has is never reached: its share is 0.
        place = np.searchsorted(self.upto, ndtr(scores), side="left")
        last = int(np.flatnonzero(np.diff(self.upto, prepend=0.0) > 0)[-1])
        return self.column.with_codes(self.order[np.minimum(place, last)].astype(np.int32))


def _drawn(source: SynthesisSource, ranked: Sequence[_Ranked]) -> dict[str, CodedColumn]:
    """New columns whose scores have the correlations of the table's."""
    factor = source.remembered(
        "factor",
        lambda: np.linalg.cholesky(_correlations(np.stack([one.scores(source.rows) for one in ranked]))),
    )
    slots = source.slots
    independent = [
        slots.streams.normal(slots.purpose, one.column.name, _SCORE, slots.rows, slots.threads)
        for one in ranked
    ]
    found: dict[str, CodedColumn] = {}
    for row, one in zip(factor, ranked, strict=True):
        # Added up one by one: a matrix product may depend on the number of threads in its last bit.
        scores = np.zeros(slots.count)
        for weight, normal in zip(row, independent, strict=True):
            if weight:
                scores += weight * normal
        found[one.column.name] = one.drawn(scores)
    return found


def _correlations(scores: Floats) -> Floats:
    """The correlations of the scores [column, record], a little smaller than they are: positive definite."""
    apart = scores - scores.mean(axis=1, keepdims=True)
    length = np.sqrt((apart**2).sum(axis=1))
    apart /= np.where(length > 0, length, 1.0)[:, None]
    together = np.einsum("ir,jr->ij", apart, apart) * (1 - _SHRUNK)
    np.fill_diagonal(together, 1.0)
    return np.asarray(together)

"""Columns as small whole numbers, and as bins of at most 256: what proposal trees and hand-outs work on.

A number becomes its rank among the column's distinct values, from 1 on, and 0 if it is missing: missing numbers lie
below all others. A category keeps its code, and a missing one is the code after the last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Bytes, Codes, Floats, Integers
from hushwood.tables.schema import Schema

MOST_LEVELS_OF_A_TARGET = 50  # a tree predicts the most frequent levels and puts the others together


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """One column: a code for every record, the number of different codes, and the numbers that codes stand for."""

    name: str
    codes: Codes
    levels: int
    numbers: Floats | None = None

    @classmethod
    def of_numbers(cls, name: str, column: Array) -> CodedColumn:
        """A numeric column; missing numbers have the code 0."""
        known = ~np.isnan(column)
        numbers, ranks = np.unique(np.asarray(column, np.float64)[known], return_inverse=True)
        codes = np.zeros(len(column), np.int32)
        codes[known] = ranks + 1
        return cls(name, codes, len(numbers) + 1, np.concatenate([[np.nan], numbers]))

    @classmethod
    def of_categories(cls, name: str, column: Array, categories: int) -> CodedColumn:
        """A categorical column; missing values have the code after the last category."""
        return cls(name, np.where(column < 0, categories, column).astype(np.int32), categories + 1)

    @property
    def numeric(self) -> bool:
        """Whether the codes are ranks of numbers."""
        return self.numbers is not None

    @property
    def counts(self) -> Integers:
        """How many records have each code."""
        return np.bincount(self.codes, minlength=self.levels)

    @property
    def constant(self) -> bool:
        """Whether all records have the same code."""
        return bool((self.codes == self.codes[:1]).all())

    def without_records(self) -> CodedColumn:
        """The coding alone."""
        return self.with_codes(np.zeros(0, np.int32))

    def as_coded_by(self, other: CodedColumn) -> CodedColumn:
        """The same records in the coding of another sample of the column: a number has the rank of the next lower one.

        >>> few = CodedColumn.of_numbers("x", np.array([1.0, 4.0]))
        >>> CodedColumn.of_numbers("x", np.array([0.0, 3.0, 4.0, np.nan])).as_coded_by(few).codes.tolist()
        [1, 1, 2, 0]
        """
        if self.numbers is None or other.numbers is None:
            return other.with_codes(self.codes)
        rank = np.searchsorted(other.numbers[1:], self.numbers[1:], side="right")
        ranks = np.append(0, np.clip(rank, 1, max(other.levels - 1, 1)))
        return other.with_codes(ranks[self.codes].astype(np.int32))

    def take(self, rows: Array) -> CodedColumn:
        """Some of the records."""
        return self.with_codes(self.codes[rows])

    def with_codes(self, codes: Codes) -> CodedColumn:
        """Other records of the same column."""
        return CodedColumn(self.name, codes, self.levels, self.numbers)

    def like(self, values: Array) -> CodedColumn:
        """Other values of the same column; numbers that the column does not have keep no rank."""
        if self.numbers is None:
            return CodedColumn.of_categories(self.name, values, self.levels - 1)
        codes = np.where(np.isnan(values), 0, np.arange(1, len(values) + 1)).astype(np.int32)
        return CodedColumn(self.name, codes, len(values) + 1, np.concatenate([[np.nan], values]))

    def values(self) -> Array:
        """The column as a table holds it."""
        if self.numbers is not None:
            return self.numbers[self.codes]
        return np.where(self.codes == self.levels - 1, -1, self.codes).astype(np.int32)


def mid_ranks(codes: Codes, levels: int) -> Integers:
    """Twice the mean rank of every record among those with known numbers, centred: whole numbers, equal for ties.

    >>> mid_ranks(np.array([1, 2, 2, 3], np.int32), 4).tolist()
    [-3, 0, 0, 3]
    """
    counts = np.bincount(codes, minlength=levels)
    upto = np.cumsum(counts)
    doubled = 2 * upto - counts - len(codes)
    return np.asarray(doubled[codes], np.int64)


def frequent_levels(codes: Codes, levels: int, most: int = MOST_LEVELS_OF_A_TARGET) -> tuple[Codes, int]:
    """The codes with all but the most frequent levels put together, and how many are left."""
    counts = np.bincount(codes, minlength=levels)
    present = int(np.count_nonzero(counts))
    order = np.argsort(-counts, kind="stable")
    kept = min(present, most)
    new = np.full(levels, kept, np.int32)
    new[order[:kept]] = np.arange(kept)
    return new[codes], kept + (present > most)


def number_bins(counts: Integers) -> Bytes:
    """The bin of every code of a numeric column: its own if there are few, else one of 255 with as many records each.

    Missing numbers, code 0, have bin 0 for themselves.
    """
    from hushwood.techniques.kernels.sequential import BINS

    if len(counts) <= BINS:
        return np.arange(len(counts), dtype=np.uint8)
    known = counts[1:]
    before = np.cumsum(known) - known
    return np.concatenate([[0], 1 + before * (BINS - 1) // max(int(known.sum()), 1)]).astype(np.uint8)


def level_bins(scores: Floats, counts: Integers) -> Bytes:
    """The bins of categories sorted by a score: one for every distinct score, or of about as many records each."""
    from hushwood.techniques.kernels.sequential import BINS

    order = np.argsort(scores, kind="stable")
    rank = np.concatenate([[0], np.cumsum(np.diff(scores[order]) > 0)]) if len(order) else order
    if len(order) and rank[-1] >= BINS:
        held = counts[order]
        rank = (np.cumsum(held) - held) * BINS // max(int(held.sum()), 1)
    bins = np.empty(len(scores), np.uint8)
    bins[order] = rank
    return bins


def level_scores(codes: Codes, levels: int, target: Array, classes: int) -> Floats:
    """One number per level of a categorical predictor, so that levels that go with like targets lie side by side.

    For numbers (no `classes`) the mean of the target. For classes the score on the first principal component of the
    level's shares: centred, smoothed with one record of the table's shares, weighted by the root of the count.
    """
    size = np.bincount(codes, minlength=levels).astype(np.float64)
    if classes == 0:
        mean = float(target.mean()) if len(target) else 0.0
        sums = np.bincount(codes, target, minlength=levels)
        return np.asarray(np.divide(sums, size, out=np.full(levels, mean), where=size > 0))
    cells = np.bincount(codes.astype(np.int64) * classes + target, minlength=levels * classes)
    counts = cells.reshape(levels, classes).astype(np.float64)
    shares = counts.sum(axis=0) / max(len(codes), 1)
    apart = (counts + shares) / (size + 1)[:, None] - shares
    weighted = np.sqrt(size)[:, None] * apart
    direction = np.linalg.eigh(weighted.T @ weighted)[1][:, -1]
    # A component has no sign of its own.
    direction = direction * (1.0 if direction[np.argmax(np.abs(direction))] > 0 else -1.0)
    # Levels that are alike up to rounding are alike.
    return np.asarray(np.round(apart @ direction, 12))


def binned(
    predictors: Sequence[CodedColumn], maps: Sequence[Bytes], rows: Array | None = None
) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Bins [predictor, record] of the columns, by the maps from codes to bins."""
    count = len(predictors[0].codes if rows is None else rows) if predictors else 0
    out = np.empty((len(predictors), count), np.uint8)
    for place, (column, bins) in enumerate(zip(predictors, maps, strict=True)):
        np.take(bins, column.codes if rows is None else column.codes[rows], out=out[place])
    return out


def coded_inputs(schema: Schema, names: Sequence[str], columns: Mapping[str, Array]) -> list[CodedColumn]:
    """Columns of a table."""
    return [
        CodedColumn.of_numbers(name, columns[name])
        if schema[name].kind == "numeric"
        else CodedColumn.of_categories(name, np.asarray(columns[name]), len(schema[name].categories))
        for name in names
    ]

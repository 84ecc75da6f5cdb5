"""Columns counted batch by batch: the moments of numbers, and how often every value occurs."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.measures.columns.numeric_columns import common_unit, known
from hushwood.tables.schema import Attribute
from hushwood.tables.table import label_names

MOST_VALUES = 1 << 20  # different numbers of a column that are counted one by one
_WAITING = 1 << 18  # numbers of later batches that wait until it is worth sorting them in


@dataclass(slots=True)
class MomentTally:
    """Known numbers of a column: how many, their mean and the squares about it, in a unit that cannot overflow.

    With survey weights, `rows`, `count` and squares are sums of weights; `records` is how many numbers there are.
    Batches are put together as by Chan, Golub and LeVeque (1983), which loses no digits to a mean far from zero.
    """

    rows: float = 0
    count: float = 0
    unit: float = 1.0
    mean: float = 0.0
    squares: float = 0.0
    low: float = np.inf
    high: float = -np.inf
    records: int = 0

    @classmethod
    def of(cls, column: Floats, weights: Floats | None = None) -> MomentTally:
        """The moments of one batch."""
        values = known(column)
        if weights is not None:
            return cls._weighted(values, weights[np.isfinite(column)], float(weights.sum()))
        if not len(values):
            return cls(len(column))
        unit = common_unit(values)
        scaled = values / unit
        low, high = float(values.min()), float(values.max())
        mean = float(scaled[0]) if low == high else float(scaled.mean())
        squares = 0.0 if low == high else float(np.square(scaled - mean).sum())
        return cls(len(column), len(values), unit, mean, squares, low, high, len(values))

    @classmethod
    def _weighted(cls, values: Floats, weights: Floats, rows: float) -> MomentTally:
        count = float(weights.sum())
        if not count:
            return cls(rows)
        unit = common_unit(values)
        scaled = values / unit
        low, high = float(values.min()), float(values.max())
        mean = float(scaled[0]) if low == high else float(scaled @ weights) / count
        squares = 0.0 if low == high else float(np.square(scaled - mean) @ weights)
        return cls(rows, count, unit, mean, squares, low, high, len(values))

    def merge(self, other: MomentTally) -> None:
        """Add the numbers of another batch."""
        self.rows += other.rows
        if not other.count:
            return
        first, second = (self.count and self.unit) or other.unit, other.unit
        unit = max(first, second)
        mean, more = self.mean * (first / unit), other.mean * (second / unit)
        squares = self.squares * (first / unit) ** 2 + other.squares * (second / unit) ** 2
        count = self.count + other.count
        gap = more - mean
        self.mean = mean + gap * (other.count / count)
        self.squares = squares + gap * gap * (self.count * other.count / count)
        self.count, self.unit, self.records = count, unit, self.records + other.records
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)

    def mean_and_sd(self) -> tuple[float | None, float | None]:
        """Mean and sample standard deviation (exactly 0 for a constant); None where there are too few values."""
        if not self.count:
            return None, None
        mean = self.mean * self.unit
        if self.records < 2:
            return mean, None
        constant = self.low == self.high
        # Weights are scaled to a mean of 1 where it matters how many records there are.
        squares = self.squares * (self.records / self.count)
        return mean, 0.0 if constant else float(np.sqrt(squares / (self.records - 1))) * self.unit

    @property
    def missing(self) -> float:
        """The share of missing values."""
        return 1 - self.count / self.rows if self.rows else 0.0


@dataclass(slots=True)
class NumberCounts:
    """How often every different number of a column occurs, in ascending order, and how many are missing.

    With survey weights, sums of weights instead of numbers of records.
    There may be at most `most` different ones; beyond that nothing is held, and `overfull` is true.
    """

    most: int | None = MOST_VALUES
    values: Floats = field(default_factory=lambda: np.empty(0))
    counts: Integers | Floats = field(default_factory=lambda: np.empty(0, np.int64))
    missing: float = 0
    overfull: bool = False
    _waiting: list[tuple[Floats, Integers | Floats]] = field(default_factory=list)

    @classmethod
    def of(cls, column: Floats, most: int | None = None, weights: Floats | None = None) -> NumberCounts:
        """The numbers of one batch."""
        if weights is not None:
            there = np.isfinite(column)
            values, place = np.unique(column[there], return_inverse=True)
            sums = np.bincount(place, weights[there], minlength=len(values))
            return cls(most, values, sums, float(weights[~there].sum()))
        values, counts = np.unique(known(column), return_counts=True)
        return cls(most, values, counts, len(column) - int(counts.sum()))

    def merge(self, other: NumberCounts) -> None:
        """Add the numbers of another batch."""
        self.missing += other.missing
        self.overfull = self.overfull or other.overfull
        if not self.overfull:
            self._waiting += [(other.values, other.counts), *other._waiting]
            held = sum(len(values) for values, _ in self._waiting)
            if held > max(len(self.values), _WAITING):
                self.settle()
        if self.overfull:
            self.values, self.counts, self._waiting = np.empty(0), np.empty(0, np.int64), []

    def settle(self) -> None:
        """Sort in what waits; too many different numbers are given up."""
        if self._waiting:
            parts = [(self.values, self.counts), *self._waiting]
            values, place = np.unique(np.concatenate([v for v, _ in parts]), return_inverse=True)
            weights = np.concatenate([c for _, c in parts])
            # What has no numbers yet is empty and has whole counts.
            kind = np.result_type(*(counts.dtype for _, counts in parts if len(counts)), np.int64)
            counts = np.bincount(place, weights, minlength=len(values)).astype(kind)
            self.values, self.counts, self._waiting = values, counts, []
        self.overfull = self.overfull or (self.most is not None and len(self.values) > self.most)

    @property
    def known(self) -> float:
        """How many numbers there are."""
        total: float = self.counts.sum().item()
        return total


def label_count(attribute: Attribute) -> int:
    """How many categories a column is counted in: those of a binned class are its bins."""
    return len(attribute.categories if attribute.response else label_names(attribute))

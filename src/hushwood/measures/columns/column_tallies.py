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

    Batches are put together as by Chan, Golub and LeVeque (1983), which loses no digits to a mean far from zero.
    """

    rows: int = 0
    count: int = 0
    unit: float = 1.0
    mean: float = 0.0
    squares: float = 0.0
    low: float = np.inf
    high: float = -np.inf

    @classmethod
    def of(cls, column: Floats) -> MomentTally:
        """The moments of one batch."""
        values = known(column)
        if not len(values):
            return cls(len(column))
        unit = common_unit(values)
        scaled = values / unit
        low, high = float(values.min()), float(values.max())
        mean = float(scaled[0]) if low == high else float(scaled.mean())
        squares = 0.0 if low == high else float(np.square(scaled - mean).sum())
        return cls(len(column), len(values), unit, mean, squares, low, high)

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
        self.count, self.unit = count, unit
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)

    def mean_and_sd(self) -> tuple[float | None, float | None]:
        """Mean and sample standard deviation (exactly 0 for a constant); None where there are too few values."""
        if not self.count:
            return None, None
        mean = self.mean * self.unit
        if self.count < 2:
            return mean, None
        constant = self.low == self.high
        return mean, 0.0 if constant else float(np.sqrt(self.squares / (self.count - 1))) * self.unit

    @property
    def missing(self) -> float:
        """The share of missing values."""
        return 1 - self.count / self.rows if self.rows else 0.0


@dataclass(slots=True)
class NumberCounts:
    """How often every different number of a column occurs, in ascending order, and how many are missing.

    There may be at most `most` different ones; beyond that nothing is held, and `overfull` is true.
    """

    most: int | None = MOST_VALUES
    values: Floats = field(default_factory=lambda: np.empty(0))
    counts: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    missing: int = 0
    overfull: bool = False
    _waiting: list[tuple[Floats, Integers]] = field(default_factory=list)

    @classmethod
    def of(cls, column: Floats, most: int | None = None) -> NumberCounts:
        """The numbers of one batch."""
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
            counts = np.bincount(place, weights, minlength=len(values)).astype(np.int64)
            self.values, self.counts, self._waiting = values, counts, []
        self.overfull = self.overfull or (self.most is not None and len(self.values) > self.most)

    @property
    def known(self) -> int:
        """How many numbers there are."""
        return int(self.counts.sum())


def label_count(attribute: Attribute) -> int:
    """How many categories a column is counted in: those of a binned class are its bins."""
    return len(attribute.categories if attribute.response else label_names(attribute))

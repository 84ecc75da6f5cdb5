"""The biases A to D of numeric columns, each by its definition; None stands for a missing value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import StatisticsError, correlation, mean, stdev, variance

from oracles.distributions import area_between

Columns = Mapping[str, Sequence[float | None]]


def biases(before: Columns, after: Columns, confidential: Sequence[str]) -> dict[str, float | None]:
    """The largest of every type; None where no column or pair can have it. All columns vary in `before`."""
    others = [name for name in before if name not in confidential]
    pairs = list(combinations(confidential, 2))
    mixed = [(one, other) for one in confidential for other in others]
    return {
        "A": max(
            abs(variance(there(after[n])) / variance(there(before[n])) - 1)
            if len(there(after[n])) > 1
            else 1.0
            for n in confidential
        ),
        "B": max((change(before, after, *pair) for pair in pairs), default=None),
        "C": max((change(before, after, *pair) for pair in mixed), default=None),
        "D": max(
            area_between(standardised(there(before[n])), standardised(there(after[n]))) for n in confidential
        ),
    }


def there(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def change(before: Columns, after: Columns, one: str, other: str) -> float:
    return abs(pearson(after[one], after[other]) - pearson(before[one], before[other]))


def pearson(first: Sequence[float | None], second: Sequence[float | None]) -> float:
    """0 where one of the two does not vary over the records that have both."""
    both = [(x, y) for x, y in zip(first, second, strict=True) if x is not None and y is not None]
    try:
        return correlation([x for x, _ in both], [y for _, y in both])
    except StatisticsError:
        return 0.0


def standardised(values: Sequence[float]) -> list[float]:
    middle = mean(values)
    spread = stdev(values) if len(values) > 1 else 0.0
    return [(value - middle) / (spread or 1.0) for value in values]

"""How two columns go together, by plain loops over their records; None stands for a missing value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Any

Numbers = Sequence[float | None]


def both_known(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[Any, Any]]:
    return [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def variance(values: Sequence[float]) -> float:
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values) / (len(values) - 1)


def pearson(first: Numbers, second: Numbers) -> float | None:
    """The correlation over the records that have both; None if one of the two does not vary there."""
    pairs = both_known(first, second)
    if len({a for a, _ in pairs}) < 2 or len({b for _, b in pairs}) < 2:
        return None
    middle, other = mean([a for a, _ in pairs]), mean([b for _, b in pairs])
    together = sum((a - middle) * (b - other) for a, b in pairs)
    spread = sum((a - middle) ** 2 for a, _ in pairs) * sum((b - other) ** 2 for _, b in pairs)
    return float(together / sqrt(spread))


def average_ranks(values: Numbers) -> list[float | None]:
    """1 for the smallest; equal values share the mean of their places."""
    there = sorted(value for value in values if value is not None)
    return [None if value is None else there.index(value) + (there.count(value) + 1) / 2 for value in values]


def cramers_v(first: Sequence[str | None], second: Sequence[str | None], corrected: bool) -> float | None:
    pairs = both_known(first, second)
    records = len(pairs)
    rows, columns, cells = Counter(a for a, _ in pairs), Counter(b for _, b in pairs), Counter(pairs)
    k, r = float(len(rows)), float(len(columns))
    if min(k, r) < 2:
        return None
    phi = 0.0
    for a, in_row in rows.items():
        for b, in_column in columns.items():
            expected = in_row * in_column / records
            phi += (cells[a, b] - expected) ** 2 / expected / records
    if corrected:
        phi = max(phi - (k - 1) * (r - 1) / (records - 1), 0.0)
        k, r = k - (k - 1) ** 2 / (records - 1), r - (r - 1) ** 2 / (records - 1)
    if min(k, r) - 1 < 1e-9:
        return None
    return sqrt(phi / (min(k, r) - 1))


def correlation_ratio(numbers: Numbers, groups: Sequence[str | None], corrected: bool) -> float | None:
    pairs = both_known(numbers, groups)
    names = {group for _, group in pairs}
    if len(names) < 2 or len({value for value, _ in pairs}) < 2:
        return None
    middle = mean([value for value, _ in pairs])
    total = sum((value - middle) ** 2 for value, _ in pairs)
    between = 0.0
    for name in names:
        own = [value for value, group in pairs if group == name]
        between += len(own) * (mean(own) - middle) ** 2
    share = between / total
    if corrected:
        if len(pairs) == len(names):
            return None
        share = 1 - (1 - share) * (len(pairs) - 1) / (len(pairs) - len(names))
    return sqrt(max(share, 0.0))


def segment_change(
    before: Sequence[Numbers], after: Sequence[Numbers], segments: Sequence[int], smallest: int
) -> float | None:
    """Mean |change| of the correlations inside segments, weighted by the records that had both values."""
    total = weight = 0.0
    for segment in set(segments):
        inside = [i for i, own in enumerate(segments) if own == segment]
        for first in range(len(before)):
            for second in range(len(before)):
                if first == second:
                    continue
                old = [[before[column][i] for i in inside] for column in (first, second)]
                new = [[after[column][i] for i in inside] for column in (first, second)]
                records = len(both_known(*old))
                one = pearson(*old)
                if one is None or min(records, len(both_known(*new))) < smallest:
                    continue
                total += records * abs(one - (pearson(*new) or 0.0))
                weight += records
    return total / weight if weight else None

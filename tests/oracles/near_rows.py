"""Distances between records of mixed columns by the definition: mean over attributes; None is a missing value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Value = float | str | None
Record = Mapping[str, Value]


def joint_ranges(first: Sequence[Record], second: Sequence[Record], names: Sequence[str]) -> dict[str, float]:
    ranges = {}
    for name in names:
        numbers = [v for v in (row[name] for row in (*first, *second)) if isinstance(v, float)]
        ranges[name] = max(numbers) - min(numbers) if numbers else 0.0
    return ranges


def distance(one: Record, other: Record, ranges: Mapping[str, float]) -> float:
    return sum(_apart(one[name], other[name], width) for name, width in ranges.items()) / max(len(ranges), 1)


def _apart(one: Value, other: Value, width: float) -> float:
    if one is None or other is None:
        return float(one is not other)
    if isinstance(one, float) and isinstance(other, float) and width > 0:
        return abs(one - other) / width
    return float(one != other)


def distances(targets: Sequence[Record], rows: Sequence[Record], names: Sequence[str]) -> list[list[float]]:
    """From every target to every row."""
    ranges = joint_ranges(targets, rows, names)
    return [[distance(target, row, ranges) for row in rows] for target in targets]

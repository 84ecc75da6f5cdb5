"""Losses of generalised cells, by their definitions, one cell at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence


def categorical_lm(stands_for: Collection[str], categories: Collection[str]) -> float:
    return (len(stands_for) - 1) / (len(categories) - 1) if len(categories) > 1 else 0.0


def categorical_iloss(stands_for: Collection[str], categories: Collection[str]) -> float:
    return (len(stands_for) - 1) / len(categories)


def numeric_lm(low: float, high: float, smallest: float, largest: float) -> float:
    low, high = (min(max(end, smallest), largest) for end in (low, high))
    return (high - low) / (largest - smallest)


def whole_number_iloss(low: int, high: int, smallest: int, largest: int) -> float:
    values = [v for v in range(smallest, largest + 1) if low <= v <= high]
    return (len(values) - 1) / (largest - smallest + 1)


def level(stands_for: Collection[str], ways: Mapping[str, Sequence[str]]) -> int:
    """Level of the narrowest group that holds all the values."""
    height = len(next(iter(ways.values())))
    return next(at for at in range(height) if len({ways[value][at] for value in stands_for}) == 1)

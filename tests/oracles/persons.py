"""Rows that belong together, by a dictionary of rows, one row after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from math import isnan
from typing import Any


def rows_of(names: Sequence[Hashable]) -> list[list[int]]:
    """The rows of every unit, in the order of their first rows; a row without a name is a unit of its own."""
    found: dict[Hashable, list[int]] = {}
    for row, name in enumerate(names):
        found.setdefault(("alone", row) if name is None else ("named", name), []).append(row)
    return list(found.values())


def plain(value: Any) -> Any:
    """A value that equals itself."""
    return None if isinstance(value, float) and isnan(value) else value


def constant(column: Sequence[Any], units: Sequence[Sequence[int]]) -> bool:
    """Whether a column has one value in every unit."""
    return all(len({plain(column[row]) for row in rows}) == 1 for rows in units)


def summary(column: Sequence[Any], rows: Sequence[int]) -> dict[str, Any]:
    """What a unit's values have in common; None stands for missing."""
    known = [column[row] for row in rows if plain(column[row]) is not None]
    if not known:
        return {"mean": None, "smallest": None, "largest": None, "most frequent": None, "different": 0}
    counts = Counter(known)
    most = max(counts.values())
    return {
        "mean": sum(known) / len(known),
        "smallest": min(known),
        "largest": max(known),
        "most frequent": min(value for value, times in counts.items() if times == most),
        "different": len(counts),
    }


def split_units(units: Sequence[Sequence[int]], segments: Sequence[Hashable]) -> int:
    """How many units have rows in several segments."""
    return sum(len({segments[row] for row in rows}) > 1 for rows in units)


def counts_by_unit(
    column: Sequence[Any], units: Sequence[Sequence[int]], segments: Sequence[Hashable]
) -> Mapping[Hashable, Counter[Any]]:
    """How many units of every segment have each value in their first row."""
    found: dict[Hashable, Counter[Any]] = {}
    for rows in units:
        found.setdefault(segments[rows[0]], Counter())[plain(column[rows[0]])] += 1
    return found

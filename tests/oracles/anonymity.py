"""Anonymity notions by plain loops over records, groups and values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

Record = Mapping[str, Any]


def groups(records: Sequence[Record], quasi: Sequence[str]) -> list[list[Record]]:
    """Records with the same cells in all quasi-identifiers."""
    found: dict[tuple[Any, ...], list[Record]] = {}
    for record in records:
        found.setdefault(tuple(record[name] for name in quasi), []).append(record)
    return list(found.values())


def k(records: Sequence[Record], quasi: Sequence[str]) -> int:
    return min(len(group) for group in groups(records, quasi))


def discernibility(records: Sequence[Record], quasi: Sequence[str]) -> int:
    return sum(len(group) for group in groups(records, quasi) for _ in group)


def distinct(values: Sequence[Any]) -> int:
    return len(set(values))


def entropy(values: Sequence[Any]) -> float:
    shares = [count / len(values) for count in Counter(values).values()]
    return float(2 ** -sum(share * log2(share) for share in shares))


def strong(values: Sequence[Any]) -> float:
    return 1 / max(values.count(value) / len(values) for value in values)


def recursive(values: Sequence[Any], c: float) -> int:
    counts = sorted(Counter(values).values(), reverse=True)
    return max(
        (size for size in range(1, len(counts) + 1) if counts[0] < c * sum(counts[size - 1 :])), default=0
    )


def equal_distance(values: Sequence[Any], whole: Sequence[Any]) -> float:
    gaps = [abs(values.count(v) / len(values) - whole.count(v) / len(whole)) for v in set(whole)]
    return sum(gaps) / 2


def ordered_distance(values: Sequence[float], whole: Sequence[float]) -> float:
    """Work to turn one distribution into the other when neighbouring values are 1/(m - 1) apart."""
    places = sorted(set(whole))
    carried = total = 0.0
    for place in places[:-1]:
        carried += values.count(place) / len(values) - whole.count(place) / len(whole)
        total += abs(carried)
    return total / (len(places) - 1) if len(places) > 1 else 0.0

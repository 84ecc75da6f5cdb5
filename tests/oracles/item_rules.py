"""Association rules by looking at every set of items and every record; a record is a set of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

Items = frozenset[str]


@dataclass(frozen=True)
class Rule:
    """Which items lead to which."""

    first: Items
    last: str


def support(records: Sequence[Set[str]], items: Set[str]) -> float:
    return sum(items <= record for record in records) / len(records)


def frequent(records: Sequence[Set[str]], items: Sequence[str], least: float) -> set[Items]:
    """All sets of two or three items that are frequent."""
    sets = (frozenset(some) for size in (2, 3) for some in combinations(items, size))
    return {some for some in sets if support(records, some) >= least - 1e-9}


def rules(
    records: Sequence[Set[str]], items: Sequence[str], least: float, confidence: float, lift: float
) -> Mapping[Rule, tuple[float, float]]:
    """Every rule with one item behind it: its support and confidence."""
    found = {}
    for some in frequent(records, items, least):
        for last in some:
            first = some - {last}
            sure = support(records, some) / support(records, first)
            if sure >= confidence - 1e-9 and sure >= lift * support(records, {last}) - 1e-9:
                found[Rule(first, last)] = support(records, some), sure
    return found

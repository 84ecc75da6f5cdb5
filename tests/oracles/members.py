"""Scores of who was in a table, by the definition: every target is compared with every record; None is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations
from math import log

from oracles.near_rows import Record, distance, joint_ranges


def density_ratios(
    targets: Sequence[Record], released: Sequence[Record], reference: Sequence[Record], k: int, least: float
) -> list[float]:
    """The logarithm of the k-th smallest distance to the reference over that to the release."""
    ranges = joint_ranges(targets, [*released, *reference], list(targets[0]))

    def reach(target: Record, rows: Sequence[Record]) -> float:
        near = sorted(distance(target, row, ranges) for row in rows)
        return near[min(k, len(near)) - 1]

    return [log((reach(t, reference) + least) / (reach(t, released) + least)) for t in targets]


def value_odds(
    targets: Sequence[Record], released: Sequence[Record], reference: Sequence[Record], copied: float
) -> list[float]:
    """How much likelier members have values that the release has so often, added up over columns."""
    total = [0.0] * len(targets)
    for name in targets[0]:
        odds = _odds(targets, released, reference, copied, lambda row, name=name: row[name])  # type: ignore[misc]
        total = [a + b for a, b in zip(total, odds, strict=True)]
    return total


def pair_odds(
    targets: Sequence[Record], released: Sequence[Record], reference: Sequence[Record], copied: float
) -> list[float]:
    """The same of all pairs of columns."""
    total = [0.0] * len(targets)
    for names in combinations(targets[0], 2):
        odds = _odds(
            targets,
            released,
            reference,
            copied,
            lambda row, names=names: tuple(row[name] for name in names),  # type: ignore[misc]
        )
        total = [a + b for a, b in zip(total, odds, strict=True)]
    return total


def _odds(
    targets: Sequence[Record],
    released: Sequence[Record],
    reference: Sequence[Record],
    copied: float,
    part: Callable[[Record], Hashable],
) -> list[float]:
    counts = Counter(part(row) for row in released)

    def group(row: Record) -> int:
        count = counts[part(row)]
        return 4 if count >= 5 else 3 if count >= 3 else count

    def share(rows: Sequence[Record], wanted: int) -> float:
        return (sum(group(row) == wanted for row in rows) + 0.5) / (len(rows) + 2.5)

    odds = [log(copied * share(released, g) / share(reference, g) + 1 - copied) for g in range(5)]
    return [odds[group(row)] for row in targets]

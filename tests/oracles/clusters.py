"""Clusters and groupings by plain loops: k-means of Lloyd, and all pairs of records one by one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Point = Sequence[float]


def distance(first: Point, second: Point) -> float:
    return sum((a - b) ** 2 for a, b in zip(first, second, strict=True))


def nearest(points: Sequence[Point], centres: Sequence[Point]) -> list[int]:
    return [min(range(len(centres)), key=lambda c: distance(point, centres[c])) for point in points]


def lloyd(points: Sequence[Point], begin: Sequence[Point], rounds: int = 100) -> tuple[list[Point], float]:
    """Centres and the sum of squared distances to them; no cluster may run empty."""
    centres = [tuple(point) for point in begin]
    for _ in range(rounds):
        labels = nearest(points, centres)
        moved = []
        for cluster in range(len(centres)):
            own = [point for point, label in zip(points, labels, strict=True) if label == cluster]
            moved.append(tuple(sum(values) / len(own) for values in zip(*own, strict=True)))
        if moved == centres:
            break
        centres = moved
    return list(centres), sum(min(distance(point, centre) for centre in centres) for point in points)


def pairs(first: Sequence[int], second: Sequence[int]) -> tuple[int, int, int, int]:
    """Pairs of records that are together in both groupings, only in the first, only in the second, in none."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for i, j in combinations(range(len(first)), 2):
        counts[first[i] == first[j], second[i] == second[j]] += 1
    return counts[True, True], counts[True, False], counts[False, True], counts[False, False]


def adjusted_rand(first: Sequence[int], second: Sequence[int]) -> float:
    """(index − expected) / (largest − expected), by Hubert and Arabie."""
    both, one, other, none = pairs(first, second)
    together, also, everything = both + one, both + other, both + one + other + none
    if one == other == 0:
        return 1.0
    expected = together * also / everything
    return (both - expected) / ((together + also) / 2 - expected)

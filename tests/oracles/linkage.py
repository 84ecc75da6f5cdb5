"""Who is linked with whom, by plain loops: distances, assignments, agreement weights, and who stands out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations

Value = float | str | None
Record = Sequence[Value]


def distance(one: Record, other: Record, ranges: Sequence[float]) -> float:
    """Mean over the attributes: |difference| / range for numbers, 0 or 1 for texts; missing is like missing only."""
    total = 0.0
    for mine, theirs, width in zip(one, other, ranges, strict=True):
        if mine is None or theirs is None:
            total += mine is not theirs
        elif isinstance(mine, str) or isinstance(theirs, str) or width == 0:
            total += mine != theirs
        else:
            total += min(1.0, abs(mine - theirs) / width)
    return total / len(one)


def joint_ranges(first: Sequence[Record], second: Sequence[Record]) -> list[float]:
    """Range of every column over both tables; 0 for texts."""
    ranges = []
    for column in zip(*first, *second, strict=True):
        numbers = [value for value in column if isinstance(value, float)]
        ranges.append(max(numbers) - min(numbers) if numbers else 0.0)
    return ranges


def as_ranks(first: Sequence[Record], second: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """Both tables with each number replaced by its middle rank among all of its column."""
    columns = []
    for column in zip(*first, *second, strict=True):
        numbers = [value for value in column if isinstance(value, float)]
        columns.append([_rank(value, numbers) if isinstance(value, float) else value for value in column])
    together: list[Record] = [list(row) for row in zip(*columns, strict=True)]
    return together[: len(first)], together[len(first) :]


def _rank(value: float, among: Sequence[float]) -> float:
    return sum(other < value for other in among) + (sum(other == value for other in among) - 1) / 2


def nearest_sets(targets: Sequence[Record], released: Sequence[Record]) -> list[set[int]]:
    """For every target all released rows that are nearest."""
    ranges = joint_ranges(targets, released)
    found = []
    for target in targets:
        distances = [distance(target, record, ranges) for record in released]
        found.append({row for row, d in enumerate(distances) if d < min(distances) + 1e-6})
    return found


def cheapest_total(cost: Sequence[Sequence[float]]) -> float:
    """The smallest sum of costs when every line takes another column; all ways are tried."""
    lines, columns = len(cost), len(cost[0])
    return min(
        sum(cost[line][column] for line, column in enumerate(taken))
        for taken in permutations(range(columns), lines)
    )


def agreement_probabilities(
    patterns: Sequence[Sequence[Sequence[int]]], rounds: int
) -> tuple[list[float], list[float]]:
    """m and u of every attribute from `patterns[target][record]`, by rounds in which each target has one true pair."""
    attributes = range(len(patterns[0][0]))
    pairs = [pattern for line in patterns for pattern in line]
    m = [0.9 for _ in attributes]
    u = [_inside(sum(p[a] for p in pairs) / len(pairs)) for a in attributes]
    for _ in range(rounds):
        true = []
        for line in patterns:
            likelihood = [2 ** score(pattern, m, u) for pattern in line]
            true += [value / sum(likelihood) for value in likelihood]
        false = [1 - share for share in true]
        m = [_share(pairs, true, a) for a in attributes]
        u = [_share(pairs, false, a) for a in attributes]
    return m, u


def score(pattern: Sequence[int], m: Sequence[float], u: Sequence[float]) -> float:
    """Fellegi and Sunter's weight of a pair."""
    return sum(
        math.log2(mine / other) if agrees else math.log2((1 - mine) / (1 - other))
        for agrees, mine, other in zip(pattern, m, u, strict=True)
    )


def _share(pairs: Sequence[Sequence[int]], weights: Sequence[float], attribute: int) -> float:
    agreeing = sum(weight for pair, weight in zip(pairs, weights, strict=True) if pair[attribute])
    return _inside(agreeing / sum(weights))


def _inside(probability: float) -> float:
    return min(max(probability, 1e-6), 1 - 1e-6)


def mean_distance_to_fellows(people: Sequence[Record], fellows: int, neighbours: int) -> list[float]:
    """Mean distance of each to the nearest among the first so many, themselves left out."""
    ranges = joint_ranges(people, people)
    found = []
    for i, person in enumerate(people):
        others = [distance(person, other, ranges) for j, other in enumerate(people[:fellows]) if j != i]
        nearest = sorted(others)[: min(neighbours, fellows - 1)]
        found.append(sum(nearest) / len(nearest))
    return found

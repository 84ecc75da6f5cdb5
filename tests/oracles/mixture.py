"""A domain of whole numbers cut into parts, and the parts as components of a mixture: by lists."""

from __future__ import annotations

from itertools import pairwise

from oracles.normal_chances import rounded


def parts(low: int, high: int, components: int) -> list[list[int]]:
    """The values of every part, in order; no more parts than values."""
    values = list(range(low, high + 1))
    count = min(components, len(values))
    limits = [round(i * (len(values) / count)) for i in range(count + 1)]
    return [values[a:b] for a, b in pairwise(limits)]


def chance(x: int, y: int, low: int, high: int, components: int, spread: float) -> float:
    """The chance that x is released as y; the spread is a share of the number of values."""
    (part,) = (one for one in parts(low, high, components) if x in one)
    middle = sum(part) / len(part)
    return rounded(y, middle, spread * (high - low + 1), low, high)


def privacy(spread: float, components: int, points: int, confidence: float) -> float:
    """The mean share of the components that are needed to hold the original one with this confidence."""
    total, weights = 0.0, 0.0
    for place in range(points):
        chances = []
        for i in range(components):
            middle = (i + 0.5) / components * points - 0.5
            chances.append(rounded(place, middle, spread * points, 0, points - 1))
        weight = sum(chances)
        left, needed = confidence * weight, 0.0
        for one in sorted(chances, reverse=True):
            needed += min(1.0, left / one) if one > 0 and left > 0 else 0.0
            left -= one
        total += weight * needed / components
        weights += weight
    return total / weights

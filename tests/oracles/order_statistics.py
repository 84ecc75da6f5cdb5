"""The r-th smallest of n draws, by adding up binomial probabilities; and how well a distribution fits, by looking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb


def at_least(count: int, size: int, p: float) -> float:
    """P(B >= count), B ~ Binomial(size, p)."""
    return sum(comb(size, b) * p**b * (1 - p) ** (size - b) for b in range(max(count, 0), size + 1))


def chance(below: float, upto: float, ranks: Sequence[int], size: int) -> float:
    """The chance that the draw of a random one of these ranks lies between two positions of the distribution."""
    each = [at_least(rank, size, upto) - at_least(rank, size, below) for rank in ranks]
    return sum(each) / len(each)


def distance(values: Sequence[float], upto: Callable[[float], float], half: float) -> float:
    """The largest distance of the distribution functions, on both sides of every value of a grid."""
    found = 0.0
    for value in values:
        before = sum(other < value for other in values) / len(values)
        after = sum(other <= value for other in values) / len(values)
        found = max(found, abs(upto(value - half) - before), abs(upto(value + half) - after))
    return found

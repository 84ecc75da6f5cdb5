"""Normal distributions cut to bounds and rounded to whole numbers, by the error function."""

from __future__ import annotations

from math import erf, inf, sqrt


def below(z: float) -> float:
    """P(Z <= z) of a standard normal number."""
    return 0.5 * (1 + erf(z / sqrt(2)))


def rounded(y: float, mean: float, spread: float, low: float = -inf, high: float = inf) -> float:
    """The chance that a normal number, given that it rounds to low ... high, rounds to the whole number y."""
    if not low <= y <= high:
        return 0.0
    inside = below((high + 0.5 - mean) / spread) - below((low - 0.5 - mean) / spread)
    return (below((y + 0.5 - mean) / spread) - below((y - 0.5 - mean) / spread)) / inside

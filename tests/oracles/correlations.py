"""Moments, ranks, regressions and normal laws by plain loops and exact sums; rows are lists of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, exp, fsum, pi, sqrt

Row = Sequence[float]
Rows = Sequence[Row]


def column(rows: Rows, j: int) -> list[float]:
    return [row[j] for row in rows]


def mean(values: Row) -> float:
    return fsum(values) / len(values)


def covariance(one: Row, other: Row) -> float:
    """With divisor n - 1; 0 for a single value."""
    if len(one) < 2:
        return 0.0
    here, there = mean(one), mean(other)
    return fsum((a - here) * (b - there) for a, b in zip(one, other, strict=True)) / (len(one) - 1)


def covariances(rows: Rows) -> list[list[float]]:
    width = range(len(rows[0]))
    return [[covariance(column(rows, i), column(rows, j)) for j in width] for i in width]


def correlation(one: Row, other: Row) -> float:
    return covariance(one, other) / sqrt(covariance(one, one) * covariance(other, other))


def mean_ranks(values: Row) -> list[float]:
    """From 1 on; equal values share the mean of their places."""
    return [sum(v < value for v in values) + (sum(v == value for v in values) + 1) / 2 for value in values]


def product(one: Rows, other: Rows) -> list[list[float]]:
    return [
        [fsum(row[m] * other[m][j] for m in range(len(other))) for j in range(len(other[0]))] for row in one
    ]


def transposed(rows: Rows) -> list[list[float]]:
    return [list(values) for values in zip(*rows, strict=True)]


def residuals(values: Row, given: Rows) -> list[float]:
    """What is left of values beside a constant and the columns of `given` (as rows), by Gram and Schmidt, twice."""
    basis: list[list[float]] = []
    for other in [[1.0] * len(values), *([*map(float, c)] for c in transposed(given) if given and given[0])]:
        rest = _beside(other, basis)
        length = sqrt(fsum(v * v for v in rest))
        if length > 1e-12 * sqrt(fsum(v * v for v in other)):
            basis.append([v / length for v in rest])
    return _beside(list(values), basis)


def _beside(values: list[float], basis: list[list[float]]) -> list[float]:
    for _ in range(2):
        for axis in basis:
            along = fsum(v * a for v, a in zip(values, axis, strict=True))
            values = [v - along * a for v, a in zip(values, axis, strict=True)]
    return values


def normal_below(z: float) -> float:
    return 0.5 * (1 + erf(z / sqrt(2)))


def normal_density(x: float, middle: float, spread: float) -> float:
    return exp(-0.5 * ((x - middle) / spread) ** 2) / (spread * sqrt(2 * pi))


def quantile(values: Row, position: float) -> float:
    """Linear interpolation between the sorted values; the i-th of m lies at i / (m - 1)."""
    ordered = sorted(values)
    place = position * (len(ordered) - 1)
    below = min(int(place), max(len(ordered) - 2, 0))
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])

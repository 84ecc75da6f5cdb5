"""Least squares by normal equations and plain elimination, with the intervals of all coefficients and their overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from scipy.stats import t

Row = Sequence[float]


@dataclass(frozen=True)
class Fit:
    """Coefficients without the intercept, half of their intervals, and the share of the variance explained."""

    coefficients: list[float]
    halves: list[float]
    r_squared: float
    records: int


def fit(rows: Sequence[Row], response: Sequence[float], confidence: float) -> Fit:
    """Regress a response on the columns of rows and a constant."""
    design = [[1.0, *row] for row in rows]
    width = len(design[0])
    products = [[fsum(r[i] * r[j] for r in design) for j in range(width)] for i in range(width)]
    sums = [fsum(r[i] * y for r, y in zip(design, response, strict=True)) for i in range(width)]
    inverse = inverted(products)
    found = [fsum(a * b for a, b in zip(line, sums, strict=True)) for line in inverse]
    rest = [
        y - fsum(a * b for a, b in zip(found, r, strict=True)) for r, y in zip(design, response, strict=True)
    ]
    left = fsum(e * e for e in rest)
    degrees = len(design) - width
    half = float(t.ppf((1 + confidence) / 2, degrees))
    halves = [half * sqrt(left / degrees * inverse[i][i]) for i in range(1, width)]
    mean = fsum(response) / len(response)
    return Fit(found[1:], halves, 1 - left / fsum((y - mean) ** 2 for y in response), len(design))


def inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Gauss and Jordan, the largest pivot first."""
    size = len(matrix)
    rows = [[*line, *(float(i == j) for j in range(size))] for i, line in enumerate(matrix)]
    for place in range(size):
        best = max(range(place, size), key=lambda i: abs(rows[i][place]))
        rows[place], rows[best] = rows[best], rows[place]
        pivot = rows[place][place]
        rows[place] = [value / pivot for value in rows[place]]
        for i in range(size):
            if i != place:
                factor = rows[i][place]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[place], strict=True)]
    return [line[size:] for line in rows]


def overlap(first: tuple[float, float], second: tuple[float, float]) -> float:
    """The mean share of two intervals that they have in common."""
    shared = max(min(first[1], second[1]) - max(first[0], second[0]), 0.0)
    return (shared / (first[1] - first[0]) + shared / (second[1] - second[0])) / 2

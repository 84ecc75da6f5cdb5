"""STIRR by plain loops over records and their values; starting weights are given."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, prod, sqrt

Row = tuple[int, ...]
Value = tuple[int, int]
Weights = dict[Value, float]


def signed_power(number: float, power: float) -> float:
    return copysign(float(abs(number) ** power), number)


def combined(weights: Sequence[float], how: str, power: float) -> float:
    if how == "sum":
        return sum(weights)
    if how == "product":
        return prod(weights)
    if how == "max":
        return max(weights)
    return signed_power(sum(signed_power(w, power) for w in weights), 1 / power)


def step(rows: Sequence[Row], weights: Weights, how: str, power: float) -> Weights:
    new = dict.fromkeys(weights, 0.0)
    for row in rows:
        for attribute, value in enumerate(row):
            others = [weights[other, v] for other, v in enumerate(row) if other != attribute]
            new[attribute, value] += combined(others, how, power)
    return new


def blocks(weights: Weights, scaling: str) -> list[list[Value]]:
    if scaling == "table":
        return [list(weights)]
    return [[v for v in weights if v[0] == a] for a in sorted({a for a, _ in weights})]


def orthonormal(vectors: list[Weights], scaling: str) -> None:
    for block in blocks(vectors[0], scaling):
        for i, vector in enumerate(vectors):
            before_all = sqrt(sum(vector[v] ** 2 for v in block))
            for earlier in vectors[:i]:
                along = sum(earlier[v] * vector[v] for v in block)
                for v in block:
                    vector[v] -= along * earlier[v]
            length = sqrt(sum(vector[v] ** 2 for v in block))
            for v in block:
                vector[v] = vector[v] / length if length > 1e-9 * before_all else 0.0


def stirr(
    rows: Sequence[Row], start: list[Weights], steps: int, how: str, scaling: str, power: float = 2.0
) -> list[Weights]:
    vectors = start
    for _ in range(steps):
        vectors = [step(rows, vector, how, power) for vector in vectors]
        orthonormal(vectors, scaling)
    return vectors

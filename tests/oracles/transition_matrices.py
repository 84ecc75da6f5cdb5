"""Transition matrices of categorical values and what follows from them, in plain loops."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

Matrix = list[list[float]]


def change_matrix(probability: float, weights: Sequence[float]) -> Matrix:
    """Stay with 1 - p, else another value in proportion to its weight; alone it stays."""
    size = len(weights)
    if size == 1:
        return [[1.0]]
    matrix = []
    for k in range(size):
        others = sum(weights[m] for m in range(size) if m != k)
        matrix.append([1 - probability if m == k else probability * weights[m] / others for m in range(size)])
    return matrix


def way_back(matrix: Matrix, shares: Sequence[float]) -> Matrix:
    """Q_lk = p_kl π_k / Σ_j p_jl π_j."""
    size = len(shares)
    back = []
    for m in range(size):
        arriving = sum(matrix[j][m] * shares[j] for j in range(size))
        back.append([matrix[k][m] * shares[k] / arriving for k in range(size)])
    return back


def two_stages(matrix: Matrix, shares: Sequence[float], blend: float) -> Matrix:
    """R = P Q, blended with the identity."""
    size, back = len(shares), way_back(matrix, shares)
    both = [[sum(matrix[i][m] * back[m][j] for m in range(size)) for j in range(size)] for i in range(size)]
    return [
        [blend * both[i][j] + (1 - blend) * (1.0 if i == j else 0.0) for j in range(size)]
        for i in range(size)
    ]


def direct(theta: float, shares: Sequence[float]) -> Matrix:
    """p_kk = 1 - θ π_min / π_k and the rest evenly."""
    size, rarest = len(shares), min(shares)
    if size == 1:
        return [[1.0]]
    return [
        [
            1 - theta * rarest / shares[k] if m == k else theta * rarest / ((size - 1) * shares[k])
            for m in range(size)
        ]
        for k in range(size)
    ]


def after(shares: Sequence[float], matrix: Matrix) -> list[float]:
    """π P."""
    return [sum(shares[k] * matrix[k][m] for k in range(len(shares))) for m in range(len(shares))]


def dealt_out(values: Sequence[str], who: int, share: float) -> dict[str, float]:
    """What one record has after some, each with probability `share`, were permuted: by trying everything."""
    chance: dict[str, float] = {}
    for takes_part in product([True, False], repeat=len(values)):
        weight = 1.0
        for part in takes_part:
            weight *= share if part else 1 - share
        rows = [row for row in range(len(values)) if takes_part[row]]
        orders = list(permutations(rows))
        for order in orders:
            source = order[rows.index(who)] if takes_part[who] else who
            chance[values[source]] = chance.get(values[source], 0.0) + weight / len(orders)
    return chance


def gamma_diagonal(gamma: float, size: int) -> Matrix:
    """γx on the diagonal, x elsewhere, rows that sum to 1."""
    x = 1 / (gamma + size - 1)
    return [[gamma * x if i == j else x for j in range(size)] for i in range(size)]


def largest_ratio(matrix: Matrix) -> float:
    """Over all released values and all pairs of originals: how many times as likely from one as from the other."""
    size = len(matrix)
    return max(matrix[i][to] / matrix[j][to] for to in range(size) for i, j in product(range(size), repeat=2))


def worst_belief(matrix: Matrix, prior: float) -> float:
    """The highest belief, after a release, that the original is among some values whose prior belief is `prior`.

    The worst case has all prior on two values, one of them in the set.
    """
    size = len(matrix)
    return max(
        prior * matrix[i][to] / (prior * matrix[i][to] + (1 - prior) * matrix[j][to])
        for to in range(size)
        for i, j in permutations(range(size), 2)
    )

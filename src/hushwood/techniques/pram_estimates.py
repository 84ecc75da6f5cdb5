"""What the receiver of a PRAM release can say about the original frequencies: plain arrays in, plain arrays out.

`matrix[k, l]` is the probability that value k is released as l; frequencies are shares that sum to 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.techniques.probability import checked_probability
from hushwood.techniques.transition import check_entries

Floats = NDArray[np.float64]


def change_matrix(probability: float, weights: Floats) -> Floats:
    """The matrix of PRAM's family: a value changes with one probability, to another in proportion to its weight.

    >>> change_matrix(0.2, np.ones(3)).tolist()
    [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
    """
    checked_probability("probability", probability)
    weights = np.asarray(weights, np.float64)
    check_entries("a column", len(weights) ** 2)
    others = (weights.sum() - weights)[:, None]
    matrix = probability * weights / np.where(others > 0, others, np.inf)
    np.fill_diagonal(matrix, np.where(others[:, 0] > 0, 1 - probability, 1.0))
    return np.asarray(matrix)


def expected_frequencies(matrix: Floats, frequencies: Floats) -> Floats:
    """The mean of the released frequencies: λ = P'π."""
    return np.asarray(matrix.T @ frequencies)


def estimated_frequencies(matrix: Floats, released: Floats, *, clip: bool = True) -> Floats:
    """The original frequencies from the released ones: (P')⁻¹λ, which is unbiased until it is clipped.

    An estimate below 0 or above 1 is replaced by the nearest frequencies that can be.
    """
    estimate = _solved(matrix, np.asarray(released, np.float64))
    return nearest_frequencies(estimate) if clip else estimate


def released_covariance(matrix: Floats, counts: Floats) -> Floats:
    """Covariance of the released frequencies given the data: (1/n²) Σ_k T_k (diag(P_k) - P_k P_k')."""
    counts = np.asarray(counts, np.float64)
    within = np.diag(counts @ matrix) - (matrix.T * counts) @ matrix
    return np.asarray(within / counts.sum() ** 2)


def estimate_covariance(matrix: Floats, counts: Floats) -> Floats:
    """Covariance of the estimate before it is clipped, given the data: (P')⁻¹ Cov(λ) P⁻¹."""
    half = _solved(matrix, released_covariance(matrix, counts))
    return _solved(matrix, half.T)


def nearest_frequencies(values: Floats) -> Floats:
    """The point of the simplex that is nearest in the sense of least squares.

    >>> nearest_frequencies(np.array([0.7, 0.5, -0.2])).round(3).tolist()
    [0.6, 0.4, 0.0]
    """
    falling = np.sort(values)[::-1]
    over = (np.cumsum(falling) - 1) / np.arange(1, len(values) + 1)
    last = int(np.flatnonzero(falling > over)[-1])
    return np.asarray(np.maximum(values - over[last], 0.0))


def _solved(matrix: Floats, right: Floats) -> Floats:
    if np.linalg.cond(matrix) > 1 / np.finfo(np.float64).eps:
        raise InputError("This matrix cannot be inverted: different frequencies give the same released ones.")
    return np.asarray(np.linalg.solve(matrix.T, right))

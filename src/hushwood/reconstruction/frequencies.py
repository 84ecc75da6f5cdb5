"""Original frequencies estimated from a PRAM release or from randomised answers (WARNER), and how precise they are.

PRAM: `matrix[k, l]` is the probability that value k is released as l; frequencies are shares that sum to 1. Warner:
`truth` is the probability p of a true answer. Numbers and arrays only.
"""

from __future__ import annotations

import math

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.techniques.laws.redraw import check_entries, checked_probability
from hushwood.techniques.warner import checked_truth


def change_matrix(probability: float, weights: Floats) -> Floats:
    """The PRAM matrix in which every value changes with one probability, to others in proportion to their weights.

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

    Clipping replaces estimates below 0 or above 1 by the nearest possible frequencies.
    """
    estimate = _solved(matrix, np.asarray(released, np.float64))
    return nearest_frequencies(estimate) if clip else estimate


def released_covariance(matrix: Floats, counts: Floats) -> Floats:
    """Covariance of the released frequencies given the data: (1/n²) Σ_k T_k (diag(P_k) - P_k P_k')."""
    counts = np.asarray(counts, np.float64)
    within = np.diag(counts @ matrix) - (matrix.T * counts) @ matrix
    return np.asarray(within / counts.sum() ** 2)


def estimate_covariance(matrix: Floats, counts: Floats) -> Floats:
    """Covariance of the unclipped estimate given the data: (P')⁻¹ Cov(λ) P⁻¹."""
    half = _solved(matrix, released_covariance(matrix, counts))
    return _solved(matrix, half.T)


def nearest_frequencies(values: Floats) -> Floats:
    """The nearest point of the simplex, by least squares.

    >>> nearest_frequencies(np.array([0.7, 0.5, -0.2])).round(3).tolist()
    [0.6, 0.4, 0.0]
    """
    falling = np.sort(values)[::-1]
    over = (np.cumsum(falling) - 1) / np.arange(1, len(values) + 1)
    last = int(np.flatnonzero(falling > over)[-1])
    return np.asarray(np.maximum(values - over[last], 0.0))


def _solved(matrix: Floats, right: Floats) -> Floats:
    if np.linalg.cond(matrix) > 1 / np.finfo(np.float64).eps:
        raise InputError(
            "This matrix cannot be inverted: different original frequencies give the same released ones."
        )
    return np.asarray(np.linalg.solve(matrix.T, right))


def expected_answers(share: Floats | float, truth: float) -> Floats:
    """The share of answers "yes": λ = pπ + (1 - p)(1 - π)."""
    share = np.asarray(share, np.float64)
    return np.asarray(truth * share + (1 - truth) * (1 - share))


def estimated_share(answers: Floats | float, truth: float, *, clip: bool = True) -> Floats:
    """The true share from the share of answers "yes": (λ + p - 1) / (2p - 1).

    Unbiased as it is; clipped to [0, 1] it is the maximum likelihood estimate.

    >>> float(estimated_share(0.44, 0.8, clip=False).round(3))
    0.4
    """
    checked_truth(truth)
    estimate = (np.asarray(answers, np.float64) + truth - 1) / (2 * truth - 1)
    return np.clip(estimate, 0.0, 1.0) if clip else np.asarray(estimate)


def estimate_variance(share: Floats | float, truth: float, answers: int) -> Floats:
    """Variance of the unclipped estimate from a random sample: that of sampling plus that of the method."""
    share = np.asarray(share, np.float64)
    return np.asarray(share * (1 - share) / answers + response_variance(truth, answers))


def response_variance(truth: float, answers: int) -> float:
    """The part that random answers add, the only one for a fixed table: p(1 - p) / (n(2p - 1)²)."""
    checked_truth(truth)
    return truth * (1 - truth) / (answers * (2 * truth - 1) ** 2)


def local_epsilon(truth: float) -> float:
    """ε of local differential privacy for one answer: ln of the larger over the smaller of p and 1 - p.

    >>> round(local_epsilon(0.75), 4)
    1.0986
    """
    checked_truth(truth)
    larger, smaller = max(truth, 1 - truth), min(truth, 1 - truth)
    return math.log(larger / smaller) if smaller > 0 else math.inf

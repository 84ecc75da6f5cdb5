"""What randomised answers tell about the true share of "yes", how precisely, and how private a single answer is.

Plain numbers and arrays in and out; `truth` is the probability p of a true answer (`warner`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hushwood.techniques.warner import checked_truth

Floats = NDArray[np.float64]


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
    """Variance of the unclipped estimate from so many people drawn at random: the sample's plus the method's."""
    share = np.asarray(share, np.float64)
    return np.asarray(share * (1 - share) / answers + response_variance(truth, answers))


def response_variance(truth: float, answers: int) -> float:
    """The part that the random answers add, which is all of it for a given table: p(1 - p) / (n(2p - 1)²)."""
    checked_truth(truth)
    return truth * (1 - truth) / (answers * (2 * truth - 1) ** 2)


def local_epsilon(truth: float) -> float:
    """The ε of local differential privacy of one answer: ln of the larger over the smaller of p and 1 - p.

    >>> round(local_epsilon(0.75), 4)
    1.0986
    """
    checked_truth(truth)
    larger, smaller = max(truth, 1 - truth), min(truth, 1 - truth)
    return math.log(larger / smaller) if smaller > 0 else math.inf

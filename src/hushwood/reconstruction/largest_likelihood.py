"""The largest mean log likelihood that a mixture of known components can reach, by Newton steps (mixsqp).

At shares x with the mixture m = K x, the second-order expansion of -Σ w log(K y) + Σ y is a least-squares problem for
y ≥ 0 (Kim, Carbonetto, Stephens and Anitescu 2020). A line search keeps every step an improvement. No component can
raise the likelihood by more than the logarithm of the largest Σ w K / m, which says when to stop.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats

ENOUGH = 1e-3  # of the log likelihood of all records
MOST_STEPS = 100
_RIDGE = 1e-10
_LEAST = 1e-12  # a share of 0 would leave a value that only its component explains a likelihood of 0
_SMALLEST_STEP = 1e-9


def largest_likelihood(counts: Floats, kernel: Floats, start: Floats) -> float:
    """Per record, at most ENOUGH / records too small; every value must be possible at the start."""
    records = float(counts.sum())
    root, reached = np.sqrt(counts / records), start > 0
    kernel, shares = kernel[:, reached], start[reached] / start.sum()
    best = _likelihood(root, kernel, shares)
    for _ in range(MOST_STEPS):
        scaled = kernel * (root / (kernel @ shares))[:, None]
        slope = scaled.T @ root
        if records * np.log(slope.max()) <= ENOUGH:
            break
        direction = _quadratic_minimum(scaled, slope, shares) - shares
        size = 1.0
        while size > _SMALLEST_STEP:
            following = np.maximum(shares + size * direction, _LEAST)
            following /= following.sum()
            found = _likelihood(root, kernel, following)
            if found > best:
                break
            size /= 2
        else:
            break
        shares, best = following, found
    return best


def _likelihood(root: Floats, kernel: Floats, shares: Floats) -> float:
    mixed = kernel @ shares
    return float(root**2 @ np.log(mixed)) if (mixed > 0).all() else -np.inf


def _quadratic_minimum(scaled: Floats, slope: Floats, shares: Floats) -> Floats:
    """The shares that minimise the expansion at `shares`: half y'Hy - (2 slope - 1)'y, for y of 0 or more."""
    from scipy.optimize import nnls

    curved = scaled.T @ scaled
    ridge = _RIDGE * np.trace(curved) / len(curved)
    lower = np.linalg.cholesky(curved + ridge * np.eye(len(curved)))
    aim = np.linalg.solve(lower, 2 * slope - 1 + ridge * shares)
    return np.asarray(nnls(lower.T, aim, maxiter=100 * len(shares))[0])

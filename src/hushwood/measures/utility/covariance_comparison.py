"""Covariance matrices before and after as a whole: their distance, their eigenvalues and Box's M.

Single pairs are compared in `correlations`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.utility.numeric_columns import finite_or_none
from hushwood.measures.utility.numeric_correlations import PairMoments

Matrix = NDArray[np.float64]


def compared_covariances(before: PairMoments, after: PairMoments) -> dict[str, Any] | None:
    """How two covariance matrices in the same units differ; None if fewer than two columns vary in the first.

    Both are brought to the original's standard deviations: its own matrix becomes that of its correlations, and no
    column counts more for being written in small units. `frobenius` is ‖S − S'‖/‖S‖. `box_m` is Box's M, with its
    degrees of freedom; None where a matrix is singular.
    """
    spread = np.sqrt(np.diag(before.variances))
    varies = np.ix_(spread > 0, spread > 0)
    scale = np.outer(spread, spread)[varies]
    with np.errstate(over="ignore"):
        first, second = before.covariances[varies] / scale, after.covariances[varies] / scale
    if len(first) < 2 or not np.isfinite(second).all():
        return None
    records = tuple(int(moments.counts[varies].min()) for moments in (before, after))
    box = _box_m(first, second, records)
    return {
        "frobenius": finite_or_none(float(np.linalg.norm(first - second) / np.linalg.norm(first))),
        "eigenvalues_before": _eigenvalues(first),
        "eigenvalues_after": _eigenvalues(second),
        "box_m": box,
        "box_degrees": None if box is None else len(first) * (len(first) + 1) // 2,
    }


def _eigenvalues(matrix: Matrix) -> list[float]:
    """Largest first."""
    return [float(value) for value in np.linalg.eigvalsh(matrix)[::-1]]


def _box_m(first: Matrix, second: Matrix, records: tuple[int, ...]) -> float | None:
    """(N − 2) ln|S_p| − Σ (n_i − 1) ln|S_i|, S_p being the pooled covariance."""
    freedom = [count - 1 for count in records]
    if min(freedom) < len(first):
        return None
    pooled = (freedom[0] * first + freedom[1] * second) / sum(freedom)
    signs, logs = zip(*(np.linalg.slogdet(matrix) for matrix in (pooled, first, second)), strict=True)
    if min(signs) <= 0:
        return None
    return finite_or_none(sum(freedom) * logs[0] - freedom[0] * logs[1] - freedom[1] * logs[2])

"""Stacks of covariance matrices, one for every cell: what is divided by them, and what is left beside rounding error.

`moment_kernels` computes them; the joint laws and the scores of `copula` are made of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Stack = NDArray[np.float64]

ROUNDING = 1e-10  # a variance below this share of what it was taken from is rounding error


def spreads(covariance: Stack) -> NDArray[np.float64]:
    """Standard deviations [cell, column]."""
    return np.asarray(np.sqrt(np.maximum(np.diagonal(covariance, axis1=1, axis2=2), 0.0)))


def products(spread: NDArray[np.float64]) -> Stack:
    """Products of two columns' spreads [cell, column, column], with 1 for a column without spread."""
    unit = np.where(spread > 0, spread, 1.0)
    return np.asarray(unit[:, :, None] * unit[:, None, :])


def inverses(covariance: Stack) -> Stack:
    """Pseudo-inverses, whatever the columns' units; nearly dependent columns count as dependent."""
    units = products(spreads(covariance))
    return np.asarray(np.linalg.pinv(covariance / units, rcond=ROUNDING, hermitian=True) / units)


def without_rounding(rest: Stack, whole: Stack) -> Stack:
    """What is left of covariances, with exactly 0 for a column of which only rounding error is left."""
    left = np.diagonal(rest, axis1=1, axis2=2) > ROUNDING * np.diagonal(whole, axis1=1, axis2=2)
    return np.where(left[:, :, None] & left[:, None, :], rest, 0.0)

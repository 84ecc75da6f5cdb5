"""What a reader of a release with KIM or TENDICK finds about a part of its records: means and covariances corrected.

Both methods keep the moments of the whole, and by that bias those of its parts (Kim 1990; algorithms 5). Here the
bias is taken back, from released numbers and the published noise alone; it needs noise that was not bounded.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def subpopulation_mean(part: Matrix, whole: Matrix, scale: float) -> Matrix:
    """Estimated original means of a part: (mean of the part - b) / c with b = (1 - c) · mean of the whole.

    `part` and `whole` are released records [record, column]; `scale` is c (`correlated_noise.shrinking`).

    >>> whole = np.array([[0.0], [4.0], [8.0]])
    >>> subpopulation_mean(whole[2:], whole, 0.8).tolist()
    [9.0]
    """
    return np.asarray((part.mean(axis=0) - (1 - scale) * whole.mean(axis=0)) / scale)


def subpopulation_covariance(part: Matrix, whole: Matrix, noise: float, scale: float) -> Matrix:
    """Estimated original covariances of a part: cov(part) / c² - d · cov(whole).

    >>> whole = np.array([[0.0], [4.0], [8.0], [4.0]])
    >>> float(subpopulation_covariance(whole[1:3], whole, 0.25, 0.5)[0, 0])
    29.333333333333332
    """
    own, all_of_it = (np.atleast_2d(np.cov(records, rowvar=False)) for records in (part, whole))
    return np.asarray(own / scale**2 - noise * all_of_it)

"""Means and covariances of a subpopulation, estimated from a release by KIM or TENDICK.

Both methods keep the moments of the whole table and thereby bias those of its parts (Kim 1990; algorithms 5). The bias
is removed here from released numbers and the published noise alone; the noise must not have been bounded.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats


def subpopulation_mean(part: Floats, whole: Floats, scale: float) -> Floats:
    """Estimated original means of a part: (mean of the part - b) / c, with b = (1 - c) · mean of the whole.

    `part` and `whole` are released records [record, column]; `scale` is c (`correlated_noise.shrinking`).

    >>> whole = np.array([[0.0], [4.0], [8.0]])
    >>> subpopulation_mean(whole[2:], whole, 0.8).tolist()
    [9.0]
    """
    return np.asarray((part.mean(axis=0) - (1 - scale) * whole.mean(axis=0)) / scale)


def subpopulation_covariance(part: Floats, whole: Floats, noise: float, scale: float) -> Floats:
    """Estimated original covariances of a part: cov(part) / c² - d · cov(whole).

    >>> whole = np.array([[0.0], [4.0], [8.0], [4.0]])
    >>> float(subpopulation_covariance(whole[1:3], whole, 0.25, 0.5)[0, 0])
    29.333333333333332
    """
    own, total = (np.atleast_2d(np.cov(records, rowvar=False)) for records in (part, whole))
    return np.asarray(own / scale**2 - noise * total)

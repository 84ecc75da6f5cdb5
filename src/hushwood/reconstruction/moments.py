"""Means and covariances estimated from a release by KIM, TENDICK or KIMWINKLER95, and from one by SADP or TRAUB.

The first three keep the moments of the whole table and thereby bias those of its parts (Kim 1990): the
first two functions estimate those of a subpopulation. The others keep all means and add to the variances. Everything is
done from released numbers and the published noise alone; the noise must not have been bounded.
"""

from __future__ import annotations

import math

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError


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


def covariance_without_noise(released: Floats, noise: float) -> Floats:
    """Original covariances from a release by SADP or TRAUB: only the variances, 1 + d times too large, are corrected.

    >>> covariance_without_noise(np.array([[0.0, 1.0], [4.0, 3.0], [2.0, 2.0]]), 1.0).tolist()
    [[2.0, 2.0], [2.0, 0.5]]
    """
    found = np.atleast_2d(np.cov(released, rowvar=False))
    return np.asarray(np.where(np.eye(len(found), dtype=bool), found / (1 + noise), found))


def chance_of_error(noise: float, records: int, error: float) -> float:
    """At most how likely the mean over n `records` is off by more than `error` (t) standard deviations of the column.

    By Chebyshev's inequality, d / (n·t²), from noise with d times the column's variance (TRAUB, SADP).

    >>> round(chance_of_error(0.5, 500, 0.1), 9)
    0.1
    """
    _check_error(records, error)
    return min(noise / (records * error**2), 1.0)


def records_needed(noise: float, error: float, risk: float) -> int:
    """The fewest records whose mean is off by more than `error` standard deviations with a chance of at most `risk`.

    >>> records_needed(0.5, 0.1, 0.1)
    500
    """
    _check_error(1, error)
    if not 0 < risk <= 1:
        raise InputError(f"risk must be above 0 and at most 1; {risk:g} was given.")
    return max(math.ceil(round(noise / (error**2 * risk), 9)), 1)


def _check_error(records: int, error: float) -> None:
    if records < 1 or not error > 0:
        raise InputError(f"records must be 1 or more and error above 0; {records} and {error:g} were given.")

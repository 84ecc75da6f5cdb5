"""What a control group of one size says about one of another: fewer or more people fit a predicate.

Predicates differ in how common what they ask for is. If the number of people among n who fit one is Poisson with a mean
that is itself gamma distributed over predicates, the counts in the control are negative binomial; fitted to them, the
same law tells how often exactly one of any other number fits. The reference's formula, which lets all chances up to one
limit be equally common (algorithms 7), came out at half of the truth for four times the control's size.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hushwood.attacks.guesses import Floats, PredicateGuesses
from hushwood.attacks.predicates import count_matches
from hushwood.tables.table import Array

MOST = 6  # counts from here on are one cell of the fit
# Where the search begins, as (shape, mean) of the gamma law: predicates alike and rare, unlike and common, and between.
_BEGINNINGS = ((0.1, 0.1), (0.05, 3.0), (1.0, 1.0), (0.4, 8.0))


def control_factor(predicates: PredicateGuesses, control: Mapping[str, Array], rows: int) -> float:
    """By what the successes in the control are to be multiplied to have those among so many rows; 1 without any."""
    own = len(next(iter(control.values()))) if control else 0
    if not own or rows == own:
        return 1.0
    counts = np.bincount(count_matches(predicates, control, most=MOST)[0], minlength=MOST + 1)
    if not counts[1]:
        return 1.0
    shape, mean = fitted(counts)
    return float(share_of_one(shape, mean * rows / own) / share_of_one(shape, mean))


def share_of_one(shape: float, mean: float) -> float:
    """How many predicates exactly one person fits, if their means are gamma distributed."""
    scale = mean / shape
    return float(mean * (1 + scale) ** -(shape + 1))


def fitted(counts: NDArray[np.int64]) -> tuple[float, float]:
    """Shape and mean of the gamma law that makes the numbers of predicates with 0, 1, ... people most likely."""
    from scipy.optimize import minimize

    def misfit(logs: Floats) -> float:
        return -float(counts @ np.log(np.maximum(_cells(*np.exp(np.clip(logs, -20, 20))), 1e-300)))

    tried = [minimize(misfit, np.log(start), method="Nelder-Mead") for start in _BEGINNINGS]
    best = min(tried, key=lambda result: float(result.fun))
    shape, mean = np.exp(np.clip(best.x, -20, 20)).tolist()
    return shape, mean


def _cells(shape: float, mean: float) -> Floats:
    """The negative binomial shares of 0, 1, ... and of the last cell, which holds all larger counts."""
    from scipy.stats import nbinom

    law = nbinom(shape, shape / (shape + mean))
    return np.append(law.pmf(np.arange(MOST)), law.sf(MOST - 1))

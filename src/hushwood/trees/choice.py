"""Which attribute a node tests, given every attribute's gain and split information (algorithms 1.2, steps 4-5).

Works on all nodes of a level at once; the gains come from `split_search`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushwood.trees.options import GrowOptions

NONE = -1
AVERAGE_TOLERANCE = 1e-3


def choose(
    gain: NDArray[np.float64], info: NDArray[np.float64], averaged: NDArray[np.bool_], options: GrowOptions
) -> NDArray[np.int64]:
    """The winning attribute of every node, or NONE; `gain` and `info` are [attribute, node], gain < 0 is barred.

    Attributes are compared in column order, and a later one wins only if it is better by more than the variant's
    tie tolerance.
    """
    constants = options.constants
    score, allowed = gain.copy(), gain >= 0
    if options.criterion != "gini":
        allowed &= info > constants.least_information
    if options.criterion == "gain_ratio":
        np.divide(gain, info, out=score, where=allowed)
        allowed &= gain >= _average(gain, averaged) - AVERAGE_TOLERANCE
    best = np.full(gain.shape[1], constants.least_score)
    winner = np.full(gain.shape[1], NONE, np.int64)
    for attribute in range(len(gain)):
        better = allowed[attribute] & (score[attribute] > best + constants.improvement)
        best[better] = score[attribute][better]
        winner[better] = attribute
    return winner


def _average(gain: NDArray[np.float64], averaged: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean gain of the allowed attributes, without the many-valued ones; infinite where there are none."""
    counted = (gain >= 0) & averaged[:, None]
    number = counted.sum(axis=0)
    total = np.where(counted, gain, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, number, out=np.full(gain.shape[1], np.inf), where=number > 0))

"""Which attribute a node tests in See5 (algorithms 1.6.3); the other variants' rule is in `choice`.

Works on all nodes of a level at once; gains and split information are in single precision, as See5 keeps them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushwood.trees.choice import NONE
from hushwood.trees.training import TrainingSet

MANY_VALUES = 0.3  # share of the records from which on a categorical attribute is left out
LEAST_GAIN = 1e-4
NEARLY = 0.999
# From 500 records a class on the average gain counts less and less, from 1000 on not at all.
FEW_RECORDS, RECORDS_BETWEEN = 500, 500


def rounded(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers in single precision, kept as doubles."""
    return numbers.astype(np.float32).astype(np.float64)


def left_out(training: TrainingSet) -> NDArray[np.bool_]:
    """The categorical attributes with too many values for the table, unless all attributes are like that."""
    categorical = np.array([values is None for values in training.values], bool)
    many = categorical & (training.branches + 1 >= MANY_VALUES * training.records)
    return np.asarray(many & ~many.all())


def choose_see5(
    gain: NDArray[np.float64], info: NDArray[np.float64], total: NDArray[np.float64], training: TrainingSet
) -> NDArray[np.int64]:
    """The winning attribute of every node, or NONE; `gain` and `info` are [attribute, node], `total` by node."""
    gain, info = rounded(gain), rounded(info)
    allowed = (gain >= LEAST_GAIN) & ~left_out(training)[:, None]
    allowed &= (gain >= NEARLY * _least_gain(gain, allowed, total, training)) & (info > 0)
    ratio = rounded(np.divide(gain, info, out=np.zeros_like(gain), where=allowed))
    # A numeric test has two branches; See5 counts one more, for values that do not apply, everywhere.
    branches = np.maximum(training.branches, 2) + 1
    nodes = gain.shape[1]
    winner, best = np.full(nodes, NONE, np.int64), np.zeros(nodes)
    best_gain, best_branches = np.zeros(nodes), np.zeros(nodes, np.int64)
    for a in range(len(gain)):
        simpler = (branches[a] < best_branches) | ((branches[a] == best_branches) & (gain[a] > best_gain))
        leads = (winner == NONE) | (ratio[a] > best) | ((ratio[a] > NEARLY * best) & simpler)
        leads &= allowed[a]
        winner[leads] = a
        best[leads], best_gain[leads], best_branches[leads] = ratio[a][leads], gain[a][leads], branches[a]
    return winner


def _least_gain(
    gain: NDArray[np.float64], allowed: NDArray[np.bool_], total: NDArray[np.float64], training: TrainingSet
) -> NDArray[np.float64]:
    """What an attribute must gain: the average in a small table, the price of naming it in a large one."""
    number = np.maximum(allowed.sum(axis=0), 1)
    average = np.where(allowed, gain, 0.0).sum(axis=0) / number
    large = np.clip((training.records // len(training.classes) - FEW_RECORDS) / RECORDS_BETWEEN, 0.0, 1.0)
    return np.asarray((1 - large) * average + 0.9 * large * np.log2(number) / total)

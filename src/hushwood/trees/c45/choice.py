"""Which attribute a node tests, given every attribute's gain and split information (docs/trees.md).

Works on all nodes of a level at once; the gains come from `kernels.scan`, which reads the options as a `Rule`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.trees.c45.nodes import NONE
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import TrainingSet

AVERAGE_TOLERANCE = 1e-3
MANY_VALUES = (
    0.3  # share of the records above which a categorical attribute does not count in the average gain
)


def choose(gain: Floats, info: Floats, averaged: Flags, options: GrowOptions) -> Integers:
    """The winning attribute of every node, or NONE; `gain` and `info` are [attribute, node], gain < 0 is barred.

    Attributes are compared in column order, and a later one wins only if it is better by more than the variant's
    tie tolerance.
    """
    score, allowed = gain.copy(), gain >= 0
    if options.criterion != "gini":
        allowed &= info > options.constants.least_information
    if options.criterion == "gain_ratio":
        np.divide(gain, info, out=score, where=allowed)
        allowed &= gain >= _average(gain, averaged) - AVERAGE_TOLERANCE
    return first_best(score, allowed, options)


def first_best(score: Floats, allowed: Flags, options: GrowOptions) -> Integers:
    """The allowed attribute with the best score in every node, the first of equal ones, or NONE."""
    constants = options.constants
    best = np.full(score.shape[1], constants.least_score)
    winner = np.full(score.shape[1], NONE, np.int64)
    for attribute in range(len(score)):
        better = allowed[attribute] & (score[attribute] > best + constants.improvement)
        best[better] = score[attribute][better]
        winner[better] = attribute
    return winner


def _average(gain: Floats, averaged: Flags) -> Floats:
    """Mean gain of the allowed attributes, without the many-valued ones; infinite where there are none."""
    counted = (gain >= 0) & averaged[:, None]
    number = counted.sum(axis=0)
    total = np.where(counted, gain, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, number, out=np.full(gain.shape[1], np.inf), where=number > 0))


def counts_in_average(training: TrainingSet) -> Flags:
    """The attributes whose gains make the average: all but many-valued ones, unless all are."""
    categorical = np.array([values is None for values in training.values], bool)
    many = categorical & (training.branches >= MANY_VALUES * training.size)
    return np.asarray(~many | many.all())


def split_rule(options: GrowOptions, training: TrainingSet) -> Any:
    """The options as the kernels read them."""
    from hushwood.trees.kernels.scan import Rule

    constants, gini = options.constants, options.criterion == "gini"
    limits = float(options.min_leaf), constants.slack, constants.improvement, constants.both_sides
    return Rule(*limits, gini, training.class_bits)


def x_log_x(records: int) -> Floats:
    """x·log2(x) for all whole weights up to the number of records."""
    whole = np.arange(records + 1, dtype=np.float64)
    return whole * np.log2(np.maximum(whole, 1.0))

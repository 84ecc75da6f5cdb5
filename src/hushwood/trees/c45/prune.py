"""Collapsing and error-based pruning of a grown tree (docs/trees.md)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes, Integers
from hushwood.trees.c45.nodes import GrownNodes
from hushwood.trees.forest import LEAF
from hushwood.trees.options import CONSTANTS, GrowOptions
from hushwood.trees.training import TrainingSet

RECORDS_FOR_THREADS = 100_000
# Release 8 interpolates the normal deviate in this table; J48 takes the exact quantile.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def estimated_errors(weight: float, errors: float, confidence: float, variant: str) -> float:
    """Errors seen plus those to expect of a leaf with that weight.

    >>> round(estimated_errors(16, 1, 0.25, "c45"), 4)
    2.5069
    """
    from hushwood.trees.kernels.prune import extra_errors

    return errors + float(extra_errors(float(weight), float(errors), estimate_rule(confidence, variant)))


def estimate_rule(confidence: float, variant: str, complete: bool = False) -> Any:
    """What the kernels need to know to estimate errors."""
    from scipy.special import ndtri

    from hushwood.trees.kernels.prune import Estimate

    j48 = variant == "j48"
    deviate = float(-ndtri(confidence)) if j48 else float(np.interp(confidence, _CONFIDENCES, _DEVIATES))
    slack = CONSTANTS[variant].slack
    see5 = variant == "see5"
    return Estimate(confidence, deviate * deviate, j48, slack, slack if j48 else 0.0, complete, see5)


def collapse(nodes: GrownNodes, branches: Integers, options: GrowOptions) -> GrownNodes:
    """Make a leaf of every node whose subtree saves no training errors; forced tests stay."""
    as_leaf = nodes.counts.sum(axis=1) - nodes.counts.max(axis=1)
    errors, attribute = as_leaf.copy(), nodes.attribute.copy()
    limit = options.constants.collapse_share * as_leaf - options.constants.collapse_slack
    for node in np.flatnonzero(attribute != LEAF)[::-1].tolist():
        first = nodes.first_child[node]
        subtree = float(errors[first : first + branches[node]].sum())
        errors[node] = subtree
        if subtree >= limit[node] and not nodes.forced[node]:
            attribute[node] = LEAF
            if options.constants.collapse_bottom_up:
                errors[node] = as_leaf[node]
    return replace(nodes, attribute=attribute)


def prune(
    nodes: GrownNodes,
    branches: Integers,
    training: TrainingSet,
    options: GrowOptions,
    threads: int = 1,
) -> GrownNodes:
    """Replace subtrees by leaves or by their largest branch where that is expected to err no more."""
    from hushwood.trees.kernels.prune import Nodes, Records, Trial, prune_subtree

    work = Nodes(*packed(nodes, branches))
    weights = np.empty(0) if training.weights is None else training.weights
    records = Records(training.codes, training.class_codes, weights)
    counted = training.complete and training.weights is None
    how = estimate_rule(options.confidence, options.variant, counted)
    size, classes = nodes.counts.shape

    def cut_back(root: int, rows: Codes, below_done: bool) -> None:
        space = np.zeros((size, classes)), np.zeros(size, bool), np.zeros(size, np.int64), np.zeros(size)
        prune_subtree(root, rows, below_done, work, records, how, Trial(*space, np.zeros(classes)))

    parts = _root_parts(nodes, training) if threads > 1 else []
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        list(pool.map(lambda part: cut_back(part[0], part[1], False), parts))
    cut_back(0, np.arange(training.records, dtype=np.int32), bool(parts))
    return unpacked(work)


def packed(nodes: GrownNodes, branches: Integers) -> list[Array]:
    """Copies of the nodes' arrays in the order of the kernels' `Nodes`; errors are zero."""
    test = nodes.attribute, nodes.cut, nodes.threshold, nodes.first_child, branches
    return [part.copy() for part in (*test, nodes.counts, np.zeros(len(branches)), nodes.forced)]


def unpacked(nodes: Any, size: int | None = None) -> GrownNodes:
    """The kernels' nodes, or the first `size`, as they are grown."""
    attribute, cut, threshold, first_child, _, counts, _, forced = (part[:size] for part in nodes)
    return GrownNodes(attribute, cut, threshold, first_child, counts, forced)


def _root_parts(nodes: GrownNodes, training: TrainingSet) -> list[tuple[int, Codes]]:
    """The two subtrees below a numeric root and their records: they can be pruned at the same time.

    Empty when that is not worth it, or when records have weights, or unknown values and so belong to both.
    """
    counted = training.complete and training.weights is None
    if not counted or training.records < RECORDS_FOR_THREADS or nodes.cut[0] < 0:
        return []
    low = training.codes[nodes.attribute[0]] <= nodes.cut[0]
    first = int(nodes.first_child[0])
    return [(first + side, np.flatnonzero(part).astype(np.int32)) for side, part in enumerate((low, ~low))]

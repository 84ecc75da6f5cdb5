"""A tree while it is made: how a level's nodes choose their tests, how the tree is pruned, and the finished Tree.

`growth` makes the nodes level by level; the gains come from `kernels.scan`, which reads the options as a `Rule`.
Collapsing and error-based pruning cut them back (docs/trees.md). Every variant ends with `finished_tree`, which numbers
the nodes in preorder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.options import CONSTANTS, GrowOptions
from hushwood.trees.training import TrainingSet

NONE = -1
AVERAGE_TOLERANCE = 1e-3
MANY_VALUES = (
    0.3  # share of the records above which a categorical attribute does not count in the average gain
)
RECORDS_FOR_THREADS = 100_000
# Release 8 interpolates the normal deviate in this table; J48 takes the exact quantile.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
_DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


class Split(NamedTuple):
    """A test: an attribute (LEAF for none) and, if it is numeric, the ranks on both sides of the cut, else NONE."""

    attribute: int
    below: int = NONE
    above: int = NONE


@dataclass(frozen=True)
class ForcedTests:
    """Tests that SysFor prescribes: of the root, and of its branches (by branch number)."""

    root: Split
    children: Mapping[int, Split]


@dataclass(frozen=True)
class GrownNodes:
    """A tree numbered level by level: the children of a node are consecutive from `first_child`.

    `cut` is the rank of the threshold (NONE in a categorical test), `forced` marks tests that must stay.
    """

    attribute: Integers
    cut: Integers
    threshold: Floats
    first_child: Integers
    counts: Floats
    forced: Flags


def gathered(nodes: Sequence[tuple[Array, ...]], counts: Floats) -> GrownNodes:
    """Put the levels' nodes in their places; nodes that were never opened are leaves."""
    blank: tuple[tuple[Any, Any], ...] = (
        (LEAF, np.int64),
        (NONE, np.int64),
        (np.nan, float),
        (NONE, np.int64),
        (False, bool),
    )
    arrays = [np.full(len(counts), fill, kind) for fill, kind in blank]
    for at, *parts in nodes:
        for array, part in zip(arrays, parts, strict=True):
            array[at] = part
    attribute, cut, threshold, first_child, forced = arrays
    return GrownNodes(attribute, cut, threshold, first_child, counts, forced)


def finished_tree(nodes: GrownNodes, branches: Integers, options: GrowOptions) -> Tree:
    """Number the surviving nodes in preorder and add labels, thresholds and where missing values go."""
    order, children = preorder(nodes, branches)
    attribute, counts = nodes.attribute[order], nodes.counts[order]
    label, missing_to = np.zeros(len(order), np.int32), np.full(len(order), LEAF, np.int32)
    slack = options.constants.slack
    weight = counts.sum(axis=1)
    for node, own in enumerate(children):
        # An empty branch has its parent's label already, because parents come first.
        if weight[node] > 0:
            label[node] = int(np.argmax(counts[node] >= counts[node].max() - slack))
        label[own] = label[node]
        if own:
            missing_to[node] = own[int(np.argmax(weight[own] >= weight[own].max() - slack))]
    return Tree(
        attribute=attribute.astype(np.int32),
        threshold=np.where(attribute == LEAF, np.nan, nodes.threshold[order]),
        branch_start=np.cumsum([0, *(len(own) for own in children)], dtype=np.int64),
        branches=np.array([child for own in children for child in own], np.int32),
        missing_to=missing_to,
        counts=counts,
        label=label,
    )


def preorder(nodes: GrownNodes, branches: Integers) -> tuple[Integers, Sequence[list[int]]]:
    """Old numbers of the reachable nodes in preorder, and the new numbers of each node's children."""
    order: list[int] = []
    children: list[list[int]] = []
    waiting = [(0, LEAF)]
    while waiting:
        node, parent = waiting.pop()
        place = len(order)
        if parent != LEAF:
            children[parent].append(place)
        order.append(node)
        children.append([])
        attribute = int(nodes.attribute[node])
        if attribute != LEAF:
            first = int(nodes.first_child[node])
            own = range(first, first + int(branches[attribute]))
            waiting.extend((child, place) for child in reversed(own))
    return np.array(order), children


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

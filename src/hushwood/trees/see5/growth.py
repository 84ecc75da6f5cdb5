"""See5's single tree (C5.0 without boosting, rules and value subsets), from coded records to a finished Tree.

C4.5's levels, scored and chosen in See5's way. A subtree can also be grown on some records, under a given test, as
See5's pruning needs. Gains and split information are in single precision, as See5 keeps them. `pruning` cuts back, and
leaves are merged at the end (docs/trees.md).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from hushwood.arrays import Codes, Flags, Floats, Floats32, Integers
from hushwood.trees.c45.growth import Grower, Order, Work, grow_with
from hushwood.trees.c45.nodes import NONE, ForcedTests, GrownNodes, Split, collapse, finished_tree, preorder
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.kernels import scan as scan_kernels
from hushwood.trees.kernels import see5 as see5_kernels
from hushwood.trees.options import GrowOptions
from hushwood.trees.see5.pruning import prune_globally, prune_see5
from hushwood.trees.training import RecordPart, TrainingSet, room_for

PURE = 0.999  # share of one class from which on a node is a leaf
# In a node of more records than this, more than half without a value of an attribute with this many values, records of
# less weight than this are lost.
LOSE_FROM, LOSE_VALUES, LOSE_BELOW = 1000, 9, 0.1
LARGEST = float(np.finfo(np.float32).max) / 4
MANY_VALUES = 0.3  # share of the records from which on a categorical attribute is not tested
LEAST_GAIN = 1e-4
NEARLY = 0.999
# From 500 records a class on the average gain counts less and less, from 1000 on not at all.
FEW_RECORDS, RECORDS_BETWEEN = 500, 500
MERGED_FROM = 3  # a test of fewer values is left as it is


class See5Grower(Grower):
    """The steps of one level, See5's; `begin` says on what the next tree is grown."""

    def __init__(
        self, training: TrainingSet, options: GrowOptions, threads: int, pool: ThreadPoolExecutor
    ) -> None:
        super().__init__(training, options, None, threads, pool)
        self.part: RecordPart | None = None
        self.reach_bits = [0] * len(training.values)
        self.singles = [single_values(np.empty(0) if v is None else v) for v in training.values]

    def begin(self, forced: ForcedTests | None, part: RecordPart | None = None, depth: int = 0) -> None:
        """Prepare for a tree on a part of the records (or all) whose root lies at a depth."""
        self.forced, self.part = forced, part
        self.room = room_for(self.training.records if part is None else len(part.rows))
        most = self.options.max_depth
        self.most_depth = None if most is None else most - depth

    def root(self) -> Work:
        """All records, or those of the part."""
        if self.part is None:
            return super().root()
        training, rows = self.training, self.part.rows
        classes = training.class_codes[rows]
        weights = self.part.weights if len(self.part.weights) else None
        counts = np.bincount(classes, weights, len(training.classes)).astype(np.float64)[None, :]
        level = scan_kernels.Level(
            np.array([0, len(rows)]), rows, self.part.weights, classes, counts, counts.sum(axis=1)
        )
        orders = [None if v is None else self.order_of(a, rows) for a, v in enumerate(training.values)]
        return Work(level, orders, np.zeros((1, len(orders)), bool), np.array([NONE]))

    def order_of(self, a: int, rows: Codes) -> Order:
        """The order of a numeric attribute over some records."""
        codes = self.training.codes[a]
        own = codes[rows]
        entries = np.argsort(own, kind="stable")[int((own < 0).sum()) :]
        named = rows[entries].astype(np.int64) if self.whole else entries
        order = np.empty(len(entries), np.int64)
        see5_kernels.pack_order(
            rows[entries], named, codes, self.training.class_codes, self.rule.class_bits, order
        )
        return order[:], np.array([0, len(entries)])

    def scan_cuts(self, a: int, order: Order, level: Any, found: Any) -> None:
        """The best cut of a numeric attribute in every node."""
        see5_kernels.scan_cuts(*order, level, self.singles[a], self.table, self.rule, found)

    def choose(self, gain: Floats, info: Floats, level: Any) -> Integers:
        """The attribute that every node tests."""
        return choose_see5(gain, info, level.total, self.training)

    def lost_below(self, attribute: Integers, level: Any) -> Floats:
        """The weight below which a node's records with an unknown value are lost."""
        least = np.zeros(len(attribute))
        if self.training.complete:
            return least
        wide = (attribute != LEAF) & (self.training.branches[attribute] >= LOSE_VALUES)
        for node in np.flatnonzero(wide & (np.diff(level.start) > LOSE_FROM)).tolist():
            rows = level.rows[level.start[node] : level.start[node + 1]]
            if 2 * int((self.training.codes[attribute[node], rows] < 0).sum()) > len(rows):
                least[node] = LOSE_BELOW
        return least

    def mixed(self, counts: Floats, total: Floats) -> Flags:
        """Which nodes are not (nearly) of one class."""
        return np.asarray(counts.max(axis=1) < PURE * total - self.options.constants.slack)

    def cuts_between(self, a: int, values: Floats, below: Any, above: Any) -> tuple[Integers, Floats]:
        """Rank and value of the thresholds: midpoints in single precision (docs/trees.md)."""
        singles = self.singles[a]
        low, high = singles[below], singles[above]
        middle = (low + high) / np.float32(2)
        middle = np.where(middle >= high, low, middle)
        cut = np.minimum(np.searchsorted(singles, middle, side="right"), above) - 1
        if self.options.thresholds != "midpoint":
            return cut, values[cut]
        # A value that only double precision puts above the midpoint was on its lower side.
        return cut, np.maximum(values[cut], middle)


def single_values(values: Floats) -> Floats32:
    """Values as See5 keeps them; values whose sums would overflow are made smaller."""
    return np.clip(values, -LARGEST, LARGEST).astype(np.float32)


def grow_under(grower: See5Grower, split: Split, part: RecordPart, depth: int) -> GrownNodes:
    """A subtree of some records whose root, at that depth, has a given test."""
    grower.begin(ForcedTests(split, {}), part, depth)
    grown = grow_with(grower)
    return replace(grown, forced=np.zeros(len(grown.forced), bool))


def rounded(numbers: Floats) -> Floats:
    """The numbers in single precision, kept as doubles."""
    return numbers.astype(np.float32).astype(np.float64)


def too_many_values(training: TrainingSet) -> Flags:
    """The categorical attributes with too many values for the table, unless all attributes are like that."""
    categorical = np.array([values is None for values in training.values], bool)
    many = categorical & (training.branches + 1 >= MANY_VALUES * training.records)
    return np.asarray(many & ~many.all())


def choose_see5(gain: Floats, info: Floats, total: Floats, training: TrainingSet) -> Integers:
    """The winning attribute of every node, or NONE; `gain` and `info` are [attribute, node], `total` by node."""
    gain, info = rounded(gain), rounded(info)
    allowed = (gain >= LEAST_GAIN) & ~too_many_values(training)[:, None]
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


def _least_gain(gain: Floats, allowed: Flags, total: Floats, training: TrainingSet) -> Floats:
    """What an attribute must gain: the average in a small table, the price of naming it in a large one."""
    number = np.maximum(allowed.sum(axis=0), 1)
    average = np.where(allowed, gain, 0.0).sum(axis=0) / number
    large = np.clip((training.records // len(training.classes) - FEW_RECORDS) / RECORDS_BETWEEN, 0.0, 1.0)
    return np.asarray((1 - large) * average + 0.9 * large * np.log2(number) / total)


def grow_see5(
    training: TrainingSet, options: GrowOptions, threads: int, forced: ForcedTests | None = None
) -> Tree:
    """Grow and prune a tree on all records; forced tests are neither pruned nor are their leaves merged."""
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        grower = See5Grower(training, options, threads, pool)
        grower.begin(forced)
        nodes = _collapsed(grow_with(grower), training, options)

        def regrow(split: Split, part: RecordPart, depth: int) -> GrownNodes:
            return _collapsed(grow_under(grower, split, part, depth), training, options)

        if options.prune:
            nodes = prune_see5(nodes, training, options, regrow)
    tree, order = finished_tree(nodes, training.branches, options), preorder(nodes, training.branches)[0]
    if options.prune and options.global_pruning:
        nodes = prune_globally(nodes, tree, order, training)
        tree, order = finished_tree(nodes, training.branches, options), preorder(nodes, training.branches)[0]
    kept = set(np.flatnonzero(nodes.forced[order]).tolist())
    return merge_leaves(tree, kept, options.constants.slack)


def _collapsed(nodes: GrownNodes, training: TrainingSet, options: GrowOptions) -> GrownNodes:
    branches = np.where(nodes.attribute == LEAF, 0, training.branches[nodes.attribute])
    return collapse(nodes, branches, options)


def merge_leaves(tree: Tree, kept: set[int], slack: float) -> Tree:
    """Let values whose leaves have one label share a leaf, empty ones only with empty ones; not below `kept` nodes."""
    branches, counts, gone = tree.branches.copy(), tree.counts.copy(), np.zeros(len(tree), bool)
    weight = tree.counts.sum(axis=1)
    wide = np.isnan(tree.threshold) & (np.diff(tree.branch_start) >= MERGED_FROM)
    for node in np.flatnonzero(wide).tolist():
        if node in kept:
            continue
        first: dict[tuple[int, bool], int] = {}
        for at in range(int(tree.branch_start[node]), int(tree.branch_start[node + 1])):
            child = int(branches[at])
            if tree.attribute[child] != LEAF:
                continue
            branches[at] = first.setdefault((int(tree.label[child]), bool(weight[child] > 0)), child)
            if branches[at] != child:
                counts[branches[at]] += counts[child]
                gone[child] = True
    if not gone.any():
        return tree
    return _without(replace(tree, branches=branches, counts=counts), gone, slack)


def _without(tree: Tree, gone: np.ndarray, slack: float) -> Tree:
    """The tree, renumbered, without leaves that nothing leads to any more."""
    kept = ~gone
    number = np.cumsum(kept) - 1
    attribute, counts = tree.attribute[kept], tree.counts[kept]
    start = np.concatenate([[0], np.cumsum(np.diff(tree.branch_start)[kept])])
    branches = number[tree.branches].astype(np.int32)
    missing_to, weight = np.full(len(counts), LEAF, np.int32), counts.sum(axis=1)
    for node in np.flatnonzero(attribute != LEAF).tolist():
        own = branches[start[node] : start[node + 1]]
        missing_to[node] = own[int(np.argmax(weight[own] >= weight[own].max() - slack))]
    return Tree(attribute, tree.threshold[kept], start, branches, missing_to, counts, tree.label[kept])

"""See5's pruning (docs/trees.md): leaves for subtrees, branches raised, subtrees grown again, then the cheapest leaves.

The local pruning is a walk over the nodes, children first. The global one comes after it: the cheapest leaves first,
within one standard error of the tree's errors; records no longer move. The loops over records are in `kernels.see5`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.trees.c45.nodes import GrownNodes, Split, estimate_rule, packed, unpacked
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import class_weights, winners
from hushwood.trees.training import RecordPart, TrainingSet

REGROWN_BELOW = 0.95  # a raised branch that held less of its parent is grown again

# Grows a subtree of some records whose root, at a depth, has a given test; collapsed, not pruned.
Regrow = Callable[[Split, RecordPart, int], GrownNodes]
WALKED_FROM = 0.1  # lighter branches are not walked into
A_LEAF_HOLDS = 1e-3


@dataclass
class _Place:
    """A node on the way from the root: its records are [low, high) in the buffer, free space begins at `top`.

    `start` is where its branches' records begin, once they are divided, `following` the next branch to go into.
    """

    node: int
    low: int
    high: int
    top: int
    regrow: bool
    start: Integers | None = None
    following: int = 0


def prune_see5(grown: GrownNodes, training: TrainingSet, options: GrowOptions, regrow: Regrow) -> GrownNodes:
    """Prune a tree that was grown on all records of the training set."""
    walk = _Walk(grown, training, options, regrow)
    walk.run()
    return walk.grown()


class _Walk:
    """The tree while it is pruned, with space for nodes to come, and the buffer of the records on the way."""

    def __init__(
        self, grown: GrownNodes, training: TrainingSet, options: GrowOptions, regrow: Regrow
    ) -> None:
        from hushwood.trees.kernels.prune import Nodes, Records
        from hushwood.trees.kernels.see5 import Limits

        self.training, self.regrow = training, regrow
        self.records = Records(training.codes, training.class_codes)
        self.how = estimate_rule(options.confidence, options.variant, training.complete)
        slack = options.constants.slack
        self.slack = slack
        self.limits = Limits(float(options.min_leaf) - slack, options.constants.least_branch)
        self.size, self.pack = 0, Nodes
        self.nodes: Any = Nodes(*self.columns_of(grown))
        self.trial: Any = None
        self.reserve(len(grown.attribute))
        self.size = len(grown.attribute)
        self.rows = np.arange(training.records, dtype=np.int32)
        self.weights = np.ones(0 if training.complete else training.records)

    def columns_of(self, grown: GrownNodes) -> list[Array]:
        """The arrays of the kernels' nodes."""
        return packed(grown, np.where(grown.attribute == LEAF, 0, self.training.branches[grown.attribute]))

    def reserve(self, more: int) -> None:
        """Make space for more nodes, and for trials with all nodes."""
        from hushwood.trees.kernels.see5 import Trial

        wanted = self.size + more
        have = len(self.nodes.attribute)
        if wanted > have:
            space = 2 * wanted - have
            self.nodes = self.pack(
                *(
                    np.concatenate([part, np.zeros((space, *part.shape[1:]), part.dtype)])
                    for part in self.nodes
                )
            )
        elif self.trial is not None:
            return
        size, classes = self.nodes.counts.shape
        self.trial = Trial(
            np.zeros((size, classes)),
            np.zeros(size),
            np.zeros(size, bool),
            np.zeros(size, np.int64),
            np.zeros(classes),
        )

    def run(self) -> None:
        """Prune from the root on, children first."""
        records = self.training.records
        way = [_Place(0, 0, records, records, regrow=True)] if self.nodes.attribute[0] != LEAF else []
        while way:
            place = way[-1]
            if place.start is None:
                place.start, place.following = self.divide(place), 0
            child = self.next_child(place, place.start)
            if child is not None:
                way.append(child)
            elif not self.changed(place, place.start, len(way) - 1):
                way.pop()

    def divide(self, place: _Place) -> Integers:
        """Send a node's records to its branches; where each branch begins."""
        from hushwood.trees.kernels.see5 import divide_node

        branches, size = int(self.nodes.branches[place.node]), place.high - place.low
        needed = place.top + size * (1 if self.training.complete else branches)
        if needed > len(self.rows):
            self.rows = np.concatenate([self.rows, np.empty(needed, np.int32)])
            if not self.training.complete:
                self.weights = np.concatenate([self.weights, np.empty(needed)])
        start = np.empty(branches + 1, np.int64)
        where = place.node, self.rows, self.weights, place.low, place.high, place.top, start
        divide_node(*where, self.nodes, self.records, self.how, self.limits)
        return start

    def next_child(self, place: _Place, start: Integers) -> _Place | None:
        """The next branch that is not a leaf."""
        first = int(self.nodes.first_child[place.node])
        for b in range(place.following, len(start) - 1):
            if self.nodes.attribute[first + b] != LEAF:
                place.following = b + 1
                return _Place(first + b, int(start[b]), int(start[b + 1]), int(start[-1]), place.regrow)
        place.following = len(start) - 1
        return None

    def changed(self, place: _Place, start: Integers, depth: int) -> bool:
        """Judge a node whose branches are done; whether it has a new test and must be pruned again."""
        from hushwood.trees.kernels.prune import leaf_errors, take_test
        from hushwood.trees.kernels.see5 import judge

        nodes, node = self.nodes, place.node
        where = node, self.rows, self.weights, place.low, place.high, start
        branch = judge(*where, self.trial, nodes, self.records, self.how, self.limits)
        if branch < 0:
            return False
        child = int(nodes.first_child[node]) + branch
        take_test(node, child, nodes)
        light = nodes.counts[child].sum() < REGROWN_BELOW * nodes.counts[node].sum() - self.slack
        if place.regrow and light:
            self.regrow_node(place, depth)
        place.start, place.regrow = None, False
        if self.nodes.attribute[node] != LEAF:
            return True
        self.nodes.errors[node] = leaf_errors(self.nodes.counts[node], self.trial.none, self.how)
        return False

    def regrow_node(self, place: _Place, depth: int) -> None:
        """Give a node new branches under the test it has, or make it a leaf if they save no errors."""
        attribute, cut = int(self.nodes.attribute[place.node]), int(self.nodes.cut[place.node])
        split = Split(attribute, cut, cut + 1) if cut >= 0 else Split(attribute)
        whole = slice(place.low, place.high)
        part = RecordPart(self.rows[whole].copy(), self.weights[whole].copy())
        grown = self.regrow(split, part, depth)
        if grown.attribute[0] == LEAF:
            self.nodes.attribute[place.node] = LEAF
            return
        more = len(grown.attribute) - 1
        self.reserve(more)
        for own, new in zip(self.nodes, self.columns_of(grown), strict=True):
            own[self.size : self.size + more] = new[1:]
        self.nodes.first_child[self.size : self.size + more] += self.size - 1
        self.nodes.first_child[place.node] = self.size
        self.size += more

    def grown(self) -> GrownNodes:
        """The pruned tree; nodes that are gone are still in it, but nothing leads to them."""
        return unpacked(self.nodes, self.size)


def prune_globally(nodes: GrownNodes, tree: Tree, order: Integers, training: TrainingSet) -> GrownNodes:
    """Prune further; `tree` holds the same nodes in preorder, `order` their numbers in `nodes`."""
    from hushwood.trees.kernels.see5 import State, Walk, cut_globally

    weight = tree.counts.sum(axis=1)
    as_leaf = weight - np.take_along_axis(tree.counts, tree.label[:, None], axis=1)[:, 0]
    inner = tree.attribute != LEAF
    errors = np.where(inner, 0.0, as_leaf)
    leaves = (~inner & (weight > A_LEAF_HOLDS)).astype(np.int64)
    parent = np.full(len(tree), LEAF, np.int64)
    for above, child in tree.edges():
        parent[child] = above
    for node in range(len(tree) - 1, 0, -1):
        errors[parent[node]] += errors[node]
        leaves[parent[node]] += leaves[node]
    state = State(inner.copy(), ~nodes.forced[order], as_leaf, errors, leaves, parent)
    walk = Walk(*_walk(tree, parent, weight))
    cut_globally(walk, state, _budget(tree, float(errors[0]), training))
    attribute = nodes.attribute.copy()
    attribute[order[inner & ~state.inner]] = LEAF
    return replace(nodes, attribute=attribute)


def _walk(tree: Tree, parent: Integers, weight: Floats) -> tuple[Integers, Integers]:
    """Inner nodes, children first in branch order, and for each the place of the first node below it.

    In preorder all that belongs to a node follows it, so the walk is known from where each subtree ends.
    """
    reached = np.zeros(len(tree), bool)
    reached[0] = True
    end = np.arange(1, len(tree) + 1)
    for node in range(1, len(tree)):
        reached[node] = reached[parent[node]] and weight[node] > WALKED_FROM
    for node in range(len(tree) - 1, 0, -1):
        end[parent[node]] = max(end[parent[node]], end[node])
    walked = np.flatnonzero(reached & (tree.attribute != LEAF))
    # Children first: by where the subtree ends, the deeper (later numbered) one first where they end together.
    walked = walked[np.lexsort((-walked, end[walked]))]
    numbers = np.sort(walked)
    inside = np.searchsorted(numbers, end[walked]) - np.searchsorted(numbers, walked)
    return walked, np.arange(len(walked)) - inside + 1


def _budget(tree: Tree, errors: float, training: TrainingSet) -> float:
    """One standard error of the training errors, by classifying where a tested attribute has missing values."""
    tested = np.unique(tree.attribute[tree.attribute != LEAF])
    if len(tested) and training.codes[tested].min() < 0:
        columns = [_column(training, a) for a in range(len(training.attributes))]
        errors = float((winners(class_weights(tree, columns)) != training.class_codes).sum())
    return float(np.sqrt(errors * max(1 - errors / training.records, 0.0)))


def _column(training: TrainingSet, a: int) -> Floats:
    codes, values = training.codes[a], training.values[a]
    if values is None:
        return np.asarray(codes, np.float64)
    # Code -1, unknown, finds the last one.
    return np.asarray(np.append(values, np.nan)[codes])

"""See5's local pruning (docs/trees.md): leaves for subtrees, branches raised, and subtrees grown again.

A walk over the nodes, children first; the loops over records are in `kernels.see5_prune`. The other variants' pruning
is in `c45.prune`, See5's second one in `global_pruning`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.trees.c45.nodes import GrownNodes, Split
from hushwood.trees.c45.prune import estimate_rule, packed, unpacked
from hushwood.trees.forest import LEAF
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import Part, TrainingSet

REGROWN_BELOW = 0.95  # a raised branch that held less of its parent is grown again

# Grows a subtree of some records whose root, at a depth, has a given test; collapsed, not pruned.
Regrow = Callable[[Split, Part, int], GrownNodes]


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
        from hushwood.trees.kernels.see5_prune import Limits

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
        from hushwood.trees.kernels.see5_prune import Trial

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
        from hushwood.trees.kernels.see5_prune import divide_node

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
        from hushwood.trees.kernels.see5_prune import judge

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
        part = Part(self.rows[whole].copy(), self.weights[whole].copy())
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

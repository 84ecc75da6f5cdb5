"""See5's single tree (C5.0 without boosting, rules and value subsets), from coded records to a finished Tree.

`growth` grows, `prune` and `global_pruning` cut back, and leaves are merged at the end (docs/trees.md).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from hushwood.trees.c45.growth import grow_with
from hushwood.trees.c45.nodes import ForcedTests, GrownNodes, Split, finished_tree, preorder
from hushwood.trees.c45.prune import collapse
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.see5.global_pruning import prune_globally
from hushwood.trees.see5.growth import See5Grower, grow_under
from hushwood.trees.see5.prune import prune_see5
from hushwood.trees.training import Part, TrainingSet


def grow_see5(
    training: TrainingSet, options: GrowOptions, threads: int, forced: ForcedTests | None = None
) -> Tree:
    """Grow and prune a tree on all records; forced tests are neither pruned nor are their leaves merged."""
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        grower = See5Grower(training, options, threads, pool)
        grower.begin(forced)
        nodes = _collapsed(grow_with(grower), training, options)

        def regrow(split: Split, part: Part, depth: int) -> GrownNodes:
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


MERGED_FROM = 3  # a test of fewer values is left as it is


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

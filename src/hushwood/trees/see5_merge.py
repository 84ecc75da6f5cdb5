"""What See5 does to a finished tree: leaves of one label below a categorical test become one (algorithms 1.6.7)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushwood.trees.forest import LEAF, Tree

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
    """The tree without some leaves that nothing leads to any more, numbered anew."""
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

"""Where records go in a tree: the nodes on the way to their leaves, as scikit-learn gives them, and how deep it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes, Integers
from hushwood.trees.forest import LEAF, Tree


def depths(tree: Tree) -> Integers:
    """How many tests lie above every node."""
    found = np.zeros(len(tree), np.int64)
    for parent, child in tree.edges():
        found[child] = found[parent] + 1
    return found


def path_matrix(tree: Tree, leaves: Codes) -> Any:
    """A sparse matrix [record, node] with ones for the nodes on each record's way, the root first."""
    from scipy.sparse import csr_matrix

    parent = np.full(len(tree), LEAF)
    for above, below in tree.edges():
        parent[below] = above
    steps = [leaves.astype(np.int64)]
    while (steps[-1] >= 0).any():
        steps.append(np.where(steps[-1] >= 0, parent[steps[-1]], LEAF))
    ways: Array = np.stack(steps[::-1], axis=1)
    there = ways >= 0
    starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    return csr_matrix((np.ones(starts[-1], np.int64), ways[there], starts), shape=(len(leaves), len(tree)))

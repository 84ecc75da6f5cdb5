"""How much each attribute of a tree says about the class: the information that its tests win, over all records."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.trees.forest import Forest, Tree


def importances(forest: Forest) -> Floats:
    """The share of each attribute in the information that the tests win: the mean of the trees, which sums to 1.

    Trees without a test do not count; if there is no other, all shares are 0.
    """
    won = np.array([information_won(tree, len(forest.attributes)) for tree in forest.trees])
    totals = won.sum(axis=1, keepdims=True)
    counted = won[totals[:, 0] > 0] / totals[totals[:, 0] > 0]
    return np.asarray(counted.mean(axis=0)) if len(counted) else np.zeros(len(forest.attributes))


def information_won(tree: Tree, attributes: int) -> Floats:
    """By how many bits the tests of each attribute lower the entropy of the class, over all records together."""
    weight = tree.counts.sum(axis=1)
    share = np.divide(tree.counts, weight[:, None], out=np.zeros_like(tree.counts), where=weight[:, None] > 0)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    bits = -weight * (share * logs).sum(axis=1)
    won = np.zeros(attributes)
    for node, child in tree.edges():
        won[tree.attribute[node]] -= bits[child]
    inner = tree.attribute >= 0
    np.add.at(won, tree.attribute[inner], bits[inner])
    return np.maximum(won, 0.0)  # rounding, or a record that pruning sent elsewhere

"""A tree cut back to a weight: 1 is the tree as it was grown, 0 its root alone (thesis 6.4.7, the weights).

The thesis asks for less pruning where an attribute weighs more. Here tests are taken out one by one, first those with
the least entropy explained by all that is below them, and the weight is the share of the tree's explained entropy that
must stay. So a smaller weight only joins leaves of a larger one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushwood.trees.forest import LEAF, Tree


def leaves_at(tree: Tree, weight: float) -> NDArray[np.int64]:
    """For every node, where its records are after the cut: an ancestor that became a leaf, or the node itself."""
    at = np.arange(len(tree))
    cut = _taken_out(tree, weight)
    for parent, child in tree.edges():
        if cut[parent]:
            at[child] = at[parent]
    return at


def _taken_out(tree: Tree, weight: float) -> NDArray[np.bool_]:
    """Which tests go; all that are below one that goes are among them."""
    tests = np.flatnonzero(tree.attribute != LEAF)
    cut = np.zeros(len(tree), bool)
    if weight <= 0:
        cut[tests] = True
    if weight <= 0 or weight >= 1 or not len(tests):
        return cut
    parent, child = np.array(list(tree.edges())).T
    entropy = _entropy(tree.counts)
    # Explained by each test alone (rounding must not make it negative), and by all that are below it as well.
    own = np.maximum(entropy - np.bincount(parent, entropy[child], minlength=len(tree)), 0.0)
    own[tree.attribute == LEAF] = 0
    below = own.copy()
    for upper, lower in zip(parent[::-1].tolist(), child[::-1].tolist(), strict=True):
        below[upper] += below[lower]
    # Of equal ones the later number goes first: nodes are numbered in preorder, so a child before its parent.
    order = tests[np.lexsort((-tests, below[tests]))]
    cut[order[np.cumsum(own[order]) <= (1 - weight) * own.sum()]] = True
    return cut


def _entropy(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bits needed for the classes of all records of every node."""
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.ones_like(counts), where=counts > 0)
    return np.asarray(-(counts * np.log2(share)).sum(axis=1))

"""A tree grown from a released table, said in original values, so that original records find their way through it.

A number is compared with the threshold as it is. A category goes where most of the training records went that have it
in the original table; one that none of them has goes with the larger part. For TPP this is no choice, all records of a
category go the same way; for the baseline it is kinder than what a receiver of the release could do.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.routing import leaf_of_each


def in_original_terms(forest: Forest, released: Table, original: Table) -> Forest:
    """The forest's one tree over the original's attributes; both tables hold the training records in one order."""
    tree = forest.trees[0]
    leaf = leaf_of_each(tree, forest, released.columns)
    ends = _ends(tree)
    branches, missing_to = [], tree.missing_to.copy()
    for node in range(len(tree)):
        if tree.attribute[node] == LEAF:
            branches.append(np.empty(0, np.int32))
            continue
        left, right = node + 1, int(tree.branches_of(node).max())
        here = (leaf >= node) & (leaf < ends[node])
        goes_right = leaf[here] >= right
        larger = right if 2 * int(goes_right.sum()) > len(goes_right) else left
        missing_to[node] = larger
        attribute = original.schema[forest.attributes[tree.attribute[node]].name]
        if attribute.kind == "numeric":
            branches.append(np.array([left, right], np.int32))
        else:
            balance = _balance(original.columns[attribute.name][here], goes_right, len(attribute.categories))
            children = np.where(balance > 0, right, np.where(balance < 0, left, larger))
            branches.append(children.astype(np.int32))
    start = np.cumsum([0, *(len(own) for own in branches)], dtype=np.int64)
    said = replace(tree, branch_start=start, branches=np.concatenate(branches), missing_to=missing_to)
    attributes = tuple(original.schema[a.name] for a in forest.attributes)
    return replace(forest, attributes=attributes, trees=(said,))


def same_tree(one: Forest, other: Forest) -> bool:
    """Whether two trees have the same tests at the same places, to the last bit of every threshold."""
    a, b = one.trees[0], other.trees[0]
    return (
        np.array_equal(a.attribute, b.attribute)
        and np.array_equal(a.threshold, b.threshold, equal_nan=True)
        and np.array_equal(a.branches, b.branches)
    )


def _ends(tree: Tree) -> NDArray[np.int64]:
    """The number after the last node of every subtree: nodes are in preorder."""
    ends = np.arange(1, len(tree) + 1)
    for node in np.flatnonzero(tree.attribute != LEAF)[::-1].tolist():
        ends[node] = ends[tree.branches_of(node).max()]
    return ends


def _balance(codes: NDArray[np.int32], goes_right: NDArray[np.bool_], categories: int) -> NDArray[np.float64]:
    """Records of every category that go right, less those that go left."""
    balance = np.bincount(codes, np.where(goes_right, 1.0, -1.0), minlength=categories)
    return np.asarray(balance, np.float64)

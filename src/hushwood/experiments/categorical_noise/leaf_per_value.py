"""See5's leaves that several values of a test share, taken apart: one leaf for every value.

The thesis counts leaves so: its figure 6.9 has three sibling leaves below one test of three values, although two of
them seem to have the majority Toyota. See5's own form is in `trees.see5_merge`; the experiment that needs this is in
`runs`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.routing import leaf_of_each
from hushwood.value_clusters.detective import ValueClusters, siblings_of


def leaf_per_value(clusters: ValueClusters, table: Table) -> ValueClusters:
    """The same tree with no leaf shared, the records of the table counted anew."""
    tree = _apart(clusters.tree)
    if len(tree) == len(clusters.tree):
        return clusters
    forest = _with(clusters.forest, tree)
    classes = table.columns[forest.class_name]
    key = leaf_of_each(tree, forest, table.columns).astype(np.int64) * len(forest.classes) + classes
    counts = np.bincount(key, minlength=tree.counts.size).reshape(tree.counts.shape).astype(np.float64)
    for node, child in reversed(list(tree.edges())):
        counts[node] += counts[child]
    tree = replace(tree, counts=counts)
    return ValueClusters(clusters.attribute, _with(forest, tree), dict(siblings_of(tree)))


def _with(forest: Forest, tree: Tree) -> Forest:
    return replace(forest, trees=(tree,))


def _apart(tree: Tree) -> Tree:
    """A leaf for every branch that leads to one; counts are not there yet."""
    order: list[int] = []
    branches: list[list[int]] = []

    def copy(node: int) -> int:
        here = len(order)
        order.append(node)
        branches.append([])
        made: dict[int, int] = {}
        for child in tree.branches_of(node).tolist():
            if child not in made or tree.attribute[child] == LEAF:
                made[child] = copy(child)
            branches[here].append(made[child])
        return here

    copy(0)
    missing = [
        own[tree.branches_of(node).tolist().index(tree.missing_to[node])] if own else LEAF
        for node, own in zip(order, branches, strict=True)
    ]
    return Tree(
        tree.attribute[order],
        tree.threshold[order],
        np.concatenate([[0], np.cumsum([len(own) for own in branches])]).astype(np.int64),
        np.array([child for own in branches for child in own], np.int32),
        np.array(missing, np.int32),
        np.zeros((len(order), tree.counts.shape[1])),
        tree.label[order],
    )

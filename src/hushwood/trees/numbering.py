"""A grown tree turned into a finished one: numbered in preorder, labelled, with a way for missing values.

The last step of every variant; `grow` and `see5` call it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.grown_nodes import GrownNodes
from hushwood.trees.options import GrowOptions


def finished_tree(nodes: GrownNodes, branches: NDArray[np.int64], options: GrowOptions) -> Tree:
    """Number the surviving nodes in preorder and add labels, thresholds and where missing values go."""
    order, children = preorder(nodes, branches)
    attribute, counts = nodes.attribute[order], nodes.counts[order]
    label, missing_to = np.zeros(len(order), np.int32), np.full(len(order), LEAF, np.int32)
    slack = options.constants.slack
    weight = counts.sum(axis=1)
    for node, own in enumerate(children):
        # An empty branch has been given its parent's label before its turn comes.
        if weight[node] > 0:
            label[node] = int(np.argmax(counts[node] >= counts[node].max() - slack))
        label[own] = label[node]
        if own:
            missing_to[node] = own[int(np.argmax(weight[own] >= weight[own].max() - slack))]
    return Tree(
        attribute=attribute.astype(np.int32),
        threshold=np.where(attribute == LEAF, np.nan, nodes.threshold[order]),
        branch_start=np.cumsum([0, *(len(own) for own in children)], dtype=np.int64),
        branches=np.array([child for own in children for child in own], np.int32),
        missing_to=missing_to,
        counts=counts,
        label=label,
    )


def preorder(nodes: GrownNodes, branches: NDArray[np.int64]) -> tuple[NDArray[np.int64], Sequence[list[int]]]:
    """Old numbers of the reachable nodes in preorder, and the new numbers of each node's children."""
    order: list[int] = []
    children: list[list[int]] = []
    waiting: list[tuple[int, int]] = [(0, -1)]
    while waiting:
        node, parent = waiting.pop()
        if parent >= 0:
            children[parent].append(len(order))
        place = len(order)
        order.append(node)
        children.append([])
        attribute = int(nodes.attribute[node])
        if attribute != LEAF:
            first = int(nodes.first_child[node])
            waiting.extend(
                (child, place) for child in range(first + int(branches[attribute]) - 1, first - 1, -1)
            )
    return np.array(order), children

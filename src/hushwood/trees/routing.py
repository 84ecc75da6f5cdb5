"""Which leaf a record reaches, and the class weights or counts it collects there.

A record without a value (or with a category the tree never saw) follows `missing_to` when it must be in *one* leaf,
and goes down every branch in shares when it is classified (algorithms 1.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.kernel_doors import check_indices
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.routing_kernels import collect, route

_BLOCK = 1 << 16  # rows looked at together: their tested columns fit the second-level cache


def leaf_of_each(tree: Tree, forest: Forest, columns: Mapping[str, NDArray[Any]]) -> NDArray[np.int32]:
    """The leaf (its node number) of every record; numeric columns as floats, categorical ones as codes."""
    tested = np.unique(tree.attribute[tree.attribute != LEAF])
    used = [np.asarray(columns[forest.attributes[a].name]) for a in tested.tolist()]
    rows = len(next(iter(columns.values())))
    column_of = np.where(tree.attribute == LEAF, LEAF, np.searchsorted(tested, tree.attribute))
    leaves = np.zeros(rows, np.int32)
    numeric = np.isfinite(tree.threshold)
    for begin in range(0, rows if used else 0, _BLOCK):
        block = _matrix([column[begin : begin + _BLOCK] for column in used])
        route(
            block,
            column_of,
            numeric,
            tree.threshold,
            tree.branch_start,
            tree.branches,
            tree.missing_to,
            leaves[begin : begin + _BLOCK],
        )
    return leaves


def class_weights(tree: Tree, columns: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
    """Class distribution that the tree gives every record, unknown values sent down all branches in shares.

    `columns` are in the order of the forest's attributes. A leaf without weight speaks for its parent.
    """
    check_indices("Tested attributes", tree.attribute, len(columns), least=LEAF)
    matrix = _matrix(columns)
    numeric = np.isfinite(tree.threshold)
    weight = tree.counts.sum(axis=1)
    own = np.divide(tree.counts, weight[:, None], out=np.zeros_like(tree.counts), where=weight[:, None] > 0)
    for parent, child in tree.edges():
        if weight[child] <= 0:
            own[child] = own[parent]
    out = np.zeros((matrix.shape[0], tree.counts.shape[1]))
    share = branch_shares(tree, weight)
    collect(
        matrix, tree.attribute, numeric, tree.threshold, tree.branch_start, tree.branches, share, own, out
    )
    return out


def counts_reached(tree: Tree, columns: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
    """Class counts of the leaf that every record reaches; of several leaves, in shares, if a value is unknown.

    `class_weights` divides by the size of the leaf, so each class is given in parts of that size first, and one
    more class takes the rest.
    """
    weight = tree.counts.sum(axis=1, keepdims=True)
    whole = 2.0 ** np.ceil(np.log2(weight.max()))  # a power of two: whole counts come back exactly
    parts = tree.counts * (weight / whole)
    scaled = replace(tree, counts=np.hstack([parts, weight - parts.sum(axis=1, keepdims=True)]))
    return np.asarray(class_weights(scaled, columns)[:, :-1] * whole)


def branch_shares(tree: Tree, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of its parent's weight that every branch leads to; categories that share a child count it once."""
    share = np.zeros(len(tree.branches))
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        children, first = np.unique(tree.branches_of(node), return_index=True)
        share[tree.branch_start[node] + first] = weight[children] / max(weight[node], 1e-300)
    return share


def _matrix(columns: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
    matrix = np.empty((len(columns[0]) if columns else 0, len(columns)))
    for i, column in enumerate(columns):
        matrix[:, i] = column
    return matrix

"""Which leaf a record reaches, and the class weights or counts it collects there.

A record without a value (or with a category the tree never saw) follows `missing_to` when it must be in *one* leaf,
and goes down every branch in shares when it is classified (docs/trees.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from hushwood.arrays import Array, Codes, Floats, check_indices
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.kernels.routing import collect, route
from hushwood.trees.voting import class_shares, winners

_BLOCK = 1 << 14  # rows looked at together: their tested columns stay in the processor's cache


def leaf_of_each(tree: Tree, forest: Forest, columns: Mapping[str, Array]) -> Codes:
    """The leaf (its node number) of every record; numeric columns as floats, categorical ones as codes."""
    tested = np.unique(tree.attribute[tree.attribute != LEAF])
    used = [np.asarray(columns[forest.attributes[a].name]) for a in tested.tolist()]
    rows = len(next(iter(columns.values())))
    column_of = np.where(tree.attribute == LEAF, LEAF, np.searchsorted(tested, tree.attribute))
    leaves = np.zeros(rows, np.int32)
    numeric = np.isfinite(tree.threshold)
    for begin in range(0, rows if used else 0, _BLOCK):
        part = leaves[begin : begin + _BLOCK]
        block = np.empty((len(used), len(part)))
        for row, column in zip(block, used, strict=True):
            row[:] = column[begin : begin + _BLOCK]
        route(
            block,
            column_of,
            numeric,
            tree.threshold,
            tree.branch_start,
            tree.branches,
            tree.missing_to,
            part,
        )
    return leaves


def class_weights(tree: Tree, columns: Sequence[Array]) -> Floats:
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


def counts_reached(tree: Tree, columns: Sequence[Array]) -> Floats:
    """Class counts of the leaf that every record reaches; of several leaves, in shares, if a value is unknown.

    `class_weights` divides by the size of the leaf, so each class is given in parts of that size first, and one
    more class takes the rest.
    """
    weight = tree.counts.sum(axis=1, keepdims=True)
    whole = 2.0 ** np.ceil(np.log2(weight.max()))  # a power of two: whole counts come back exactly
    parts = tree.counts * (weight / whole)
    scaled = replace(tree, counts=np.hstack([parts, weight - parts.sum(axis=1, keepdims=True)]))
    return np.asarray(class_weights(scaled, columns)[:, :-1] * whole)


def branch_shares(tree: Tree, weight: Floats) -> Floats:
    """Share of its parent's weight that every branch leads to; categories that share a child count it once."""
    share = np.zeros(len(tree.branches))
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        children, first = np.unique(tree.branches_of(node), return_index=True)
        share[tree.branch_start[node] + first] = weight[children] / max(weight[node], 1e-300)
    return share


def _matrix(columns: Sequence[Array]) -> Floats:
    matrix = np.empty((len(columns[0]) if columns else 0, len(columns)))
    for i, column in enumerate(columns):
        matrix[:, i] = column
    return matrix


def leaves_reached(forest: Forest, table: Table) -> list[Codes]:
    """The leaf of every record, tree by tree."""
    tested = {int(a) for tree in forest.trees for a in tree.attribute[tree.attribute != LEAF]}
    names = {a: forest.attributes[a].name for a in sorted(tested)}
    columns = {
        name: _coded(table.columns[name], table.schema[name], forest.attributes[a])
        for a, name in names.items()
    }
    if not columns:
        return [np.zeros(table.rows, np.int32) for _ in forest.trees]
    return [leaf_of_each(tree, forest, columns) for tree in forest.trees]


def predictions(forest: Forest, table: Table) -> Array:
    """The class code, or the number, that the trees together give every record."""
    leaves = leaves_reached(forest, table)
    found = np.zeros((table.rows, max(len(forest.classes), 1)))
    for tree, leaf in zip(forest.trees, leaves, strict=True):
        found += (class_shares(tree.counts) if forest.classes else tree.counts)[leaf]
    return winners(found) if forest.classes else found[:, 0] / len(forest.trees)


def _coded(column: Array, here: Attribute, there: Attribute) -> Array:
    """A column in the forest's coding; values that the forest does not know count as missing."""
    if there.kind == "numeric" or here.categories == there.categories:
        return column
    place = {text: code for code, text in enumerate(there.categories)}
    codes = np.array([*(place.get(text, -1) for text in here.categories), -1], np.int32)
    return codes[column]

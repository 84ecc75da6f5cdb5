"""Records of any table sent through a published forest: which leaves they reach, and what these predict.

The forest knows original and released values by their texts, so both tables can be routed; `trees.routing` does it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.schema import Attribute
from hushwood.tables.table import Array, Table
from hushwood.trees.forest import LEAF, Forest
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.voting import winners


def leaves_reached(forest: Forest, table: Table) -> list[NDArray[np.int32]]:
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
        weight = np.maximum(tree.counts.sum(axis=1, keepdims=True), 1.0) if forest.classes else 1.0
        found += (tree.counts / weight)[leaf]
    return winners(found) if forest.classes else found[:, 0] / len(forest.trees)


def _coded(column: Array, here: Attribute, there: Attribute) -> Array:
    """A column in the forest's coding; values that the forest does not know count as missing."""
    if there.kind == "numeric" or here.categories == there.categories:
        return column
    place = {text: code for code, text in enumerate(there.categories)}
    codes = np.array([*(place.get(text, -1) for text in here.categories), -1], np.int32)
    return codes[column]

"""See5's global pruning (docs/trees.md): the cheapest leaves first, within one standard error of the tree's errors.

Comes after the local pruning of `prune`; records no longer move.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.trees.c45.nodes import GrownNodes
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.routing import class_weights
from hushwood.trees.training import TrainingSet
from hushwood.trees.voting import winners

WALKED_FROM = 0.1  # lighter branches are not walked into
A_LEAF_HOLDS = 1e-3


def prune_globally(nodes: GrownNodes, tree: Tree, order: Integers, training: TrainingSet) -> GrownNodes:
    """Prune further; `tree` holds the same nodes in preorder, `order` their numbers in `nodes`."""
    from hushwood.trees.kernels.see5_global import State, Walk, cut_globally

    weight = tree.counts.sum(axis=1)
    as_leaf = weight - np.take_along_axis(tree.counts, tree.label[:, None], axis=1)[:, 0]
    inner = tree.attribute != LEAF
    errors = np.where(inner, 0.0, as_leaf)
    leaves = (~inner & (weight > A_LEAF_HOLDS)).astype(np.int64)
    parent = np.full(len(tree), LEAF, np.int64)
    for above, child in tree.edges():
        parent[child] = above
    for node in range(len(tree) - 1, 0, -1):
        errors[parent[node]] += errors[node]
        leaves[parent[node]] += leaves[node]
    state = State(inner.copy(), ~nodes.forced[order], as_leaf, errors, leaves, parent)
    walk = Walk(*_walk(tree, parent, weight))
    cut_globally(walk, state, _budget(tree, float(errors[0]), training))
    attribute = nodes.attribute.copy()
    attribute[order[inner & ~state.inner]] = LEAF
    return replace(nodes, attribute=attribute)


def _walk(tree: Tree, parent: Integers, weight: Floats) -> tuple[Integers, Integers]:
    """Inner nodes, children first in branch order, and for each the place of the first node below it.

    In preorder all that belongs to a node follows it, so the walk is known from where each subtree ends.
    """
    reached = np.zeros(len(tree), bool)
    reached[0] = True
    end = np.arange(1, len(tree) + 1)
    for node in range(1, len(tree)):
        reached[node] = reached[parent[node]] and weight[node] > WALKED_FROM
    for node in range(len(tree) - 1, 0, -1):
        end[parent[node]] = max(end[parent[node]], end[node])
    walked = np.flatnonzero(reached & (tree.attribute != LEAF))
    # Children first: by where the subtree ends, the deeper (later numbered) one first where they end together.
    walked = walked[np.lexsort((-walked, end[walked]))]
    numbers = np.sort(walked)
    inside = np.searchsorted(numbers, end[walked]) - np.searchsorted(numbers, walked)
    return walked, np.arange(len(walked)) - inside + 1


def _budget(tree: Tree, errors: float, training: TrainingSet) -> float:
    """One standard error of the training errors, by classifying where a tested attribute has missing values."""
    tested = np.unique(tree.attribute[tree.attribute != LEAF])
    if len(tested) and training.codes[tested].min() < 0:
        columns = [_column(training, a) for a in range(len(training.attributes))]
        errors = float((winners(class_weights(tree, columns)) != training.class_codes).sum())
    return float(np.sqrt(errors * max(1 - errors / training.records, 0.0)))


def _column(training: TrainingSet, a: int) -> Floats:
    codes, values = training.codes[a], training.values[a]
    if values is None:
        return np.asarray(codes, np.float64)
    # Code -1, unknown, finds the last one.
    return np.asarray(np.append(values, np.nan)[codes])

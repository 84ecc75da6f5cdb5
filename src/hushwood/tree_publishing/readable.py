"""A published forest for the eye: tests name original values only, not also the labels that stand for them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hushwood.trees.forest import LEAF, Forest, Tree


def without_labels(forest: Forest) -> Forest:
    """The same forest with the labels taken out of its categories; a forest that has none is returned as it is."""
    labels = forest.grown.get("labels", {})
    kept = {
        place: np.array([value not in labels[a.name] for value in a.categories], bool)
        for place, a in enumerate(forest.attributes)
        if a.name in labels
    }
    if not kept:
        return forest
    attributes = tuple(
        replace(a, categories=tuple(np.array(a.categories, object)[kept[place]])) if place in kept else a
        for place, a in enumerate(forest.attributes)
    )
    return replace(forest, attributes=attributes, trees=tuple(_without(tree, kept) for tree in forest.trees))


def _without(tree: Tree, kept: dict[int, NDArray[np.bool_]]) -> Tree:
    branches = [tree.branches_of(node) for node in range(len(tree))]
    for node, attribute in enumerate(tree.attribute.tolist()):
        if attribute != LEAF and attribute in kept:
            branches[node] = branches[node][kept[attribute]]
    starts = np.cumsum([0, *(len(own) for own in branches)], dtype=np.int64)
    return replace(tree, branch_start=starts, branches=np.concatenate(branches))

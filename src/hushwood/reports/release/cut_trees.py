"""Trees cut at a depth that a picture has room for; what lies deeper is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from hushwood.trees.forest import LEAF, Tree

DEPTH = 3


@dataclass(frozen=True, slots=True)
class CutTree:
    """A tree without its deep nodes: `places` are its nodes by their number before, `below` its cut ends.

    A cut end is a leaf here; `below` has the leaves, by their number before, that it stands for.
    """

    tree: Tree
    places: Mapping[int, int]
    below: Mapping[int, tuple[int, ...]]


def cut(tree: Tree, depth: int = DEPTH) -> CutTree:
    """The nodes down to a depth; the root has depth 0."""
    depths, parents = np.zeros(len(tree), np.int64), np.full(len(tree), LEAF)
    for parent, child in tree.edges():
        depths[child], parents[child] = depths[parent] + 1, parent
    kept = np.flatnonzero(depths <= depth)
    places = {int(node): place for place, node in enumerate(kept)}
    ended = {int(node) for node in kept if depths[node] == depth and tree.attribute[node] != LEAF}
    below: dict[int, list[int]] = {places[node]: [] for node in sorted(ended)}
    for leaf in tree.leaves.tolist():
        above = leaf
        while depths[above] > depth:
            above = int(parents[above])
        if above in ended:
            below[places[above]].append(leaf)
    return CutTree(_taken(tree, places, ended), places, {end: tuple(found) for end, found in below.items()})


def _taken(tree: Tree, places: Mapping[int, int], ended: set[int]) -> Tree:
    nodes = np.array(list(places))
    is_end = np.isin(nodes, list(ended))
    inner = [() if node in ended else tree.branches_of(node).tolist() for node in places]
    missing = tree.missing_to[nodes].tolist()
    return replace(
        tree,
        attribute=np.where(is_end, LEAF, tree.attribute[nodes]).astype(tree.attribute.dtype),
        threshold=np.where(is_end, np.nan, tree.threshold[nodes]),
        branch_start=np.cumsum([0, *map(len, inner)]).astype(tree.branch_start.dtype),
        branches=np.array([places[child] for found in inner for child in found], tree.branches.dtype),
        missing_to=np.array(
            [LEAF if end else places.get(to, LEAF) for to, end in zip(missing, is_end, strict=True)],
            tree.missing_to.dtype,
        ),
        counts=tree.counts[nodes],
        label=tree.label[nodes],
        closed=frozenset(places[node] for node in tree.closed if node in places),
    )

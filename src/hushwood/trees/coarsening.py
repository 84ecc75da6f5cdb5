"""A tree with small leaves merged, so that every leaf holds enough records.

C4.5 allows small branches as long as two branches of a test are large. Where every segment must have a least number of
records, small branches of a category are merged with each other or with the smallest sibling; a test that then leads to
one place only becomes a leaf.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from hushwood.arrays import Array, Codes, Integers
from hushwood.trees.forest import LEAF, Tree


@dataclass(slots=True)
class _CoarserNode:
    """A node to be: the old node whose test it keeps, the old nodes whose counts it has, records and children."""

    of: int
    members: tuple[int, ...]
    records: int
    children: list[_CoarserNode] = field(default_factory=list)
    place: dict[int, int] = field(default_factory=dict)  # old child -> its place among the children


def merged_small_leaves(tree: Tree, leaf_of_each: Codes, least: int) -> Tree:
    """The tree with at least `least` records in every leaf; `leaf_of_each` is where each record arrives.

    A tree whose root has fewer records is a single leaf.
    """
    records = np.bincount(leaf_of_each, minlength=len(tree))
    root = _merged(tree, 0, records, least)
    return _numbered(tree, root)


def _merged(tree: Tree, node: int, records: Integers, least: int) -> _CoarserNode:
    if tree.attribute[node] == LEAF:
        return _CoarserNode(node, (node,), int(records[node]))
    old = list(dict.fromkeys([*tree.branches_of(node).tolist(), int(tree.missing_to[node])]))
    children = [_merged(tree, child, records, least) for child in old]
    total = sum(child.records for child in children)
    leaf = _CoarserNode(node, (node,), total)
    small = [child for child in children if child.records < least]
    if not small:
        return _CoarserNode(node, (node,), total, children, {child: i for i, child in enumerate(old)})
    if np.isfinite(tree.threshold[node]):
        return leaf
    large = sorted((child for child in children if child.records >= least), key=lambda child: child.records)
    while large and sum(child.records for child in small) < least:
        small.append(large.pop(0))
    if not large or sum(child.records for child in small) < least:
        return leaf
    rest = _CoarserNode(
        small[0].of,
        tuple(member for child in small for member in child.members),
        sum(child.records for child in small),
    )
    kept = [child for child in children if not any(child is one for one in small)]
    groups = [*kept, rest]
    place = {
        was: next((i for i, one in enumerate(kept) if one is child), len(kept))
        for was, child in zip(old, children, strict=True)
    }
    return _CoarserNode(node, (node,), total, groups, place)


def _numbered(tree: Tree, root: _CoarserNode) -> Tree:
    """The nodes as arrays, in preorder."""
    nodes: list[_CoarserNode] = []
    numbers: dict[int, int] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        numbers[id(node)] = len(nodes)
        nodes.append(node)
        waiting += node.children[::-1]
    branches: list[Array] = []
    missing_to = np.full(len(nodes), LEAF, np.int32)
    for number, node in enumerate(nodes):
        if not node.children:
            branches.append(np.zeros(0, np.int32))
            continue
        new = [numbers[id(child)] for child in node.children]
        old = tree.branches_of(node.of).tolist()
        branches.append(np.array([new[node.place[child]] for child in old], np.int32))
        missing_to[number] = new[node.place[int(tree.missing_to[node.of])]]
    inner = np.array([bool(node.children) for node in nodes])
    of = np.array([node.of for node in nodes])
    counts = np.stack([tree.counts[list(node.members)].sum(axis=0) for node in nodes])
    return replace(
        tree,
        attribute=np.where(inner, tree.attribute[of], LEAF).astype(np.int32),
        threshold=np.where(inner, tree.threshold[of], np.nan),
        branch_start=np.concatenate([[0], np.cumsum([len(part) for part in branches])]),
        branches=np.concatenate(branches).astype(np.int32),
        missing_to=missing_to,
        counts=counts,
        label=_labels(tree, nodes, counts),
        closed=frozenset(),
    )


def _labels(tree: Tree, nodes: list[_CoarserNode], counts: Array) -> Codes:
    """A node's own label, or the most frequent class of merged leaves."""
    merged = np.array([len(node.members) > 1 for node in nodes])
    own = tree.label[np.array([node.of for node in nodes])]
    return np.asarray(np.where(merged, np.argmax(counts, axis=1), own), np.int32)

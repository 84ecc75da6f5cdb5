"""The original tree that the first paper prints (its figure 2), and which of its nodes a tree of ours has too.

A node is the same if the tests above it are, on the same sides and whatever their cuts; a leaf must also have the
printed class. How alike whole trees are is in `noisy_trees`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hushwood.experiments.class_noise.boston_records import BOTTOM, TOP
from hushwood.trees.forest import LEAF, Forest

ROOT = "the root"
LOW, HIGH = "<=", ">"
_DEEP = "LSTAT <=, RM >, PTRATIO >"
# The way to every leaf, with its class; Leaf 1 of the thesis' figure 4.2 is the first.
LEAVES = {
    "LSTAT >, RM <=": BOTTOM,
    "LSTAT >, RM >": TOP,
    "LSTAT <=, RM <=": BOTTOM,
    "LSTAT <=, RM >, PTRATIO <=": TOP,
    f"{_DEEP}, NOX <=": BOTTOM,
    f"{_DEEP}, NOX >, LSTAT <=": TOP,
    f"{_DEEP}, NOX >, LSTAT >": BOTTOM,
}
LEAF_ONE, ABOVE_LEAF_ONE = next(iter(LEAVES)), "LSTAT >"
# The way to every test, with its attribute.
TESTS = {
    ROOT: "LSTAT",
    ABOVE_LEAF_ONE: "RM",
    "LSTAT <=": "RM",
    "LSTAT <=, RM >": "PTRATIO",
    _DEEP: "NOX",
    f"{_DEEP}, NOX >": "LSTAT",
}

Nodes = Mapping[str, Mapping[str, float]]


def printed_nodes(forest: Forest) -> Nodes:
    """The nodes of the printed tree that this tree has: records and errors of leaves, records and cuts of tests."""
    tree, found = forest.trees[0], {}
    for way, node in _ways(forest):
        counts = tree.counts[node]
        here = {"records": round(float(counts.sum()), 6)}
        if tree.attribute[node] == LEAF:
            same = LEAVES.get(way) == forest.classes[tree.label[node]]
            here["errors"] = round(float(counts.sum() - counts[tree.label[node]]), 6)
        else:
            same = TESTS.get(way) == forest.attributes[tree.attribute[node]].name
            here["cut"] = round(float(tree.threshold[node]), 4)
        if same:
            found[way] = here
    return found


def _ways(forest: Forest) -> Iterator[tuple[str, int]]:
    """Every node with the tests above it; all tests are of numbers."""
    tree = forest.trees[0]
    ways = {0: ROOT}
    for node in range(len(tree)):
        yield ways[node], node
        if tree.attribute[node] != LEAF:
            name = forest.attributes[tree.attribute[node]].name
            for side, child in zip((LOW, HIGH), tree.branches_of(node).tolist(), strict=True):
                ways[child] = f"{name} {side}" if node == 0 else f"{ways[node]}, {name} {side}"


def numbers_of_nodes(trees: Sequence[Mapping[str, Any]]) -> dict[str, Sequence[float]]:
    """Records, errors and cuts at every node, of the trees that have it."""
    found: dict[str, Sequence[float]] = {}
    for way in LEAVES:
        here = [tree["nodes"][way] for tree in trees if way in tree["nodes"]]
        found[f"leaf at {way}: records"] = [node["records"] for node in here]
        found[f"leaf at {way}: errors"] = [node["errors"] for node in here]
    for way, attribute in TESTS.items():
        here = [tree["nodes"][way] for tree in trees if way in tree["nodes"]]
        found[f"{attribute} tested at {way}: cut"] = [node["cut"] for node in here]
        # How many records reach a test is printed of this one.
        if attribute == "NOX":
            found[f"{attribute} tested at {way}: records"] = [node["records"] for node in here]
    return found

"""Segments the slow way: every record walked through every tree of a forest.json, every box asked value by value.

Records are dicts of names to numbers, texts or None; nothing is turned into codes, grids or arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Cell = float | str | None
Record = Mapping[str, Cell]
Node = Mapping[str, Any]
Leaves = tuple[int, ...]


def child_for(node: Node, value: Cell) -> int:
    """Identity of the child that a value of the tested attribute leads to."""
    children: Mapping[str, int] = node["children"]
    if value is None:
        return int(node["missing_to"])
    if "threshold" in node["test"]:
        return children["le"] if float(value) <= node["test"]["threshold"] else children["gt"]
    return children.get(str(value), int(node["missing_to"]))


def leaf_of(nodes: Sequence[Node], record: Record) -> int:
    """Identity of the leaf that a record reaches."""
    by_id = {node["id"]: node for node in nodes}
    node = nodes[0]
    while "test" in node:
        node = by_id[child_for(node, record[node["test"]["attribute"]])]
    return int(node["id"])


def leaves_of(model: Mapping[str, Any], record: Record) -> Leaves:
    """The leaf of a record in every tree."""
    return tuple(leaf_of(tree["nodes"], record) for tree in model["trees"])


def intersections(model: Mapping[str, Any], records: Sequence[Record]) -> dict[Leaves, list[int]]:
    """Row numbers by the leaves they reach together."""
    found: dict[Leaves, list[int]] = {}
    for row, record in enumerate(records):
        found.setdefault(leaves_of(model, record), []).append(row)
    return found


def path_to(nodes: Sequence[Node], leaf: int) -> list[tuple[Node, int]]:
    """The tests on the way to a leaf, each with the child taken."""
    parent = {child: node for node in nodes if "test" in node for child in node["children"].values()}
    path: list[tuple[Node, int]] = []
    at = leaf
    while at in parent:
        path.append((parent[at], at))
        at = parent[at]["id"]
    return path


def tests_of(model: Mapping[str, Any], leaves: Leaves, attribute: str) -> Iterator[tuple[Node, int]]:
    """Every test of one attribute on the paths to these leaves, with the child taken."""
    for tree, leaf in zip(model["trees"], leaves, strict=True):
        for node, child in path_to(tree["nodes"], leaf):
            if node["test"]["attribute"] == attribute:
                yield node, child


def influential(model: Mapping[str, Any], leaves: Leaves, attribute: str) -> bool:
    """Whether any path to these leaves tests the attribute."""
    return any(True for _ in tests_of(model, leaves, attribute))


def allows(model: Mapping[str, Any], leaves: Leaves, attribute: str, value: Cell) -> bool:
    """Whether a record in these leaves can have this value."""
    return all(child_for(node, value) == child for node, child in tests_of(model, leaves, attribute))


def bounds(
    model: Mapping[str, Any], leaves: Leaves, attribute: str, low: float, high: float
) -> tuple[float, float]:
    """The interval (or empty pair) that is left of a continuous domain."""
    for node, child in tests_of(model, leaves, attribute):
        threshold = float(node["test"]["threshold"])
        if child == node["children"]["le"]:
            high = min(high, threshold)
        else:
            low = max(low, threshold)
    return low, high

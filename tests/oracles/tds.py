"""Top-down specialisation by the definition: every candidate is tried out on the whole table at every step.

Columns are lists of values, None for missing. `ways` has for a categorical column the way up from every value (itself
first, the root last), and None for a numeric one. A node is a set of values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

EQUAL = 1e-12

Ways = Mapping[str, Sequence[str]] | None
Node = tuple[Any, ...]


def specialise(
    columns: Sequence[Sequence[Any]],
    ways: Sequence[Ways],
    classes: Sequence[Any],
    k: int,
    score: str = "igpl",
    max_steps: int | None = None,
) -> list[set[Node]]:
    """The nodes that every column ends with."""
    cut: list[list[Node]] = [[tuple(sorted(set(column), key=_key))] for column in columns]
    steps = 0
    while max_steps is None or steps < max_steps:
        smallest = _smallest(columns, cut)
        best, chosen = -1.0, None
        for c, place in _in_order(cut):
            node = cut[c][place]
            children = _children(node, columns[c], ways[c], classes)
            if len(children) < 2:
                continue
            gain = _gain(node, children, columns[c], classes)
            after = _smallest(columns, [*cut[:c], [*_without(cut[c], place), *children], *cut[c + 1 :]])
            if gain <= EQUAL or after < k:
                continue
            loss = smallest - after
            worth = gain / (loss + 1) if score == "igpl" else gain / loss if loss else gain
            if worth > best * (1 + EQUAL):
                best, chosen = worth, (c, place, children)
        if chosen is None:
            break
        c, place, children = chosen
        cut[c] = [*_without(cut[c], place), *children]
        steps += 1
    return [set(nodes) for nodes in cut]


def _key(value: Any) -> tuple[bool, Any]:
    return value is not None, value


def _in_order(cut: Sequence[Sequence[Node]]) -> list[tuple[int, int]]:
    return [(c, place) for c, nodes in enumerate(cut) for place in range(len(nodes))]


def _without(nodes: Sequence[Node], place: int) -> list[Node]:
    return [node for i, node in enumerate(nodes) if i != place]


def _smallest(columns: Sequence[Sequence[Any]], cut: Sequence[Sequence[Node]]) -> int:
    """The size of the smallest group."""
    node_of = [{value: node for node in nodes for value in node} for nodes in cut]
    rows = zip(*([node_of[c][value] for value in column] for c, column in enumerate(columns)), strict=True)
    return min(Counter(rows).values())


def _children(node: Node, column: Sequence[Any], ways: Ways, classes: Sequence[Any]) -> list[Node]:
    if len(node) < 2:
        return []
    if ways is None:
        halves = [[node[:i], node[i:]] for i in range(1, len(node))]
        gains = [_gain(node, pair, column, classes) for pair in halves]
        first = next(i for i, gain in enumerate(gains) if gain >= max(gains) - EQUAL)
        return halves[first]
    height = len(next(iter(ways.values())))
    for level in range(height - 1, -1, -1):
        found: dict[Any, list[Any]] = {}
        for value in node:
            found.setdefault(None if value is None else ways[value][level], []).append(value)
        # Missing values are in no group, but the root is above them too.
        if len(found) > 1 and level < height - 1:
            return [tuple(values) for values in found.values()]
    return []


def _gain(node: Node, children: Sequence[Node], column: Sequence[Any], classes: Sequence[Any]) -> float:
    own = [c for value, c in zip(column, classes, strict=True) if value in node]
    inside = [[c for value, c in zip(column, classes, strict=True) if value in child] for child in children]
    return _entropy(own) - sum(len(held) / len(own) * _entropy(held) for held in inside)


def _entropy(labels: Sequence[Any]) -> float:
    return -sum(n / len(labels) * log2(n / len(labels)) for n in Counter(labels).values())

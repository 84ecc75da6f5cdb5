"""Slow, obvious C4.5 release 8 and J48: grow, collapse, prune, classify; nodes in the form of `forest.json`.

Written from the specification alone (algorithms 1.1-1.5). `c45_splits` scores splits, `c45_pruning` prunes.
Where the specification leaves a choice: if every valid attribute has too many values to count in the average
gain, the node is a leaf; a leaf without records is labelled as its parent; class ties go to the first one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracles.c45_pruning import Node, collapse, make_leaf, prune, split_records, useless
from oracles.c45_splits import Options, all_splits, best_split, weight
from oracles.small_table import Record, Table, class_weights, training_records

Nodes = list[dict[str, Any]]


def grow_nodes(table: Table, options: Options) -> Nodes:
    """The whole tree of a table, as the nodes of `forest.json`."""
    return to_nodes(grow_pruned(training_records(table), table, options), table, options)


def grow_pruned(
    records: Sequence[Record],
    table: Table,
    options: Options,
    depth: int = 0,
    used: frozenset[int] = frozenset(),
) -> Node:
    """Grow a (sub)tree of these records, collapse it, prune it."""
    node = grow(records, table, options, depth, used)
    if options.variant == "j48":
        collapse(node, table)
    if options.prune:
        prune(node, table, options)
    return node


def grow(records: Sequence[Record], table: Table, options: Options, depth: int, used: frozenset[int]) -> Node:
    node: Node = {"records": list(records)}
    weights = class_weights(records, len(table.classes))
    pure = weight(records) - max(weights) <= options.slack
    if pure or weight(records) < 2 * options.min_leaf - options.slack or depth == options.max_depth:
        return node
    split = best_split(all_splits(records, table, used, options), table, options)
    if split is None:
        return node
    if split.threshold is None:
        used |= {split.attribute}
    node["split"] = split
    node["children"] = [
        grow(part, table, options, depth + 1, used) for part in split_records(records, split, table, options)
    ]
    if options.variant == "c45" and useless(node, table):
        make_leaf(node)
    return node


def first_largest(weights: Sequence[float], slack: float) -> int:
    """Position of the largest weight, the first one on ties."""
    best = 0
    for i, w in enumerate(weights):
        if w > weights[best] + slack:
            best = i
    return best


def to_nodes(tree: Node, table: Table, options: Options) -> Nodes:
    """Number a tree in preorder and write its nodes as in `forest.json`."""
    nodes: Nodes = []

    def visit(node: Node, parent_label: str) -> int:
        counts = class_weights(node["records"], len(table.classes))
        label = table.classes[first_largest(counts, options.slack)] if sum(counts) > 0 else parent_label
        form: dict[str, Any] = {"id": len(nodes), "counts": counts, "label": label}
        nodes.append(form)
        if "split" in node:
            column = table.columns[node["split"].attribute]
            form["test"] = {"attribute": column.name}
            if column.values is None:
                form["test"]["threshold"] = node["split"].threshold
            ids = [visit(child, label) for child in node["children"]]
            form["children"] = dict(zip(column.values or ("le", "gt"), ids, strict=True))
            form["missing_to"] = ids[first_largest([sum(nodes[i]["counts"]) for i in ids], options.slack)]
        return int(form["id"])

    visit(tree, table.classes[0])
    return nodes


def class_shares(nodes: Nodes, table: Table, values: Sequence[float | None]) -> list[float]:
    """Class probabilities of a record (algorithms 1.4): down all branches where its value is unknown."""
    names = [column.name for column in table.columns]

    def visit(i: int, outer: list[float]) -> list[float]:
        node = nodes[i]
        counts = node["counts"] if sum(node["counts"]) > 0 else outer
        if "test" not in node:
            return [c / sum(counts) for c in counts]
        position = names.index(node["test"]["attribute"])
        value, categories = values[position], table.columns[position].values
        children = list(node["children"].values())
        if value is not None and categories is not None:
            return visit(children[int(value)], counts)
        if value is not None:
            return visit(children[0 if value <= node["test"]["threshold"] else 1], counts)
        sizes = [sum(nodes[child]["counts"]) for child in children]
        shares = [
            [s * size / sum(sizes) for s in visit(c, counts)] for c, size in zip(children, sizes, strict=True)
        ]
        return [sum(column) for column in zip(*shares, strict=True)]

    return visit(0, nodes[0]["counts"])

"""Slow, obvious See5 (C5.0), one tree: grow, prune locally and globally, finish; nodes as in `forest.json`.

Written from the specification alone (algorithms 1.6). `see5_splits` scores and deals, `see5_pruning` prunes.
Where the specification leaves a choice: unknown records of small weight are judged by the weight they have at the
node; a branch that becomes empty while pruning is a leaf with its parent's label.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oracles.see5_pruning import (
    Node,
    Pruner,
    empty_leaf,
    leaf_training_errors,
    make_leaf,
    prune,
    prune_globally,
    training_errors,
)
from oracles.see5_splits import SLACK, Options, choose, deal, first_largest, single, weight
from oracles.small_table import Record, Table, class_weights, training_records

Nodes = list[dict[str, Any]]


def grow_nodes(table: Table, options: Options) -> Nodes:
    """The whole tree of a table, as the nodes of `forest.json`."""
    rounded = table._replace(
        rows=tuple(
            tuple(
                value if value is None or column.values is not None else single(value)
                for value, column in zip(row, table.columns, strict=True)
            )
            for row in table.rows
        )
    )
    records = training_records(rounded)
    root = grow(records, rounded, options, 0, frozenset())
    if options.prune:

        def regrow(node: Node, own: Sequence[Record], depth: int) -> None:
            grow_branches(node, own, rounded, options, depth, frozenset())

        prune(root, records, Pruner(rounded, options, regrow), update=True, regrow=True, depth=0)
        if options.global_pruning:
            prune_globally(root, records)
    return to_nodes(root, table, options)


def grow(records: Sequence[Record], table: Table, options: Options, depth: int, used: frozenset[int]) -> Node:
    counts = class_weights(records, len(table.classes))
    node: Node = {"counts": counts, "label": first_largest(counts)}
    total = weight(records)
    pure = max(counts) >= 0.999 * total - SLACK
    if pure or total < 2 * options.min_leaf - SLACK or depth == options.max_depth:
        return node
    split = choose(records, table, used, options)
    if split is not None:
        node["split"] = split
        grow_branches(node, records, table, options, depth, used)
    return node


def grow_branches(
    node: Node, records: Sequence[Record], table: Table, options: Options, depth: int, used: frozenset[int]
) -> None:
    """Give a node the children that its test asks for, unless they save no errors."""
    counts = class_weights(records, len(table.classes))
    node["counts"], node["label"] = counts, first_largest(counts)
    if node["split"].cut is None:
        used |= {node["split"].attribute}
    parts = deal(records, node["split"], table, growing=True)
    node["children"] = [
        grow(part, table, options, depth + 1, used) if part else empty_leaf(node) for part in parts
    ]
    if training_errors(node) >= 0.999 * leaf_training_errors(node) - SLACK:
        make_leaf(node)


def to_nodes(tree: Node, table: Table, options: Options) -> Nodes:
    """Number a tree in preorder, leaves of one label merged, and write its nodes as in `forest.json`."""
    nodes: Nodes = []

    def visit(node: Node) -> int:
        form: dict[str, Any] = {
            "id": len(nodes),
            "counts": node["counts"],
            "label": table.classes[node["label"]],
        }
        nodes.append(form)
        if "split" in node:
            column = table.columns[node["split"].attribute]
            form["test"] = {"attribute": column.name}
            if column.values is None:
                form["test"]["threshold"] = threshold(
                    node["split"].attribute, node["split"].cut, table, options
                )
            ids: list[tuple[Node, int]] = []
            form["children"] = {}
            for key, child in zip(column.values or ("le", "gt"), merged(node["children"]), strict=True):
                earlier = next((i for other, i in ids if other is child), None)
                form["children"][key] = visit(child) if earlier is None else earlier
                ids.append((child, form["children"][key]))
            sizes = [sum(nodes[i]["counts"]) for _, i in ids]
            form["missing_to"] = ids[first_largest(sizes)][1]
        return int(form["id"])

    visit(tree)
    return nodes


def merged(children: Sequence[Node]) -> list[Node]:
    """The child of every branch, leaves of one label being the same object; empty ones only with empty ones."""
    if len(children) < 3:
        return list(children)
    found: dict[tuple[int, bool], Node] = {}
    result = []
    for child in children:
        key = child["label"], sum(child["counts"]) > 0
        if "split" in child:
            result.append(child)
        elif key in found:
            sums = zip(found[key]["counts"], child["counts"], strict=True)
            found[key]["counts"] = [a + b for a, b in sums]
            result.append(found[key])
        else:
            found[key] = {"counts": child["counts"], "label": child["label"]}
            result.append(found[key])
    return result


def threshold(attribute: int, cut: float, table: Table, options: Options) -> float:
    """The largest value of the whole training table that is not above the cut, or the cut itself."""
    column = [row[attribute] for row, c in zip(table.rows, table.labels, strict=True) if c is not None]
    largest = max(value for value in column if value is not None and single(value) <= cut)
    return max(cut, largest) if options.thresholds == "midpoint" else largest

"""Local and global pruning of a C5.0 tree (algorithms 1.6.5 and 1.6.6), as the specification words it.

A tree is a dict: `counts`, `label` and, unless it is a leaf, `split` and `children`. `see5` grows them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import Any, NamedTuple

from oracles.c45_pruning import deviation
from oracles.see5_splits import SLACK, Options, deal, first_largest, single, weight
from oracles.small_table import Record, Table, class_weights

Node = dict[str, Any]
Grow = Callable[[Node, Sequence[Record], int], None]


class Pruner(NamedTuple):
    """What pruning needs beside a node: `regrow` gives a node, at a depth, new children under the test it has."""

    table: Table
    options: Options
    regrow: Grow


def extra_errors(n: float, e: float, confidence: float) -> float:
    """U(N, e)."""
    none: float = n * (1 - confidence ** (1 / n))
    if e < 1e-6:
        return none
    if e < 0.9999 and n > 1:
        return none + e * (extra_errors(n, 1, confidence) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e)
    z2 = deviation(confidence, "c45") ** 2
    root = sqrt(z2 * ((e + 0.5) * (1 - (e + 0.5) / n) + z2 / 4))
    return n * (e + 0.5 + z2 / 2 + root) / (n + z2) - e


def expected_errors(counts: Sequence[float], confidence: float) -> float:
    """e + U of a leaf with these class weights."""
    n, e = sum(counts), sum(counts) - max(counts)
    return e + extra_errors(n, e, confidence) if n > 0 else 0.0


def prune(
    node: Node, records: Sequence[Record], how: Pruner, update: bool, regrow: bool, depth: int
) -> float:
    """Prune a subtree that holds these records (or only estimate); the errors to expect of it."""
    counts = class_weights(records, len(how.table.classes))
    leaf_errors = expected_errors(counts, how.options.confidence)
    if update:
        node["counts"], node["label"] = counts, first_largest(counts)
    if "split" not in node:
        return leaf_errors
    parts = deal(records, node["split"], how.table, growing=False)
    tree_errors, pool = 0.0, [0.0] * len(counts)
    for position, part in enumerate(parts):
        if not part:
            if update:
                node["children"][position] = empty_leaf(node)
            continue
        found = prune(node["children"][position], part, how, update, regrow, depth + 1)
        if weight(part) < how.options.min_leaf - SLACK:
            pool = [a + b for a, b in zip(pool, class_weights(part, len(counts)), strict=True)]
        else:
            tree_errors += found
    tree_errors += expected_errors(pool, how.options.confidence)
    if not update:
        return tree_errors
    sizes = [weight(part) for part in parts]
    candidate = raised(node, sizes)
    branch_errors = inf
    if candidate is not None:
        branch_errors = prune(node["children"][candidate], records, how, False, False, depth)
    if leaf_errors <= branch_errors + 0.1 and leaf_errors <= tree_errors + 0.1:
        make_leaf(node)
        return leaf_errors
    if candidate is None or branch_errors > tree_errors + 0.1:
        return tree_errors
    branch = node["children"][candidate]
    node["split"], node["children"] = branch["split"], branch["children"]
    if regrow and sizes[candidate] < 0.95 * sum(counts) - SLACK:
        how.regrow(node, records, depth)
    return prune(node, records, how, True, False, depth)


def raised(node: Node, sizes: Sequence[float]) -> int | None:
    """The branch that may take its parent's place."""
    best = None
    for position, child in enumerate(node["children"]):
        if "split" not in child or sizes[position] < 0.1 * sum(node["counts"]) - SLACK:
            continue
        if node["split"].cut is not None and child["split"].attribute == node["split"].attribute:
            continue
        if best is None or sizes[position] > sizes[best] + SLACK:
            best = position
    return best


def empty_leaf(parent: Node) -> Node:
    return {"counts": [0.0] * len(parent["counts"]), "label": parent["label"]}


def make_leaf(node: Node) -> None:
    del node["split"], node["children"]


def leaf_training_errors(node: Node) -> float:
    return float(sum(node["counts"]) - node["counts"][node["label"]])


def training_errors(node: Node) -> float:
    if "split" not in node:
        return leaf_training_errors(node)
    return sum(training_errors(child) for child in node["children"])


def leaves(node: Node) -> int:
    """How many leaves with weight there are."""
    if "split" not in node:
        return int(sum(node["counts"]) > 1e-3)
    return sum(leaves(child) for child in node["children"])


def tested(node: Node) -> set[int]:
    if "split" not in node:
        return set()
    return {node["split"].attribute}.union(*(tested(child) for child in node["children"]))


def shares(node: Node, values: Sequence[float | None], outer: Sequence[float]) -> list[float]:
    """Class shares of a record (algorithms 1.6.8), for a tree that has not been finished."""
    own = node["counts"] if sum(node["counts"]) > 0 else outer
    if "split" not in node:
        return [c / sum(own) for c in own]
    value, split = values[node["split"].attribute], node["split"]
    if value is not None:
        branch = int(value) if split.cut is None else int(value > split.cut)
        return shares(node["children"][branch], values, own)
    together = [0.0] * len(own)
    for child in node["children"]:
        part = sum(child["counts"]) / sum(own)
        if part > 0:
            found = shares(child, values, own)
            together = [a + part * b for a, b in zip(together, found, strict=True)]
    return together


def errors_to_begin_with(root: Node, records: Sequence[Record]) -> float:
    """Training errors, counted by classifying where a tested attribute has missing values."""
    if all(r.values[a] is not None for r in records for a in tested(root)):
        return training_errors(root)
    return float(sum(first_largest(shares(root, r.values, root["counts"])) != r.label for r in records))


def prune_globally(root: Node, records: Sequence[Record]) -> None:
    """Make leaves of the cheapest nodes while their cost stays within one standard error."""
    errors = errors_to_begin_with(root, records)
    budget = sqrt(errors * (1 - errors / len(records)))
    while budget > 0:
        nodes = cheapest(root, budget)
        price = sum(extra_of(node) for node in nodes)
        if not nodes or price > budget:
            return
        for node in nodes:
            make_leaf(node)
        budget -= price


def cheapest(root: Node, budget: float) -> list[Node]:
    """The tied set of nodes that cost the least errors a leaf saved."""
    tied: list[Node] = []
    least = inf

    def walk(node: Node) -> None:
        nonlocal tied, least
        if "split" not in node:
            return
        least_before, size_before = least, len(tied)
        for child in node["children"]:
            if sum(child["counts"]) > 0.1:
                walk(child)
        extra = extra_of(node)
        if extra > budget or leaves(node) < 2:
            return
        cost = extra / (leaves(node) - 1)
        if cost < least or (cost <= least and cost < least_before):
            tied, least = [node], single(cost)
        elif cost <= least:
            tied = [*tied[:size_before], node]

    walk(root)
    return tied


def extra_of(node: Node) -> float:
    """Training errors that a leaf in its place would add; fractions are rounded so that sums do not decide."""
    return round(leaf_training_errors(node) - training_errors(node), 8)

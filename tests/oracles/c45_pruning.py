"""Collapsing and error-based pruning of a grown tree, and the error estimate (algorithms 1.3 and 1.5).

A tree is a dict: `records` at the node and, unless it is a leaf, `split` and `children`. `c45` grows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import Any

from oracles.c45_splits import EPSILON, Options, Split, known_of, weight
from oracles.small_table import Record, Table, class_weights

Node = dict[str, Any]

LIMITS = (0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def deviation(confidence: float, variant: str) -> float:
    """z: interpolated in Quinlan's table, or the exact normal quantile."""
    if variant == "j48":
        return NormalDist().inv_cdf(1 - confidence)
    i = next(i for i in range(1, len(LIMITS)) if confidence <= LIMITS[i])
    part = (confidence - LIMITS[i - 1]) / (LIMITS[i] - LIMITS[i - 1])
    return DEVIATIONS[i - 1] + part * (DEVIATIONS[i] - DEVIATIONS[i - 1])


def extra_errors(n: float, e: float, confidence: float, variant: str) -> float:
    """U(N, e)."""
    none: float = n * (1 - confidence ** (1 / n))
    if e <= 0 or (variant == "c45" and e < 1e-6):
        return none
    if e < 1:
        return none + e * (extra_errors(n, 1, confidence, variant) - none)
    if e + 0.5 >= n - 1e-10:
        return 0.67 * (n - e) if variant == "c45" else max(n - e, 0)
    z2 = deviation(confidence, variant) ** 2
    root = sqrt(z2 * ((e + 0.5) * (1 - (e + 0.5) / n) + z2 / 4))
    return n * (e + 0.5 + z2 / 2 + root) / (n + z2) - e


def estimated_errors(n: float, e: float, confidence: float, variant: str) -> float:
    """e + U."""
    return e + extra_errors(n, e, confidence, variant) if n > 0 else 0.0


def split_records(
    records: Sequence[Record], split: Split, table: Table, options: Options
) -> list[list[Record]]:
    """The records of every branch; one without a value goes down all, in shares of their known weight."""
    values = table.columns[split.attribute].values
    parts: list[list[Record]] = [[] for _ in range(2 if values is None else len(values))]
    for r in known_of(records, split.attribute):
        value = r.values[split.attribute]
        assert value is not None
        parts[int(value) if split.threshold is None else int(value > split.threshold)].append(r)
    sizes = [weight(part) for part in parts]
    known = sum(sizes)
    shares = [size / known if known > 0 else 1 / len(parts) for size in sizes]
    for r in records:
        if r.values[split.attribute] is None:
            for part, share in zip(parts, shares, strict=True):
                if share > (1e-6 if options.variant == "j48" else 0):
                    part.append(r._replace(weight=r.weight * share))
    return parts


def make_leaf(node: Node) -> None:
    del node["split"], node["children"]


def leaf_errors(records: Sequence[Record], table: Table) -> float:
    """Weight outside the largest class."""
    weights = class_weights(records, len(table.classes))
    largest = max(range(len(weights)), key=weights.__getitem__)
    return sum(w for c, w in enumerate(weights) if c != largest)


def training_errors(node: Node, table: Table) -> float:
    if "split" not in node:
        return leaf_errors(node["records"], table)
    return sum(training_errors(child, table) for child in node["children"])


def useless(node: Node, table: Table) -> bool:
    """Whether the branches together make as many training errors as the node would as a leaf."""
    return training_errors(node, table) >= leaf_errors(node["records"], table) - EPSILON


def collapse(node: Node, table: Table) -> None:
    """J48's own pass, from the root down."""
    if "split" not in node:
        return
    if useless(node, table):
        make_leaf(node)
        return
    for child in node["children"]:
        collapse(child, table)


def as_leaf(records: Sequence[Record], table: Table, options: Options) -> float:
    return estimated_errors(weight(records), leaf_errors(records, table), options.confidence, options.variant)


def estimate(node: Node, records: Sequence[Record], table: Table, options: Options) -> float:
    """Estimated errors of a subtree if these records were sent down it."""
    if "split" not in node:
        return as_leaf(records, table, options)
    parts = split_records(records, node["split"], table, options)
    return sum(
        estimate(child, part, table, options) for child, part in zip(node["children"], parts, strict=True)
    )


def redistribute(node: Node, records: Sequence[Record], table: Table, options: Options) -> None:
    node["records"] = list(records)
    if "split" in node:
        parts = split_records(records, node["split"], table, options)
        for child, part in zip(node["children"], parts, strict=True):
            redistribute(child, part, table, options)


def largest_branch(node: Node, options: Options) -> Node:
    """The child with the most weight, the last one on ties."""
    largest: Node = node["children"][0]
    for child in node["children"][1:]:
        if weight(child["records"]) >= weight(largest["records"]) - options.slack:
            largest = child
    return largest


def prune(node: Node, table: Table, options: Options) -> None:
    """Subtree replacement and raising, children first."""
    if "split" not in node:
        return
    for child in node["children"]:
        prune(child, table, options)
    largest = largest_branch(node, options)
    leaf = as_leaf(node["records"], table, options)
    branch = estimate(largest, node["records"], table, options)
    tree = estimate(node, node["records"], table, options)
    allowed = 0.1 + options.slack
    if leaf <= branch + allowed and leaf <= tree + allowed:
        make_leaf(node)
    elif branch <= tree + allowed:
        records = node["records"]
        node.clear()
        node.update(largest)
        redistribute(node, records, table, options)
        prune(node, table, options)

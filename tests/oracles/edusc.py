"""EDUSC the slow way (FF paper, equations 4 and 5; errata G4, G5, G16): the records of every node, one by one.

Trees are node lists of forest.json, tables are small tables; the rules for admissible splits are C4.5's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, log2
from typing import Any

from oracles.c45_splits import (
    LEAST_GAP,
    Options,
    all_cuts,
    by_value,
    gain_of,
    least_side,
    total_information,
    unknown_of,
    weight,
)
from oracles.small_table import Record, Table, class_weights, training_records

Nodes = Sequence[Mapping[str, Any]]


def edusc(
    trees: Sequence[Nodes],
    original: Table,
    released: Table,
    options: Options,
    threshold: float,
    criterion: str = "gain_ratio",
) -> dict[str, float]:
    """Similarity by both normalisations, averaged over the trees."""
    found = [similarity(nodes, original, released, options, threshold, criterion) for nodes in trees]
    return {key: fsum(one[key] for one in found) / len(found) for key in ("affected", "paper")}


def similarity(
    nodes: Nodes, original: Table, released: Table, options: Options, threshold: float, criterion: str
) -> dict[str, float]:
    before, after = spread(nodes, original), spread(nodes, released)
    total = fsum(len(records) for records in before.values())
    weighted = 0.0
    for node in nodes:
        changes = []
        for attribute in range(len(original.columns)):
            one = ratio(node, attribute, before[node["id"]], original, options, criterion)
            other = ratio(node, attribute, after[node["id"]], released, options, criterion)
            if max(one, other) > threshold:
                changes.append(abs(one - other))
        if changes:
            weighted += fsum(changes) / len(changes) * len(before[node["id"]])
    return {
        "affected": 1 - weighted / total,
        "paper": 1 - weighted / (len(before[0]) * len(nodes)),
    }


def spread(nodes: Nodes, table: Table) -> dict[int, list[Record]]:
    """The records with a class in every node; each goes one way only."""
    by_id = {node["id"]: node for node in nodes}
    here: dict[int, list[Record]] = {node["id"]: [] for node in nodes}
    for record in training_records(table):
        node = by_id[0]
        here[0].append(record)
        while "test" in node:
            node = by_id[child_of(node, record, table)]
            here[node["id"]].append(record)
    return here


def child_of(node: Mapping[str, Any], record: Record, table: Table) -> int:
    position = [column.name for column in table.columns].index(node["test"]["attribute"])
    value, values = record.values[position], table.columns[position].values
    if value is None:
        return int(node["missing_to"])
    if values is None:
        return int(node["children"]["le" if value <= node["test"]["threshold"] else "gt"])
    return int(node["children"][values[int(value)]])


def ratio(
    node: Mapping[str, Any],
    attribute: int,
    records: Sequence[Record],
    table: Table,
    options: Options,
    criterion: str,
) -> float:
    """Gain ratio of an attribute in a node (or another score): of its own test, or else of the best split."""
    if not records:
        return 0.0
    classes, unknown = len(table.classes), weight(unknown_of(records, attribute))
    known = [r for r in records if r.values[attribute] is not None]
    if "test" in node and node["test"]["attribute"] == table.columns[attribute].name:
        children: dict[int, list[Record]] = {}
        for r in known:
            children.setdefault(child_of(node, r, table), []).append(r)
        return score([class_weights(part, classes) for part in children.values()], unknown, criterion)
    if table.columns[attribute].values is None:
        return score(best_cut(records, attribute, classes, options, criterion), unknown, criterion)
    parts = list(by_value(records, attribute, classes).values())
    large = sum(fsum(part) >= options.min_leaf for part in parts)
    return score(parts, unknown, criterion) if large >= 2 else 0.0


def best_cut(
    records: Sequence[Record], attribute: int, classes: int, options: Options, criterion: str
) -> list[list[float]]:
    """Both sides of the cut that gains most, nothing being subtracted for the choice; empty without one."""
    unknown = weight(unknown_of(records, attribute))
    least = least_side(weight(records) - unknown, classes, options)
    best, sides = 0.0, []
    for low, high, left, right in all_cuts(by_value(records, attribute, classes)):
        smaller = min(fsum(left), fsum(right))
        if high - low > LEAST_GAP and smaller >= max(least, options.min_leaf):
            gain = gain_of([left, right], unknown, criterion)
            if gain > best + options.slack:
                best, sides = gain, [left, right]
    return sides


def score(parts: Sequence[Sequence[float]], unknown: float, criterion: str) -> float:
    """The gain ratio, or a gain as a share of the most that the number of classes allows."""
    if criterion == "gain_ratio":
        return gain_ratio(parts, unknown)
    if len(parts) < 2:
        return 0.0
    classes = len(parts[0])
    return gain_of(parts, unknown, criterion) / (1 - 1 / classes if criterion == "gini" else log2(classes))


def gain_ratio(parts: Sequence[Sequence[float]], unknown: float) -> float:
    """Gain over split information, unknown values being a branch of their own."""
    if len(parts) < 2:
        return 0.0
    sizes = [fsum(part) for part in parts]
    info = total_information([unknown, *sizes]) / (unknown + fsum(sizes))
    return gain_of(parts, unknown, "gain_ratio") / info if info > 0 else 0.0

"""Slow, obvious credal trees and forests (Abellán and Moral 2003; Abellán and Masegosa 2010), with s = 1.

Recursive, all attributes and all cuts one after the other. Missing values, minimum leaf, thresholds and ties are those
of the C4.5 oracle, whose options are read; criterion, confidence and pruning do not apply.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log2

from oracles.c45 import Nodes, to_nodes
from oracles.c45_pruning import Node, split_records
from oracles.c45_splits import (
    LEAST_GAP,
    Options,
    Split,
    all_cuts,
    by_value,
    middle,
    stored_threshold,
    unknown_of,
    weight,
)
from oracles.small_table import Record, Table, class_weights, training_records


def poured(counts: Sequence[float], s: float = 1.0) -> list[float]:
    """The counts after mass `s` was poured on the smallest: they rise together, and others join when reached."""
    filled = list(counts)
    left = s
    while left > 1e-15:
        low = min(filled)
        lowest = [i for i, count in enumerate(filled) if count <= low + 1e-12]
        higher = [count for count in filled if count > low + 1e-12]
        room = (min(higher) - low) * len(lowest) if higher else left
        used = min(room, left)
        for i in lowest:
            filled[i] = low + used / len(lowest)
        left -= used
    return filled


def upper_entropy(counts: Sequence[float], s: float = 1.0) -> float:
    """The highest entropy of the class, in bits, given how often each was seen."""
    filled = poured(counts, s)
    total = fsum(filled)
    return -fsum(c / total * log2(c / total) for c in filled if c > 0)


def imprecise_gain(parts: Sequence[Sequence[float]], unknown: float) -> float:
    """What knowing the part takes off the upper entropy, for the share of records with a value."""
    together = [fsum(column) for column in zip(*parts, strict=True)]
    known = fsum(together)
    after = fsum(fsum(part) / known * upper_entropy(part) for part in parts)
    return known / (known + unknown) * (upper_entropy(together) - after)


def best_test(records: Sequence[Record], attribute: int, table: Table, options: Options) -> Split | None:
    """The best allowed test of one attribute, also if it gains nothing."""
    groups = by_value(records, attribute, len(table.classes))
    unknown, least = weight(unknown_of(records, attribute)), options.min_leaf - 1e-9
    if table.columns[attribute].values is not None:
        if sum(fsum(part) >= least for part in groups.values()) < 2:
            return None
        return Split(attribute, None, imprecise_gain(list(groups.values()), unknown), 0)
    best: Split | None = None
    for low, high, left, right in all_cuts(groups):
        if high - low <= LEAST_GAP or min(fsum(left), fsum(right)) < least:
            continue
        gain = imprecise_gain([left, right], unknown)
        if best is None or gain > best.gain + options.slack:
            threshold = stored_threshold(middle(low, high), attribute, table, options.thresholds)
            best = Split(attribute, threshold, gain, 0)
    return best


def gaining_tests(
    records: Sequence[Record], table: Table, options: Options, used: frozenset[int]
) -> list[Split]:
    """The best test of every attribute that gains."""
    open_columns = [a for a in range(len(table.columns)) if a not in used]
    tests = [best_test(records, a, table, options) for a in open_columns]
    return [test for test in tests if test is not None and test.gain > options.slack]


def grow(records: Sequence[Record], table: Table, options: Options, depth: int, used: frozenset[int]) -> Node:
    leaf: Node = {"records": list(records)}
    weights = class_weights(records, len(table.classes))
    pure = weight(records) - max(weights) <= 1e-9
    if pure or weight(records) < 2 * options.min_leaf - 1e-9 or depth == options.max_depth:
        return leaf
    best: Split | None = None
    for test in gaining_tests(records, table, options, used):
        if best is None or test.gain > best.gain + options.slack:
            best = test
    return leaf if best is None else split_by(best, records, table, options, depth, used)


def split_by(
    test: Split, records: Sequence[Record], table: Table, options: Options, depth: int, used: frozenset[int]
) -> Node:
    """A node with this test, free below it."""
    below = used | ({test.attribute} if test.threshold is None else set())
    parts = split_records(records, test, table, options)
    children = [grow(part, table, options, depth + 1, below) for part in parts]
    return {"records": list(records), "split": test, "children": children}


def grow_nodes(table: Table, options: Options) -> Nodes:
    """The tree of a table, as the nodes of `forest.json`."""
    return to_nodes(grow(training_records(table), table, options, 0, frozenset()), table, options)


def grow_forest(table: Table, options: Options, trees: int) -> list[Nodes]:
    """Tree i starts from the i-th best attribute of the whole table."""
    records = training_records(table)
    roots = gaining_tests(records, table, options, frozenset())
    roots.sort(key=lambda test: -round(test.gain, 10))
    return [
        to_nodes(split_by(root, records, table, options, 0, frozenset()), table, options)
        for root in roots[:trees]
    ]

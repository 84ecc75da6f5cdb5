"""Slow, obvious SysFor (algorithms 2.1-2.3): good splits, trees of level 0 and level 1, forced tests.

Gain ratios are rounded to ten decimals before they are compared, so that rounding decides neither order nor
limits; separations and goodness are compared with the same care. Where the specification leaves a choice: the
unknown records are an extra branch in the split information, as in C4.5; thresholds and the rule on
many-valued attributes look at the whole table also inside a part; no good split means an empty forest.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, fsum
from typing import NamedTuple

from oracles.c45 import Nodes, grow_pruned, to_nodes
from oracles.c45_pruning import Node, split_records
from oracles.c45_splits import (
    Options,
    Split,
    all_cuts,
    by_value,
    gain_of,
    middle,
    stored_threshold,
    total_information,
    unknown_of,
    weight,
)
from oracles.small_table import Record, Table, training_records

DECIMALS = 10
CARE = 1e-10


class SysForOptions(NamedTuple):
    """How many trees, and which splits are good, in the product's words."""

    trees: int = 3
    goodness: float = 0.3
    separation: float = 0.3
    minimum_gain_ratio: float = 0.01
    deduplicate: bool = True


class Good(NamedTuple):
    """A split with its gain ratio; `point` is the midpoint of a numeric cut."""

    split: Split
    ratio: float
    point: float = 0.0


def gain_ratio(parts: Sequence[Sequence[float]], unknown: float) -> float:
    sizes = [fsum(part) for part in parts]
    info = total_information([unknown, *sizes]) / (unknown + fsum(sizes))
    return round(gain_of(parts, unknown, "gain_ratio") / info, DECIMALS)


def good_splits(
    records: Sequence[Record], table: Table, options: Options, limits: SysForOptions
) -> list[Good]:
    """`good(D)`: the splits near the best gain ratio, best first."""
    found: list[Good] = []
    for attribute, column in enumerate(table.columns):
        if column.values is None:
            found += separated(numeric_points(records, attribute, table, options), attribute, table, limits)
        else:
            found += categorical_split(records, attribute, table, options)
    found.sort(key=lambda good: -good.ratio)
    found = [good for good in found if good.ratio >= limits.minimum_gain_ratio]
    return [good for good in found if found[0].ratio - good.ratio <= limits.goodness + CARE]


def categorical_split(
    records: Sequence[Record], attribute: int, table: Table, options: Options
) -> list[Good]:
    parts = list(by_value(records, attribute, len(table.classes)).values())
    if sum(fsum(part) >= options.min_leaf - CARE for part in parts) < 2:
        return []
    ratio = gain_ratio(parts, weight(unknown_of(records, attribute)))
    return [Good(Split(attribute, None, 0, 0), ratio)]


def numeric_points(records: Sequence[Record], attribute: int, table: Table, options: Options) -> list[Good]:
    """Every midpoint that leaves a minimum leaf on both sides, ascending."""
    unknown = weight(unknown_of(records, attribute))
    points = []
    for low, high, left, right in all_cuts(by_value(records, attribute, len(table.classes))):
        if min(fsum(left), fsum(right)) >= options.min_leaf - CARE:
            mid = middle(low, high)
            split = Split(attribute, stored_threshold(mid, attribute, table, options.thresholds), 0, 0)
            points.append(Good(split, gain_ratio([left, right], unknown), mid))
    return points


def separated(points: Sequence[Good], attribute: int, table: Table, limits: SysForOptions) -> list[Good]:
    """Take the best point, drop its neighbours, and again until none remain."""
    column = [r.values[attribute] for r in training_records(table)]
    known = [value for value in column if value is not None]
    taken: list[Good] = []
    remaining = list(points)
    while remaining:
        best = max(remaining, key=lambda good: good.ratio)
        taken.append(best)
        apart = (limits.separation + CARE) * (max(known) - min(known))
        remaining = [good for good in remaining if good is not best and abs(good.point - best.point) > apart]
    return taken


def forced(split: Split, children: Sequence[Node], records: Sequence[Record]) -> Node:
    """A node with a test that nothing prunes."""
    return {"records": list(records), "split": split, "children": list(children)}


def free_children(
    parts: Sequence[Sequence[Record]],
    split: Split,
    depth: int,
    table: Table,
    options: Options,
    used: frozenset[int],
) -> list[Node]:
    """C4.5 on each part."""
    if split.threshold is None:
        used |= {split.attribute}
    return [grow_pruned(part, table, options, depth, used) for part in parts]


def level_0(split: Split, records: Sequence[Record], table: Table, options: Options) -> Node:
    parts = split_records(records, split, table, options)
    return forced(split, free_children(parts, split, 1, table, options, frozenset()), records)


def level_1(
    root: Split,
    goods: Sequence[Sequence[Good]],
    x: int,
    records: Sequence[Record],
    table: Table,
    options: Options,
) -> Node:
    """The tree with this root whose parts are split by their good split number x + 1, else number 0."""
    used = frozenset({root.attribute}) if root.threshold is None else frozenset()
    parts = split_records(records, root, table, options)
    children: list[Node] = []
    for part, good in zip(parts, goods, strict=True):
        if not good:
            children.append({"records": part})
            continue
        split = (good[x + 1] if x + 1 < len(good) else good[0]).split
        finer = split_records(part, split, table, options)
        children.append(forced(split, free_children(finer, split, 2, table, options, used), part))
    return forced(root, children, records)


def grow_forest(table: Table, options: Options, limits: SysForOptions) -> list[Nodes]:
    """The trees of the forest, as nodes of `forest.json`."""
    records = training_records(table)
    forest: list[Nodes] = []

    def add(tree: Node) -> None:
        nodes = to_nodes(tree, table, options)
        if not (limits.deduplicate and any(shape(nodes) == shape(other) for other in forest)):
            forest.append(nodes)

    roots = [good.split for good in good_splits(records, table, options, limits)][: limits.trees]
    for root in roots:
        add(level_0(root, records, table, options))
    for root in roots:
        parts = split_records(records, root, table, options)
        goods = [good_splits(part, table, options, limits) for part in parts]
        sizes = [weight(part) for part in parts]
        weighted = fsum(len(good) * size for good, size in zip(goods, sizes, strict=True))
        for x in range(floor(weighted / fsum(sizes) + CARE)):
            if len(forest) < limits.trees:
                add(level_1(root, goods, x, records, table, options))
    return forest


def shape(nodes: Nodes) -> list[object]:
    """What makes two trees the same: their tests, node by node."""
    return [(node.get("test"), node.get("children")) for node in nodes]

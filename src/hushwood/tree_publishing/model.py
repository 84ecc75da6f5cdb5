"""The grown trees as the published model: numbered in preorder, in the vocabulary of both tables.

A tested attribute's categories are its original ones followed by its labels, so that original and released records can
both be routed; missing values that form a group of their own come last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from hushwood.arrays import Bytes, Floats
from hushwood.tables.recoding.texts import MISSING
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing.growth import Growth, Split, threshold_of
from hushwood.tree_publishing.kernels import splits as kernels
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.records import Records
from hushwood.tree_publishing.released import Column, ColumnMap
from hushwood.trees.binary.growth import Node
from hushwood.trees.forest import LEAF, Forest, Tree

_UNSEEN = frozenset({"class", "identifier"})


def published_forest(
    table: Table,
    records: Records,
    grown: Sequence[Growth],
    columns: Mapping[str, Column],
    options: PublishOptions,
) -> Forest:
    """The forest that tree.json holds."""
    attributes = tuple(_described(columns[a.name]) for a in records.attributes)
    names = [a.name for a in attributes]
    tested = {place: tuple(names[a] for a in growth.columns) for place, growth in enumerate(grown)}
    response = table.schema.class_attribute
    others = [a.name for a in table.schema.attributes if a.name not in names and a.role not in _UNSEEN]
    how = options.grown(tested) | {"rows": table.rows, "other_columns": others}
    how["labels"] = {name: labels for name in names if (labels := _labels(columns[name].map))}
    if response is not None and response.bins and not response.response:
        how["class_bins"] = list(response.bins)
    trees = tuple(_tree(growth, records, [columns[n] for n in names], table, options) for growth in grown)
    return Forest(response.name if response else "", records.classes, attributes, trees, how)


def _described(column: Column) -> Attribute:
    """The attribute as the model describes it: missing values that form a group of their own are its last category.

    Otherwise a node could have a child that no category leads to.
    """
    attribute, name = column.attribute, MISSING
    if not column.map.tested or _place_of_missing(column) is None:
        return attribute
    while name in attribute.categories:
        name += " (no value)"
    return replace(attribute, categories=(*attribute.categories, name))


def _place_of_missing(column: Column) -> int | None:
    """The place of the missing values among the original categories, if they are a group of their own."""
    codes = column.released_code
    return None if codes is None or codes.min() >= 0 else int(np.argmin(codes))


def _labels(column: ColumnMap) -> dict[str, list[str]]:
    """What each label of a tested column stands for."""
    return {str(part.released): list(part.values) for part in column.parts if len(part.values) > 1}


def _tree(
    growth: Growth, records: Records, columns: Sequence[Column], table: Table, options: PublishOptions
) -> Tree:
    order = _preorder(growth.nodes)
    place = {number: i for i, number in enumerate(order)}
    nodes = [growth.nodes[number] for number in order]
    attribute = [LEAF if node.split is None else node.split.attribute for node in nodes]
    branches: list[list[int]] = []
    missing_to = np.full(len(nodes), LEAF, np.int32)
    for i, node in enumerate(nodes):
        if node.split is None:
            branches.append([])
            continue
        left, right = (place[child] for child in node.children)
        column = columns[node.split.attribute]
        sides = _sides(node.split, column)
        branches.append([(left, right)[side] for side in sides.tolist()])
        heavier = left if nodes[left].size >= nodes[right].size else right
        own = _side_of_missing(node.split, len(table.schema[column.attribute.name].categories))
        missing_to[i] = heavier if own is None else (left, right)[own]
    counts = _counts(nodes, growth, records, table)
    return Tree(
        np.array(attribute, np.int32),
        np.array(
            [np.nan if n.split is None else threshold_of(n.split, records, options.thresholds) for n in nodes]
        ),
        np.cumsum([0, *(len(own) for own in branches)], dtype=np.int64),
        np.array([child for own in branches for child in own], np.int32),
        missing_to,
        counts,
        np.argmax(counts, axis=1).astype(np.int32) if records.classes else np.zeros(len(nodes), np.int32),
        closed=frozenset(i for i, node in enumerate(nodes) if node.closed),
    )


def _preorder(nodes: Sequence[Node[Split]]) -> list[int]:
    order, waiting = [], [0]
    while waiting:
        number = waiting.pop()
        order.append(number)
        if nodes[number].split is not None:
            waiting.extend(reversed(nodes[number].children))
    return order


def _sides(split: Split, column: Column) -> Bytes:
    """Where the two branches of a number, or all categories of the vocabulary, go."""
    if split.sides is None or column.released_code is None:
        return np.array([kernels.LEFT, kernels.RIGHT], np.uint8)
    known = len(split.sides)
    sides = np.zeros(len(column.attribute.categories), np.uint8)
    originals = min(known, len(sides))
    sides[:originals] = split.sides[:originals]
    labelled = column.released_code >= 0
    sides[column.released_code[labelled]] = split.sides[labelled]
    alone = _place_of_missing(column)
    return sides if alone is None else np.append(sides, split.sides[alone])


def _side_of_missing(split: Split, known: int) -> int | None:
    """Where missing values go if they are a category of their own, after the `known`; else None."""
    return None if split.sides is None or len(split.sides) == known else int(split.sides[known])


def _counts(nodes: Sequence[Node[Split]], growth: Growth, records: Records, table: Table) -> Floats:
    """Records per class of every node; in regression one column of means."""
    if records.classes:
        return np.array([growth.total(node) for node in nodes])
    response = table.schema.class_attribute
    values = table.columns[response.name] if response else np.empty(0)
    return np.array([[values[np.sort(growth.rows(n))].mean()] for n in nodes])

"""Records into segments: by the leaves of one tree, by the intersections of a forest's leaves, or not at all.

Only intersections that some record reaches are formed, never a cross product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Integers, Words
from hushwood.segments.boxes import Boxes, boxes_of, domain_intervals
from hushwood.segments.index import Found, LeafKeys, SegmentIndex
from hushwood.segments.segments import Allowed, Segments
from hushwood.tables.domains import Intervals
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF, Forest

_ROUTED_AT_ONCE = 1 << 18


def whole_table(table: Table) -> Segments:
    """All records in one segment with the whole domain."""
    return boxed(table.schema, [], np.zeros((0, 1), np.int64), np.zeros(table.rows, np.int32))


def leaves(table: Table, forest: Forest, tree: int = 0) -> Segments:
    """One segment per leaf of one tree that holds records."""
    return intersections(
        table, Forest(forest.class_name, forest.classes, forest.attributes, (forest.trees[tree],))
    )


def intersections(table: Table, forest: Forest, threads: int = 1) -> Segments:
    """One segment per combination of leaves that some record reaches."""
    keys, index = reached(table, forest, threads)
    return segments_at(index, index.ids(keys))


def reached(table: Table, forest: Forest, threads: int = 1) -> tuple[Words, SegmentIndex]:
    """The key of every record's leaves, and the index of all segments of the table."""
    leaf_keys = LeafKeys(forest, table.schema)
    keys, found = keys_of_leaves(leaf_keys, table, threads), Found(leaf_keys)
    found.add_keys(keys, tested_columns(forest, table.columns))
    return keys, found.index()


def keys_of_leaves(leaf_keys: LeafKeys, table: Table, threads: int = 1) -> Words:
    """The key of every record's leaves, searched for on several threads."""
    tested = tested_columns(leaf_keys.forest, table.columns)

    def keys_of(begin: int) -> Words:
        part = {name: values[begin : begin + _ROUTED_AT_ONCE] for name, values in tested.items()}
        return leaf_keys.of(part, min(_ROUTED_AT_ONCE, table.rows - begin))

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        return np.concatenate(list(pool.map(keys_of, range(0, table.rows, _ROUTED_AT_ONCE))))


def tested_columns(forest: Forest, columns: Mapping[str, Array]) -> dict[str, Array]:
    """Those of some columns that the trees of a forest test."""
    names = columns_tested(forest)
    return {name: values for name, values in columns.items() if name in names}


def columns_tested(forest: Forest) -> frozenset[str]:
    """The columns that the trees of a forest test."""
    return frozenset(
        forest.attributes[a].name
        for tree in forest.trees
        for a in np.unique(tree.attribute[tree.attribute != LEAF]).tolist()
    )


def segments_at(index: SegmentIndex, ids: Codes) -> Segments:
    """The segments of an index with their boxes, and which of them some records are in."""
    forest, schema = index.leaf_keys.forest, index.leaf_keys.schema
    boxes = [boxes_of(tree, forest, schema) for tree in forest.trees]
    return boxed(schema, boxes, index.members, ids)


def combine(parts: Sequence[Array]) -> tuple[Codes, Integers]:
    """Number the distinct combinations of several codings, and list the members [part, combination] of each."""
    ids = np.zeros(len(parts[0]), np.int64)
    members = np.zeros((0, 1), np.int64)
    for part in parts:
        width = int(part.max(initial=0)) + 1
        keys, ids = dense_codes(ids * width + part)
        members = np.vstack([members[:, keys // width], keys % width])
    return ids.astype(np.int32), members


def boxed(schema: Schema, boxes: Sequence[Boxes], members: Integers, ids: Codes) -> Segments:
    """Segments by their leaves [tree, segment], given the boxes of all nodes."""
    count = max(members.shape[1], 1)
    intervals: dict[str, Intervals] = {}
    allowed: dict[str, Allowed] = {}
    influential: dict[str, Flags] = {}
    # No tree tests a class, but a response is a number with a domain.
    for attribute in (a for a in schema.kept if a.role != "class" or a.response):
        tested = [box.tested[attribute.name][node] for box, node in _pairs(boxes, members, attribute)]
        influential[attribute.name] = np.any(tested, axis=0) if tested else np.zeros(count, bool)
        if attribute.kind == "numeric" and attribute.low is not None:
            intervals[attribute.name] = _intersect_intervals(attribute, boxes, members, count)
        elif attribute.kind == "categorical":
            allowed[attribute.name] = _intersect_sets(attribute, boxes, members, count)
    return Segments(ids, count, intervals, allowed, influential)


def _pairs(boxes: Sequence[Boxes], members: Integers, attribute: Attribute) -> list[tuple[Boxes, Integers]]:
    """The trees that test an attribute, with the node of every segment in them."""
    return [(box, nodes) for box, nodes in zip(boxes, members, strict=True) if attribute.name in box.tested]


def _intersect_intervals(
    attribute: Attribute, boxes: Sequence[Boxes], members: Integers, count: int
) -> Intervals:
    whole = domain_intervals(attribute, count)
    low, high = whole.low, whole.high
    for box, nodes in _pairs(boxes, members, attribute):
        low = np.maximum(low, box.low[attribute.name][nodes])
        high = np.minimum(high, box.high[attribute.name][nodes])
    return replace(whole, low=low, high=high)


def _intersect_sets(attribute: Attribute, boxes: Sequence[Boxes], members: Integers, count: int) -> Allowed:
    """The distinct category sets of the segments, which are few because few trees test the attribute."""
    sets = np.ones((1, len(attribute.categories) + 1), bool)
    of_segment = np.zeros(count, np.int64)
    for box, nodes in _pairs(boxes, members, attribute):
        own, of_node = np.unique(box.allowed[attribute.name], axis=0, return_inverse=True)
        keys, of_segment = np.unique(of_segment * len(own) + of_node.reshape(-1)[nodes], return_inverse=True)
        sets = sets[keys // len(own)] & own[keys % len(own)]
    return Allowed(sets, of_segment.astype(np.int32))


def sub_domains(segments: Segments, schema: Schema) -> Mapping[str, Any]:
    """The boxes as plain lists, for plan.json."""
    numeric = {
        name: {
            "low": i.low.tolist(),
            "high": i.high.tolist(),
            "precision": i.precision,
            "step": i.step.tolist(),
        }
        for name, i in segments.intervals.items()
        if segments.influential[name].any()
    }
    categorical = {
        name: {
            "sets": [
                [c for c, ok in zip((*schema[name].categories, None), row.tolist(), strict=True) if ok]
                for row in a.sets
            ],
            "of_segment": a.of_segment.tolist(),
        }
        for name, a in segments.allowed.items()
        if segments.influential[name].any()
    }
    return {"segments": segments.count, "numeric": numeric, "categorical": categorical}

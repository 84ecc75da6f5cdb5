"""Records into segments: by the leaves of one tree, by the intersections of a forest's leaves, or not at all.

Only intersections that some record reaches are formed, never a cross product. An index of them grows while a long table
is read, batch by batch. Its numbers follow the order of the leaves, so that they do not depend on which batch came
first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Integers, Words
from hushwood.segments.segments import Allowed, NodeBoxes, Segments, boxes_of, codes_in, domain_intervals
from hushwood.tables.domains import Intervals
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF, Forest
from hushwood.trees.routing import leaf_of_each

_ROUTED_AT_ONCE = 1 << 18
# Up to this many combinations of leaves, a segment is looked up in a table instead of being searched for.
_DENSEST = 1 << 22
_ODD = 0x9E3779B97F4A7C15  # 2⁶⁴ divided by the golden ratio, the usual multiplier of hashes


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


def boxed(schema: Schema, boxes: Sequence[NodeBoxes], members: Integers, ids: Codes) -> Segments:
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


def _pairs(
    boxes: Sequence[NodeBoxes], members: Integers, attribute: Attribute
) -> list[tuple[NodeBoxes, Integers]]:
    """The trees that test an attribute, with the node of every segment in them."""
    return [(box, nodes) for box, nodes in zip(boxes, members, strict=True) if attribute.name in box.tested]


def _intersect_intervals(
    attribute: Attribute, boxes: Sequence[NodeBoxes], members: Integers, count: int
) -> Intervals:
    whole = domain_intervals(attribute, count)
    low, high = whole.low, whole.high
    for box, nodes in _pairs(boxes, members, attribute):
        low = np.maximum(low, box.low[attribute.name][nodes])
        high = np.minimum(high, box.high[attribute.name][nodes])
    return replace(whole, low=low, high=high)


def _intersect_sets(
    attribute: Attribute, boxes: Sequence[NodeBoxes], members: Integers, count: int
) -> Allowed:
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


@dataclass(frozen=True)
class LeafKeys:
    """One number for every combination of leaves of a forest, as records of a table with this schema reach them.

    The numbers of few trees are places in the cross product of their leaves. Where 64 bits are too few for these, they
    are hashes: two combinations among a million share one with a chance of 3 in 10⁸, and the certificate would then
    find the record that left its segment.
    """

    forest: Forest
    schema: Schema

    @property
    def _leaves(self) -> list[Integers]:
        return [np.asarray(tree.leaves) for tree in self.forest.trees]

    @property
    def combinations(self) -> int:
        """The size of the cross product of all leaves."""
        return prod(max(len(leaves), 1) for leaves in self._leaves)

    @property
    def strides(self) -> list[int]:
        """What the place of a leaf is multiplied by, tree by tree."""
        counts = [max(len(leaves), 1) for leaves in self._leaves]
        if self.combinations < 1 << 63:
            return [prod(counts[place + 1 :]) for place in range(len(counts))]
        return [pow(_ODD, place + 1, 1 << 64) for place in range(len(counts))]

    def of(self, columns: Mapping[str, Array], rows: int) -> Words:
        """The number of every record's combination."""
        keys = np.zeros(rows, np.uint64)
        known = self._as_grown(columns)
        for tree, leaves, stride in zip(self.forest.trees, self._leaves, self.strides, strict=True):
            if len(leaves) > 1:
                place = np.zeros(len(tree), np.uint64)
                place[leaves] = np.arange(len(leaves), dtype=np.uint64) * np.uint64(stride)
                keys += place[leaf_of_each(tree, self.forest, known)]
        return keys

    def members(self, columns: Mapping[str, Array], rows: int) -> Integers:
        """The leaf of every record [tree, record]."""
        known = self._as_grown(columns)
        return np.stack(
            [
                leaf_of_each(tree, self.forest, known) if len(tree) > 1 else np.zeros(rows, np.int64)
                for tree in self.forest.trees
            ]
        ).astype(np.int64)

    def _as_grown(self, columns: Mapping[str, Array]) -> Mapping[str, Array]:
        """The columns in the category codes of the forest, which may have been grown on another table."""
        coded = dict(columns)
        for grown_on in (a for a in self.forest.attributes if a.kind == "categorical" and a.name in coded):
            attribute = self.schema[grown_on.name]
            if attribute.categories != grown_on.categories:
                coded[grown_on.name] = codes_in(grown_on, attribute)[coded[grown_on.name]]
        return coded


@dataclass(frozen=True)
class SegmentIndex:
    """The segments that were found: their keys, ascending, and their leaves [tree, segment]."""

    leaf_keys: LeafKeys
    keys: Words
    members: Integers

    @property
    def count(self) -> int:
        """How many segments there are."""
        return len(self.keys)

    def ids(self, keys: Words) -> Codes:
        """The segment of every record, by the key of its leaves; all must be known."""
        if self._places is None:
            return np.searchsorted(self.keys, keys).astype(np.int32)
        return self._places[keys.astype(np.int64)]

    @cached_property
    def _places(self) -> Codes | None:
        """The segment of every possible key, if there are not too many."""
        if self.leaf_keys.combinations > _DENSEST:
            return None
        place = np.zeros(self.leaf_keys.combinations, np.int32)
        place[self.keys.astype(np.int64)] = np.arange(self.count)
        return place


class Found:
    """The combinations of leaves met so far, in batches that may come in any order."""

    def __init__(self, leaf_keys: LeafKeys) -> None:
        self.leaf_keys = leaf_keys
        self._keys = np.zeros(0, np.uint64)
        self._members = np.zeros((len(leaf_keys.forest.trees), 0), np.int64)

    def add(self, columns: Mapping[str, Array], rows: int) -> Words:
        """Note the combinations of a batch, and return the key of every record."""
        keys = self.leaf_keys.of(columns, rows)
        self.add_keys(keys, columns)
        return keys

    def add_keys(self, keys: Words, columns: Mapping[str, Array]) -> None:
        """Note the combinations of records whose keys are known."""
        new, first = _distinct(keys, self.leaf_keys.combinations)
        fresh = first[~np.isin(new, self._keys)]
        if len(fresh):
            some = {name: np.asarray(values)[fresh] for name, values in columns.items()}
            self.merge(keys[fresh], self.leaf_keys.members(some, len(fresh)))

    def merge(self, keys: Words, members: Integers) -> None:
        """Note combinations that were found elsewhere."""
        keys = np.concatenate([self._keys, keys])
        members = np.hstack([self._members, members])
        self._keys, first = np.unique(keys, return_index=True)
        self._members = members[:, first]

    def index(self) -> SegmentIndex:
        """All of them, numbered."""
        return SegmentIndex(self.leaf_keys, self._keys, self._members)


def distinct(keys: Words, combinations: int) -> tuple[Words, Integers]:
    """The different keys, ascending, and the place of every record's key among them; like numpy's `unique`."""
    if combinations > _DENSEST:
        own, places = np.unique(keys, return_inverse=True)
        return own, places
    there = np.zeros(combinations, bool)
    at = keys.astype(np.int64)
    there[at] = True
    return np.flatnonzero(there).astype(np.uint64), (np.cumsum(there) - 1)[at]


def _distinct(keys: Words, combinations: int) -> tuple[Words, Integers]:
    """The different keys, ascending, and a record that has each."""
    if combinations > min(_DENSEST, 4 * len(keys) + 1000):
        return np.unique(keys, return_index=True)
    record = np.full(combinations, -1, np.int64)
    record[keys.astype(np.int64)] = np.arange(len(keys))
    there = np.flatnonzero(record >= 0)
    return there.astype(np.uint64), record[there]

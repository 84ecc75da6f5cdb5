"""Which segment any record belongs to: every combination of leaves that some record reaches has a number.

An index grows while a long table is read, batch by batch. Numbers follow the order of the leaves, so that they do not
depend on which batch came first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from hushwood.arrays import Array, Codes, Integers, Words
from hushwood.segments.boxes import codes_in
from hushwood.tables.schema import Schema
from hushwood.trees.forest import Forest
from hushwood.trees.routing import leaf_of_each

# Up to this many combinations of leaves, a segment is looked up in a table instead of being searched for.
_DENSEST = 1 << 22
_ODD = 0x9E3779B97F4A7C15  # 2⁶⁴ divided by the golden ratio, the usual multiplier of hashes


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

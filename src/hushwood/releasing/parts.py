"""The parts of a long table: records that are changed together, because their values change places.

A part holds whole segments, or a keyed block of a large one. How many there are follows from the sample that the rules
were learnt on, and the part of a record from its segment and its keyed number alone. So every engine finds the same
parts without looking at the other records, and none needs more than a part in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from hushwood.arrays import Array, Floats, Integers, Words
from hushwood.random_streams import Rows, Streams
from hushwood.techniques.protocol import Within

ONE_SEGMENT = np.zeros(1, np.uint64)  # the key of the only segment of a table that no tree divides
_MIXED = np.uint64(0xBF58476D1CE4E5B9)  # the multiplier of splitmix64


@dataclass(frozen=True, slots=True)
class Parts:
    """For every segment its first part and the number of blocks it is cut into; `count` parts in all."""

    first: Integers
    blocks: Integers
    count: int

    def of(self, segment_ids: Array, row_ids: Rows, streams: Streams) -> Integers:
        """The part of every record."""
        if self.count == 1:
            return np.zeros(len(segment_ids), np.int64)
        found, blocks = self.first[segment_ids], self.blocks[segment_ids]
        u = streams.uniform("parts", "", 0, row_ids)
        return np.asarray(found + (u * blocks).astype(np.int64))


@dataclass(frozen=True, slots=True)
class PartPlan:
    """How segments become parts of about `most` records: known segments by their keys, others by a hash of theirs."""

    keys: Words
    first: Integers
    blocks: Integers
    known: int
    others: int

    @classmethod
    def of(cls, keys: Words, sizes: Integers, rows: int, most: int) -> PartPlan:
        """The plan for a table of that many rows, whose sample has segments of these sizes."""
        sampled = int(sizes.sum())
        expected = sizes.astype(np.float64) * (rows / max(sampled, 1))
        if rows <= most:
            return cls(keys, np.zeros(len(keys), np.int64), np.ones(len(keys), np.int64), 1, 0)
        large = expected > most
        blocks = np.where(large, np.ceil(expected / most), 1).astype(np.int64)
        first = np.zeros(len(keys), np.int64)
        first[~large], packed = _packed(expected[~large], most)
        first[large] = packed + np.cumsum(blocks[large]) - blocks[large]
        # As many records are in segments that the sample lacks as it has alone in theirs (Good and Turing).
        unseen = rows * int((sizes == 1).sum()) / max(sampled, 1) if rows > sampled else 0.0
        others = max(ceil(unseen / most), 1) if rows > sampled else 0
        return cls(keys, first, blocks, packed + int(blocks[large].sum()), others)

    @property
    def count(self) -> int:
        """How many parts there are; a few may be empty."""
        return self.known + self.others

    def for_segments(self, keys: Words) -> Parts:
        """The parts of the segments with these keys."""
        if self.count == 1:
            nothing = np.zeros(len(keys), np.int64)
            return Parts(nothing, nothing + 1, 1)
        place = np.minimum(np.searchsorted(self.keys, keys), max(len(self.keys) - 1, 0))
        there = self.keys[place] == keys if len(self.keys) else np.zeros(len(keys), bool)
        hashed = (keys * _MIXED) >> np.uint64(33)
        other = self.known + (hashed % np.uint64(max(self.others, 1))).astype(np.int64)
        return Parts(
            np.where(there, self.first[place], other), np.where(there, self.blocks[place], 1), self.count
        )


def part_plans(keys: Words, sizes: Integers, rows: int, most: int) -> dict[Within, PartPlan]:
    """How a table of that many rows falls into parts, given the segments of its sample and their sizes there."""
    there = sizes > 0
    return {
        "segment": PartPlan.of(keys[there], sizes[there], rows, most),
        "table": PartPlan.of(ONE_SEGMENT, np.array([sizes.sum()]), rows, most),
    }


def _packed(sizes: Floats, most: int) -> tuple[Integers, int]:
    """Small segments, in their order, in as few parts as hold them; the part of each, and how many parts there are."""
    total = float(sizes.sum())
    if not len(sizes):
        return np.zeros(0, np.int64), 0
    parts = max(ceil(total / most), 1)
    middle = np.cumsum(sizes) - sizes / 2
    return np.minimum((middle * parts / max(total, 1.0)).astype(np.int64), parts - 1), parts

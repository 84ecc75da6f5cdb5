"""How many records contain one, two or three items together, counted with one bit per record and item.

Triples are found as Apriori does: only those all of whose pairs are frequent are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Flags, Integers

PAIR_ONLY = -1  # the third place of a set of two items
_CHUNK_WORDS = 1 << 20
Bits = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """Records that contain each item, and each two items [item, item]."""

    records: int
    single: Integers
    pairs: Integers


def item_bits(items: Sequence[Flags], records: int) -> Bits:
    """One row of words per item; bits beyond the last record are 0."""
    words = -(-records // 64)
    bits = np.zeros((len(items), words * 8), np.uint8)
    for place, item in enumerate(items):
        packed = np.packbits(item)
        bits[place, : len(packed)] = packed
    return bits.view(np.uint64)


def count_items(bits: Bits, records: int) -> ItemCounts:
    """Count all items and all pairs of them."""
    pairs = np.zeros((len(bits), len(bits)), np.int64)
    for place in range(len(bits)):
        pairs[place, place:] = _ones(bits[place] & bits[place:])
    pairs = np.maximum(pairs, pairs.T)
    return ItemCounts(records, np.diag(pairs).copy(), pairs)


def frequent_triples(bits: Bits, counts: ItemCounts, least: float) -> Integers:
    """The triples, as ascending places of their items, that at least this many records contain."""
    frequent = counts.pairs >= least
    found = [np.zeros((0, 3), np.int64)]
    for a, b in np.argwhere(np.triu(frequent, 1)).tolist():
        third = b + 1 + np.flatnonzero(frequent[a, b + 1 :] & frequent[b, b + 1 :])
        third = third[_ones((bits[a] & bits[b]) & bits[third]) >= least]
        found.append(np.column_stack([np.full(len(third), a), np.full(len(third), b), third]))
    return np.concatenate(found)


def pair_counts(counts: ItemCounts, pairs: Integers) -> Integers:
    """The records that contain each of some pairs."""
    return counts.pairs[pairs[:, 0], pairs[:, 1]]


def triple_counts(bits: Bits, triples: Integers) -> Integers:
    """The records that contain each of some triples."""
    step = max(_CHUNK_WORDS // max(bits.shape[1], 1), 1)
    found = [np.zeros(0, np.int64)]
    for begin in range(0, len(triples), step):
        a, b, c = triples[begin : begin + step].T
        found.append(_ones(bits[a] & bits[b] & bits[c]))
    return np.concatenate(found)


def _ones(bits: Bits) -> Integers:
    return np.asarray(np.bitwise_count(bits).sum(axis=1, dtype=np.int64))

"""Columns as codes of few cells, the same for both tables, and how many records have two or three of them together.

A number is in one of the original's quantile cells (`distributions`); a category is itself if it is one of the most
frequent of the original, otherwise it is among the rest. Items are counted with one bit per record; triples are found
as Apriori does: only those all of whose pairs are frequent are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.measures.columns.distributions import NumericCells
from hushwood.tables.table import Table, class_labels, label_columns

MISSING = 0
PAIR_ONLY = -1  # the third place of a set of two items
_CHUNK_WORDS = 1 << 20
Bits = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class JointColumn:
    """One column of both tables: the cell of every record, and what each cell is called (None: not one value).

    Cell 0 is that of missing values; the last one of a categorical column is that of the rest.
    """

    name: str
    before: Integers
    after: Integers
    words: tuple[str | None, ...]

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.words)


def joint_columns(original: Table, released: Table, cells: int) -> list[JointColumn]:
    """All columns of two tables, the class included (a binned class by its bins), in about this many cells each."""
    before, after = (label_columns(table.schema, table.columns) for table in (original, released))
    found = []
    for attribute in original.schema.measured:
        both = before[attribute.name], after[attribute.name]
        if attribute.kind == "numeric":
            found.append(_numbers(attribute.name, both, cells, original.weights))
        else:
            names = class_labels(original)[1] if attribute.bins else attribute.categories
            found.append(_categories(attribute.name, names, both, cells, original.weights))
    return found


def _numbers(name: str, both: tuple[Floats, Floats], cells: int, weights: Floats | None) -> JointColumn:
    before, after = both
    cut = NumericCells.of(before, cells, weights)
    codes = cut.codes(before)
    size = 4 + (0 if cut.cuts is None else len(cut.cuts))
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    there = np.isfinite(before)
    np.minimum.at(low, codes[there], before[there])
    np.maximum.at(high, codes[there], before[there])
    inside = [_span(*ends) for ends in zip(low[2:-1].tolist(), high[2:-1].tolist(), strict=True)]
    words = (None, f"below {cut.low:.6g}", *inside, f"above {cut.high:.6g}")
    return JointColumn(name, codes, cut.codes(after), words)


def _span(low: float, high: float) -> str | None:
    """The values of the original in a cell; None if it has none."""
    if low > high:
        return None
    return f"{low:.6g}" if low == high else f"{low:.6g} to {high:.6g}"


def _categories(
    name: str, names: tuple[str, ...], both: tuple[Array, Array], cells: int, weights: Floats | None
) -> JointColumn:
    before, after = both
    counts = np.bincount(before + 1, weights, minlength=len(names) + 1)[1:]
    kept = np.argsort(-counts, kind="stable")[:cells]
    place = np.full(len(names) + 1, len(kept) + 1, np.int64)
    place[kept] = 1 + np.arange(len(kept))
    place[-1] = MISSING  # the code of a missing value is -1
    words = (None, *(names[code] for code in kept.tolist()), None)
    return JointColumn(name, place[before], place[after], words)


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

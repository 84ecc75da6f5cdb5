"""The nearest released records of every target, and how evenly a target resembles all of them.

Nearest by the mean distance over attributes, found exactly; evenness is the entropy of normalised similarities, with
the rank of the target's partner. Tables are packed in the form that the kernels read fastest, and targets divided among
threads. Attributes are grouped, so that a kernel sums several in one pass: first numbers whose differences never exceed
1, then those whose differences must be cut to 1, then category codes in the fewest bytes that hold them. A group is
filled up with attributes in which all records are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hushwood.arrays import Array, Floats, Floats32, Integers, Words, check_indices
from hushwood.distances.coding import Coded

NUMBERS_TOGETHER = 3
CODES_TOGETHER = 4
# Targets per task: enough to reuse a block of released records, few enough to keep all threads busy to the end.
TARGETS = 256


@dataclass(frozen=True, slots=True)
class Resemblance:
    """For every target: entropy in bits, and how many released records are more similar than its partner, or equal.

    The partner itself counts as `equal`; without a partner both are 0.
    """

    bits: Floats
    above: Integers
    equal: Integers

    def partner_rank(self) -> Floats:
        """Rank of the partner by similarity, the middle of tied ranks; NaN without a partner."""
        return np.where(self.equal > 0, self.above + (self.equal + 1) / 2, np.nan)


def resemblance(
    targets: Coded, released: Coded, partner: Integers | None = None, *, threads: int = 1
) -> Resemblance:
    """Compare every target with every released record, of which there must be at least one (FF paper, Eq. 6-8).

    With similarities s and their sum S the entropy is log2 S - (1/S)·sum of s·log2 s. It is unchanged by a common
    factor, so s may be the paper's similarity times the number of attributes.
    """
    from hushwood.distances.kernels.blocks import LOG_UNIT, similarity_sums

    total, weighted = np.zeros(targets.rows), np.zeros(targets.rows)
    above, equal = np.zeros(targets.rows, np.int64), np.zeros(targets.rows, np.int64)
    pair, known = packed(targets, released), np.empty(0, np.int64) if partner is None else partner
    check_indices("Partners", known, released.rows, least=-1)

    def work(first: int, last: int) -> None:
        similarity_sums(pair, first, last, known, total, weighted, above, equal)

    over_targets(targets.rows, threads, work)
    most = np.log2(released.rows)
    positive = np.where(total > 0.0, total, 1.0)
    bits = np.where(total > 0.0, np.log2(positive) - weighted / LOG_UNIT / positive, most)
    return Resemblance(np.clip(bits, 0.0, most), above, equal)


@dataclass(frozen=True, slots=True)
class Nearest:
    """Released rows by increasing distance, and the distances: one line per target."""

    rows: Integers
    distance: Floats32


def nearest(
    targets: Coded, released: Coded, k: int = 1, *, words: Words | None = None, threads: int = 1
) -> Nearest:
    """The k nearest released records of every target, or all if there are fewer.

    Ties are ordered by a mix of the record's keyed word and the target's position, or by row without `words`.
    """
    from hushwood.distances.kernels.blocks import nearest_rows

    shape = targets.rows, min(k, released.rows)
    best, rows = np.full(shape, -1.0, np.float32), np.full(shape, -1, np.int64)
    ties = np.zeros(shape, np.uint64)
    if shape[1]:
        pair, order = packed(targets, released), np.empty(0, np.uint64) if words is None else words
        over_targets(
            targets.rows,
            threads,
            lambda first, last: nearest_rows(pair, first, last, order, best, ties, rows),
        )
    attributes = np.float32(targets.attributes)
    return Nearest(rows, (attributes - best) / np.float32(max(1, targets.attributes)))


class PackedTables(NamedTuple):
    """Targets as one row per record, released records as one row per attribute; the first `plain` need no cutting."""

    target_numbers: Floats32
    target_codes: Array
    numbers: Floats32
    codes: Array
    plain: int
    attributes: int


def packed(targets: Coded, released: Coded) -> PackedTables:
    """Both tables, their attributes in the same groups."""
    wide = _joint_spread(targets.numbers, released.numbers) > 1.0
    plain, cut = (_filled(np.flatnonzero(some), NUMBERS_TOGETHER) for some in (~wide, wide))
    chosen = np.concatenate((plain, cut))
    labels = _filled(np.arange(len(targets.codes)), CODES_TOGETHER)
    # The type must also hold the number of attributes, because kernels count differences in it.
    largest = max(len(labels), *(int(coded.codes.max(initial=0)) for coded in (targets, released)))
    width = next(w for w in (np.uint8, np.uint16, np.uint32) if largest < np.iinfo(w).max)
    return PackedTables(
        np.ascontiguousarray(_chosen(targets.numbers, chosen, np.float32).T),
        np.ascontiguousarray(_chosen(targets.codes, labels, width).T),
        _chosen(released.numbers, chosen, np.float32),
        _chosen(released.codes, labels, width),
        len(plain),
        targets.attributes,
    )


def _joint_spread(first: Floats32, second: Floats32) -> Floats32:
    """Largest minus smallest value of each attribute in both tables."""
    largest = np.maximum(first.max(axis=1, initial=-np.inf), second.max(axis=1, initial=-np.inf))
    smallest = np.minimum(first.min(axis=1, initial=np.inf), second.min(axis=1, initial=np.inf))
    spread: Floats32 = largest - smallest
    return spread


def _filled(places: Integers, together: int) -> Integers:
    """The attributes' positions, padded with -1 to a whole number of groups."""
    return np.append(places, np.full(-len(places) % together, -1))


def _chosen(values: Array, places: Integers, dtype: Any) -> Array:
    out = np.zeros((len(places), values.shape[1]), dtype)
    out[places >= 0] = values[places[places >= 0]].astype(dtype)
    return out


def over_targets(count: int, threads: int, work: Callable[[int, int], object]) -> None:
    """Call `work(first, last)` for consecutive spans of targets, on several threads: kernels release Python's lock."""
    with ThreadPoolExecutor(max(1, threads)) as pool:
        starts = range(0, count, TARGETS)
        list(pool.map(lambda first: work(first, min(first + TARGETS, count)), starts))

"""How the kernels are called: tables packed in the form that they read fastest, and targets divided among threads.

Attributes are grouped, so that a kernel sums several in one pass: first numbers whose differences never exceed 1, then
those whose differences must be cut to 1, then category codes in the fewest bytes that hold them. A group is filled up
with attributes in which all records are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from hushwood.arrays import Array, Floats32, Integers
from hushwood.distances.coding import Coded

NUMBERS_TOGETHER = 3
CODES_TOGETHER = 4

# Targets per task: enough to reuse a block of released records, few enough to keep all threads busy to the end.
TARGETS = 256


class Packed(NamedTuple):
    """Targets as one row per record, released records as one row per attribute; the first `plain` need no cutting."""

    target_numbers: Floats32
    target_codes: Array
    numbers: Floats32
    codes: Array
    plain: int
    attributes: int


def packed(targets: Coded, released: Coded) -> Packed:
    """Both tables, their attributes in the same groups."""
    wide = _joint_spread(targets.numbers, released.numbers) > 1.0
    plain, cut = (_filled(np.flatnonzero(some), NUMBERS_TOGETHER) for some in (~wide, wide))
    chosen = np.concatenate((plain, cut))
    labels = _filled(np.arange(len(targets.codes)), CODES_TOGETHER)
    # The type must also hold the number of attributes, because kernels count differences in it.
    largest = max(len(labels), *(int(coded.codes.max(initial=0)) for coded in (targets, released)))
    width = next(w for w in (np.uint8, np.uint16, np.uint32) if largest < np.iinfo(w).max)
    return Packed(
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

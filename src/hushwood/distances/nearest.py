"""The nearest released records of every target, found exactly, by the mean distance over attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Floats32, Integers, Words
from hushwood.distances.coding import Coded
from hushwood.distances.kernel_calls import over_targets, packed


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

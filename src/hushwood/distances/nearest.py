"""The nearest released records of every target, exactly, by the mean distance of the attributes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.distances.coding import Coded
from hushwood.distances.packing import packed
from hushwood.distances.tasks import over_targets


@dataclass(frozen=True, slots=True)
class Nearest:
    """Released rows by rising distance, and those distances: one line per target."""

    rows: NDArray[np.int64]
    distance: NDArray[np.float32]


def nearest(
    targets: Coded,
    released: Coded,
    k: int = 1,
    *,
    words: NDArray[np.uint64] | None = None,
    threads: int = 1,
) -> Nearest:
    """The k nearest released records of every target, all of them if there are fewer.

    Equally near ones are ordered by a mix of their keyed word and the target's position, without `words` by row.
    """
    from hushwood.distances.block_kernels import nearest_rows

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

"""E(N): how many records of a segment are expected to change their class when classes are dealt out anew."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def expected_changes(codes: NDArray[Any], segment_ids: NDArray[Any]) -> NDArray[np.float64]:
    """N - sum of n_c²/N for every segment, for any number of classes (errata A6).

    >>> expected_changes(np.array([0] * 6 + [1] * 3 + [2] * 2), np.zeros(11, int)).round(3).tolist()
    [6.545]
    """
    codes = np.asarray(codes, np.int64) - min(int(np.min(codes, initial=0)), 0)
    width = int(codes.max(initial=0)) + 1
    cells, counts = np.unique(np.asarray(segment_ids, np.int64) * width + codes, return_counts=True)
    sizes = np.bincount(segment_ids).astype(np.float64)
    squares = np.bincount(cells // width, counts.astype(np.float64) ** 2, minlength=len(sizes))
    return sizes - np.divide(squares, sizes, out=np.zeros_like(sizes), where=sizes > 0)

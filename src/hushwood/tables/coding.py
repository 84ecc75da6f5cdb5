"""Whole numbers coded as 0, 1, 2, ...: what numpy's `unique` does, without sorting where that can be avoided."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# A counting table may be this many times as long as the column before sorting is the cheaper way.
_SPARSEST = 4


def dense_codes(numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct numbers, ascending, and the place of every number among them; numbers are 0 or more.

    >>> [part.tolist() for part in dense_codes(np.array([7, 3, 7]))]
    [[3, 7], [1, 0, 1]]
    """
    largest = int(numbers.max(initial=0))
    if largest > _SPARSEST * len(numbers) + 1000:
        distinct, place = np.unique(numbers, return_inverse=True)
        return distinct, place
    seen = np.zeros(largest + 1, bool)
    seen[numbers] = True
    distinct = np.flatnonzero(seen)
    return distinct, (np.cumsum(seen) - 1)[numbers]

from __future__ import annotations

import numpy as np
import pytest

from hushwood.releasing.certifying.records import KeptRecords, MatchedRecords

LEFT = [np.array([0, 0, 1, 1], np.int32), np.array([0, 1, 0, 1], np.int32)]
REACHED = [np.array([0, 1, 1, 0], np.int32), np.array([0, 1, 1, 0], np.int32)]


@pytest.mark.parametrize("size", [4, 3, 1])
def test_records_in_the_same_row_or_anywhere(size: int) -> None:
    kept, matched = KeptRecords([2, 2]), MatchedRecords([2, 2])
    for first in range(0, 4, size):
        left, reached = ([leaves[first : first + size] for leaves in side] for side in (LEFT, REACHED))
        for counted in (kept, matched):
            counted.add(left, reached, len(left[0]))
    assert kept.totals() == (1, (2, 2))
    # Before are 00, 01, 10, 11; after are 00, 11, 11, 00.
    assert matched.totals() == (2, (4, 4))


def test_without_trees_all_are_kept() -> None:
    for counted in (KeptRecords([]), MatchedRecords([])):
        counted.add([], [], 3)
        assert counted.totals() == (3, ())

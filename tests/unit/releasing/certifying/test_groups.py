from __future__ import annotations

import numpy as np
import pytest

from hushwood.releasing.certifying.counts import Groups, Segments


def test_combinations_of_leaves_are_numbered_as_they_are_met() -> None:
    segments = Segments([4, 3])
    leaves = [np.array([3, 0, 3, 3], np.int32), np.array([2, 2, 2, 1], np.int32)]
    assert segments.of(leaves, 4).tolist() == [0, 1, 0, 2]
    assert segments.of([leaf[::-1] for leaf in leaves], 4).tolist() == [2, 0, 1, 0]
    assert segments.count == 3


@pytest.mark.parametrize("trees", [2, 30])
def test_more_leaves_than_a_number_can_tell_apart(trees: int) -> None:
    """Thirty trees of a thousand leaves: only the first and the last part the records."""
    rows = np.arange(2000)
    leaves = [np.zeros(2000, np.int32) for _ in range(trees)]
    leaves[0], leaves[-1] = (rows // 1000).astype(np.int32), (rows % 1000).astype(np.int32)
    segments = Segments([1000] * trees)
    assert np.array_equal(segments.of(leaves, 2000), rows)
    assert np.array_equal(segments.of([leaf[::-1] for leaf in leaves], 2000), rows[::-1])


def test_the_table_is_one_group() -> None:
    groups = Groups((), [])
    assert groups.count == 0
    assert groups.of([np.array([1, 2], np.int32)], {}, 2).tolist() == [0, 0]
    assert (groups.count, groups.lone.tolist()) == (1, [False])


def test_a_number_is_alone_until_another_batch_brings_a_partner() -> None:
    groups = Groups([3], ["a", "b"])
    columns = {"a": np.array([1.0, np.nan, 2.0]), "b": np.full(3, np.nan)}
    groups.of([np.array([0, 1, 1], np.int32)], columns, 3)
    assert groups.lone.tolist() == [True, True]
    groups.of([np.array([0, 2], np.int32)], {"a": np.array([5.0, np.nan]), "b": np.array([1.0, np.nan])}, 2)
    assert groups.lone.tolist() == [True, True, False]  # the first because of its number in b
    groups.of([np.array([0, 1], np.int32)], {"a": np.array([np.nan, 1.0]), "b": np.array([1.0, np.nan])}, 2)
    assert groups.lone.tolist() == [False, False, False]

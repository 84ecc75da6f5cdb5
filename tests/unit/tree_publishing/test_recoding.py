"""One column recoded for one more test at a time, without changing what was there before."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.tree_publishing.growth import Split
from hushwood.tree_publishing.recoding import Recoding
from hushwood.tree_publishing.split_kernels import LEFT, RIGHT


def cut(below: int, above: int, middle: int | None = None) -> Split:
    return Split(0, 0.5, below, above, below if middle is None else middle, 0.0)


def way(*sides: int) -> Split:
    return Split(0, 0.5, sides=np.array(sides, np.uint8))


def numbers(records: int = 6) -> Recoding:
    return Recoding.untested(np.ones(records, np.int64))


def test_an_untested_column_is_one_part() -> None:
    recoding = numbers(3)
    assert recoding.part_of_value.tolist() == [0, 0, 0]
    assert not recoding.tested
    assert recoding.intervals is None


@pytest.mark.parametrize("anchored", [True, False])
def test_numbers_are_parted_at_a_cut(anchored: bool) -> None:
    before = numbers()
    after = before.with_test(cut(2, 3), anchored)
    assert after.part_of_value.tolist() == [0, 0, 0, 1, 1, 1]
    assert after.tested
    assert not before.tested, "undone by forgetting"


def test_categories_are_parted_by_all_tests_so_far() -> None:
    once = Recoding.untested(np.ones(4, np.int64)).with_test(way(LEFT, LEFT, RIGHT, RIGHT), True)
    twice = once.with_test(way(LEFT, RIGHT, RIGHT, RIGHT), True)
    assert once.part_of_value.tolist() == [0, 0, 1, 1]
    assert twice.part_of_value.tolist() == [0, 1, 2, 2]
    assert once.tested
    assert twice.intervals is None


def test_only_anchored_a_value_up_to_the_midpoint_is_a_boundary() -> None:
    """Ranks 1 and 4 with 2 below the midpoint and 3 above; a second cut opens at 2."""
    anchored, free = (
        numbers().with_test(cut(1, 4, 2), mode).with_test(cut(0, 1), mode) for mode in (True, False)
    )
    assert anchored.part_of_value.tolist() == [0, 1, 2, 3, 4, 4]
    assert free.part_of_value.tolist() == [0, 1, 2, 3, 4, 4]
    assert anchored.intervals is not None
    assert free.intervals is not None
    assert anchored.intervals.closed.tolist() == [True, True, True, False, False]
    assert free.intervals.closed.tolist() == [True, True, False, False, False]


def test_one_more_test_mostly_refines() -> None:
    once = numbers().with_test(cut(2, 3), True)
    assert once.refines(numbers())
    assert once.with_test(cut(0, 1), True).refines(once)
    assert not numbers().refines(once)


def test_halves_that_are_cut_elsewhere_do_not_refine() -> None:
    """Ranks 1 to 7 are halved behind 3; a cut behind 2 leaves 3 to 7, and these are halved behind 4."""
    before = numbers(9).with_test(cut(0, 1), True).with_test(cut(7, 8), True)
    after = before.with_test(cut(2, 3), True)
    assert before.part_of_value.tolist() == [0, 1, 1, 1, 2, 2, 2, 2, 3]
    assert after.part_of_value.tolist() == [0, 1, 2, 3, 3, 4, 4, 4, 5]
    assert not after.refines(before)

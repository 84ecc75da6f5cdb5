"""Parts of a column, one more test at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tree_publishing.growth import Split
from hushwood.tree_publishing.intervals import Recoding, group_labels, parted
from hushwood.tree_publishing.kernels.splits import LEFT, RIGHT


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


NAMES = st.lists(
    st.sampled_from(["a", "b", "c", "ALL", "{a, b}", "missing", "ALL (group)", "{a, b} (group)", "a, b"]),
    min_size=1,
    max_size=9,
    unique=True,
)


def groups(*tests: Sequence[int]) -> list[int]:
    found = np.zeros(len(tests[0]), np.int64)
    for sides in tests:
        found = parted(found, np.array(sides, np.uint8))
    return [int(group) for group in found]


def labels(of: Sequence[int], names: Sequence[str]) -> list[str]:
    return group_labels(np.array(of), names)


def test_one_test_makes_two_groups_numbered_as_they_appear() -> None:
    assert groups([1, 0, 1, 0]) == [0, 1, 0, 1]


def test_categories_that_differ_at_one_node_are_parted() -> None:
    assert groups([0, 0, 1, 1], [0, 1, 1, 1]) == [0, 1, 2, 2]


@given(
    st.integers(1, 6).flatmap(
        lambda count: st.lists(
            st.lists(st.integers(0, 1), min_size=count, max_size=count), min_size=1, max_size=4
        )
    )
)
def test_same_group_means_same_way_at_every_node(tests: list[list[int]]) -> None:
    found = groups(*tests)
    ways = list(zip(*tests, strict=True))
    for one, way in enumerate(ways):
        assert [found[other] == found[one] for other in range(len(ways))] == [other == way for other in ways]
    assert list(dict.fromkeys(found)) == list(range(max(found) + 1))


@pytest.mark.parametrize(
    ("of", "names", "wanted"),
    [
        ([0, 1, 2], "abc", ["a", "b", "c"]),
        ([0, 0, 0], "abc", ["ALL"]),
        ([0, 1, 1], "abc", ["a", "{b, c}"]),
        ([0], ["a"], ["a"]),
        ([0, 1, 1], ["a", "b", "missing"], ["a", "{b, missing}"]),
        ([0, 0], ["a", "missing"], ["ALL"]),
    ],
)
def test_labels_by_hand(of: list[int], names: Sequence[str], wanted: list[str]) -> None:
    assert labels(of, names) == wanted


@pytest.mark.parametrize(
    ("of", "names", "wanted"),
    [
        ([0, 0, 0], ["a", "b", "ALL"], ["ALL (group)"]),
        ([0, 0, 1], ["a", "b", "{a, b}"], ["{a, b} (group)", "{a, b}"]),
        (
            [0, 0, 1, 2],
            ["a", "b", "{a, b}", "{a, b} (group)"],
            ["{a, b} (group) (group)", "{a, b}", "{a, b} (group)"],
        ),
    ],
)
def test_a_label_that_is_some_categorys_name_is_marked(
    of: list[int], names: list[str], wanted: list[str]
) -> None:
    assert labels(of, names) == wanted


def test_two_long_groups_of_the_same_beginning_have_different_labels() -> None:
    """Both are told as their first value and two more."""
    first = "a value whose name is so long that nothing else fits beside it in a label of usual length"
    names = [first, "b", "c", first + ".", "d", "e"]
    found = labels([0, 0, 0, 1, 1, 1], names)
    assert len(set(found)) == 2
    twins = labels([0, 0, 0, 1, 1, 1], [first, "b", "c", first, "d", "e"])
    assert twins == [twins[0], f"{twins[0]} (group)"]


@given(NAMES, st.data())
def test_labels_differ_and_single_categories_keep_their_names(names: list[str], data: st.DataObject) -> None:
    sides = data.draw(st.lists(st.integers(0, 3), min_size=len(names), max_size=len(names)))
    of = groups(sides)
    found = labels(of, names)
    assert len(set(found)) == len(found)
    for group, label in enumerate(found):
        own = [name for name, place in zip(names, of, strict=True) if place == group]
        assert (label in names) == (len(own) == 1)
        assert len(own) > 1 or label == own[0]

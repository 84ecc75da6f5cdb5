"""Categories that always go the same way become one, under a label that no category has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tree_publishing.value_groups import group_labels, parted

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

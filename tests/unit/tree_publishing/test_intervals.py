"""Intervals of a numeric column and the one value that each becomes: cases by hand, and what must always hold.

Parts of a column, one more test at a time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.tables.frames.storage import storable
from hushwood.tables.schema import Attribute
from hushwood.tree_publishing.growth import BinarySplit, midpoint
from hushwood.tree_publishing.intervals import (
    Boundary,
    ColumnIntervals,
    Recoding,
    anchored_values,
    cut_up,
    group_labels,
    parted,
    shifted_values,
)
from hushwood.tree_publishing.kernels.splits import LEFT, RIGHT
from support.mixed_tables import number

REAL = number("x", 0, 0, None)
WHOLE = number("x", 0, 0, 0)
SINGLE = Attribute("x", "numeric", storage="Float32")
Node = tuple[float, float]


def boundaries_of(values: Sequence[float], nodes: Sequence[Node]) -> list[Boundary]:
    """Nodes given by v1 and v2 as ranks among the column's distinct values."""
    distinct = sorted(set(values))
    return [
        Boundary(distinct.index(v1), distinct.index(v2), bisect_right(distinct, midpoint(v1, v2)) - 1)
        for v1, v2 in nodes
    ]


def parts_of(values: Sequence[float], nodes: Sequence[Node], anchored: bool = True) -> list[list[float]]:
    """The intervals, as lists of their distinct values."""
    distinct = sorted(set(values))
    found = _intervals(values, nodes, anchored)
    return [distinct[a : b + 1] for a, b in zip(found.first.tolist(), found.last.tolist(), strict=True)]


def released(
    values: Sequence[float], nodes: Sequence[Node], *, anchored: bool = True, like: Attribute = REAL
) -> dict[float, float]:
    """The new number of every distinct value."""
    distinct = np.array(sorted(set(values)), np.float64)
    found = _intervals(values, nodes, anchored)
    if anchored:
        new = anchored_values(found, distinct)
    else:
        new = shifted_values(found, boundaries_of(values, nodes), distinct, _records(values), like)
    return dict(zip(distinct.tolist(), new[found.of_ranks()].tolist(), strict=True))


def _intervals(values: Sequence[float], nodes: Sequence[Node], anchored: bool) -> ColumnIntervals:
    return cut_up(boundaries_of(values, nodes), _records(values), anchored)


def _records(values: Sequence[float]) -> Any:
    many = Counter(values)
    return np.array([many[value] for value in sorted(many)])


def distinct_images(new: dict[float, float]) -> list[float]:
    return list(dict.fromkeys(new.values()))


class TestThePaperFigure:
    """Figure 3: the split is between the third and the fourth of six records."""

    AGES = (20, 25, 30, 40, 41, 45)
    NODES = ((30, 40),)

    @pytest.mark.parametrize("anchored", [True, False])
    def test_there_are_two_intervals(self, anchored: bool) -> None:
        assert parts_of(self.AGES, self.NODES, anchored) == [[20, 25, 30], [40, 41, 45]]

    def test_both_move_by_the_smaller_gap_to_a_mean(self) -> None:
        """Means 25 and 42 are 5 and 2 away from the boundaries."""
        assert distinct_images(released(self.AGES, self.NODES, anchored=False)) == [28, 42]

    def test_anchored_boundaries_stay(self) -> None:
        assert distinct_images(released(self.AGES, self.NODES)) == [30, 40]


def test_means_are_taken_over_records() -> None:
    """0 three times and 4: the mean 1 is 3 below v1; 10 and 20: the mean is 5 above v2."""
    assert distinct_images(released([0, 0, 0, 4, 10, 20], [(4, 10)], anchored=False)) == [1, 13]


def test_a_value_that_closes_and_opens_stays_alone_and_so_do_its_partners() -> None:
    values, nodes = [1, 3, 5, 7, 9], [(3, 5), (5, 7)]
    assert parts_of(values, nodes) == [[1, 3], [5], [7, 9]]
    assert distinct_images(released(values, nodes, anchored=False)) == [3, 5, 7]
    assert distinct_images(released(values, nodes)) == [3, 5, 7]


class TestValuesOfOtherBranches:
    """A deeper node parts 1 from 10 at 5.5; the values between them belong to other branches."""

    VALUES = (0, 1, 3, 4, 7, 8, 10, 12)
    NODES = ((1, 10),)

    @pytest.mark.parametrize("anchored", [True, False])
    def test_they_are_cut_at_the_threshold(self, anchored: bool) -> None:
        assert parts_of(self.VALUES, self.NODES, anchored) == [[0, 1], [3, 4], [7, 8], [10, 12]]

    def test_anchored_each_becomes_its_last_value(self) -> None:
        assert distinct_images(released(self.VALUES, self.NODES)) == [1, 4, 8, 10]

    def test_otherwise_each_becomes_its_mean(self) -> None:
        assert distinct_images(released(self.VALUES, self.NODES, anchored=False)) == [0.5, 3.5, 7.5, 10.5]

    def test_only_anchored_the_largest_value_up_to_the_threshold_is_a_boundary(self) -> None:
        """4 opens the way to 3 for a second node; anchored, 4 closes that interval, which is then halved."""
        nodes = [*self.NODES, (1, 3)]
        assert parts_of(self.VALUES, nodes, anchored=False) == [[0, 1], [3, 4], [7, 8], [10, 12]]
        assert parts_of(self.VALUES, nodes) == [[0, 1], [3], [4], [7, 8], [10, 12]]
        assert released(self.VALUES, nodes)[4] == 4


class TestHalves:
    """Nodes (1, 10) and (20, 30): the interval from 10 to 20 has a boundary at both ends."""

    NODES = ((1, 10), (20, 30))

    def inside(self, *values: float) -> list[list[float]]:
        return parts_of([1, *values, 30], self.NODES)[1:-1]

    def test_half_of_the_records_each(self) -> None:
        assert self.inside(10, 11, 12, 20) == [[10, 11], [12, 20]]

    def test_records_count_not_values_or_width(self) -> None:
        assert self.inside(10, 10, 10, 10, 11, 12, 20) == [[10], [11, 12, 20]]
        assert self.inside(10, 18, 19, 19, 19, 20) == [[10, 18], [19, 20]]

    def test_the_first_of_two_cuts_that_are_as_near(self) -> None:
        assert self.inside(10, 11, 20) == [[10], [11, 20]]

    def test_equal_values_stay_together(self) -> None:
        assert self.inside(10, *[11] * 8, 20, 20) == [[10, 11], [20]]

    def test_two_values_are_a_half_each(self) -> None:
        assert self.inside(10, 10, 10, 20) == [[10], [20]]

    def test_each_half_becomes_its_boundary(self) -> None:
        new = released([1, 10, 11, 12, 20, 30], self.NODES)
        assert [new[value] for value in (10, 11, 12, 20)] == [10, 10, 20, 20]


class TestComponents:
    """Errata T3: the interval of 10 serves two nodes, with 12 and with 20 on the other side."""

    VALUES = (6, 8, 10, 12, 14, 20, 26)
    NODES = ((10, 12), (10, 20))

    def test_intervals_that_share_a_node_move_by_one_delta(self) -> None:
        """Gaps to the means 8, 13, 23 are 2, 1 and 3: all move by 1, so that 11 and 15 stay the midpoints."""
        assert distinct_images(released(self.VALUES, self.NODES, anchored=False)) == [9, 13, 21]

    def test_a_delta_for_each_node_would_move_a_midpoint(self) -> None:
        """As printed, the second node moves 10 by 2 to 8 after the first had moved 12 by 1 to 13."""
        alone = [released(self.VALUES, [node], anchored=False) for node in self.NODES]
        assert (alone[1][10] + 13) / 2 != 11

    def test_intervals_without_a_common_node_move_by_their_own(self) -> None:
        values = [0, 2, 3, 5, 100, 120, 130, 150]
        assert distinct_images(released(values, [(2, 3), (120, 130)], anchored=False)) == [1, 4, 110, 140]

    def test_a_chain_of_nodes_is_one_component(self) -> None:
        """40 stands alone and cannot move, so neither can 10 nor, through it, 41."""
        new = released([0, 8, 10, 30, 40, 41, 60], [(10, 40), (10, 41)], anchored=False)
        assert distinct_images(new) == [10, 30, 40, 41]


def test_neighbouring_floats_keep_their_threshold() -> None:
    """Halfway between them rounds up to v2, so the threshold is v1: a step may not make it v2."""
    v1, v2 = 1 + 2.0**-52, 1 + 2.0**-51
    assert (v1 + v2) / 2 == v2
    new = released([0.5, v1, v2, 2.5], [(v1, v2)], anchored=False)
    assert midpoint(new[v1], new[v2]) == v1


@pytest.mark.parametrize(
    ("like", "wanted"),
    [(REAL, [1.5, 6.5]), (WHOLE, [2.0, 6.0])],
    ids=["real", "whole"],
)
def test_whole_numbers_move_by_whole_steps(like: Attribute, wanted: list[float]) -> None:
    """Means 1.5 and 7 are 1.5 below 3 and 2 above 5."""
    assert distinct_images(released([0, 3, 5, 9], [(3, 5)], anchored=False, like=like)) == wanted


def test_tenths_move_by_tenths() -> None:
    """Means 0.25 and 1.0: gaps 0.25 and 0.3, so two tenths."""
    values, nodes = [0.0, 0.5, 0.7, 1.3], [(0.5, 0.7)]
    new = released(values, nodes, anchored=False, like=number("x", 0, 2, 1))
    assert distinct_images(new) == [0.3, 0.9]


def test_a_mean_off_the_grid_is_put_on_it() -> None:
    """3, 3 and 4 lie between the boundaries of a deeper node."""
    new = released([1, 3, 3, 4, 10], [(1, 10)], anchored=False, like=WHOLE)
    assert new[3] == new[4] == 3


def test_storable_numbers() -> None:
    assert storable(np.array([0.24, 0.26]), number("x", 0, 1, 1)).tolist() == [0.2, 0.3]
    assert storable(np.array([0.1]), REAL).tolist() == [0.1]
    assert storable(np.array([0.1]), SINGLE).tolist() == [float(np.float32(0.1))]


NEAR = st.integers(0, 12).map(lambda ulps: float(np.float64(1) + ulps * 2.0**-52))
TINY = st.integers(0, 12).map(lambda ulps: ulps * 5e-324)
KINDS = {
    "reals": (st.floats(-1e6, 1e6), REAL),
    "all sizes": (st.floats(-1e300, 1e300), REAL),
    "neighbours": (NEAR, REAL),
    "denormals": (TINY, REAL),
    "whole": (st.integers(-30, 300).map(float), WHOLE),
    "large whole": (st.integers(2**52 - 40, 2**52).map(float), WHOLE),
    "tenths": (st.integers(-30, 300).map(lambda n: n / 10), number("x", 0, 0, 1)),
    "thousandths": (st.integers(10**6, 10**6 + 99).map(lambda n: n / 1000), number("x", 0, 0, 3)),
    "single": (st.floats(-(2.0**100), 2.0**100, width=32), SINGLE),
}


@st.composite
def columns(draw: st.DrawFn, kind: str) -> tuple[list[float], list[Node], Attribute]:
    """Values with repeats, and nodes anywhere among them, from one tree or several."""
    numbers, like = KINDS[kind]
    distinct = sorted(draw(st.lists(numbers, min_size=2, max_size=14, unique=True)))
    values = distinct + draw(st.lists(st.sampled_from(distinct), max_size=12))
    pairs = st.tuples(st.sampled_from(distinct), st.sampled_from(distinct)).filter(lambda p: p[0] < p[1])
    return values, draw(st.lists(pairs, min_size=1, max_size=5)), like


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(data=st.data())
def test_thresholds_order_and_sides_are_kept(kind: str, data: st.DataObject) -> None:
    values, nodes, like = data.draw(columns(kind))
    anchored, shifted = (released(values, nodes, anchored=mode, like=like) for mode in (True, False))
    assert set(anchored.values()) <= set(values)
    for v1, v2 in nodes:
        threshold = midpoint(v1, v2)
        largest = max(value for value in values if value <= threshold)
        assert (anchored[v1], anchored[v2], anchored[largest]) == (v1, v2, largest)
        assert midpoint(shifted[v1], shifted[v2]) == threshold
    found = np.array(list(shifted.values()))
    assert np.array_equal(storable(found, like), found)
    assert_order_and_sides(anchored, nodes)
    assert_order_and_sides(shifted, nodes)


def assert_order_and_sides(new: dict[float, float], nodes: Sequence[Node]) -> None:
    """Larger stays larger or becomes equal; nobody crosses a threshold; records of a node stay parted."""
    assert all(new[a] <= new[b] for a, b in pairwise(sorted(new)))
    assert all(min(new) <= value <= max(new) for value in new.values())
    for v1, v2 in nodes:
        assert new[v1] < new[v2]
        threshold = midpoint(v1, v2)
        assert all((value <= threshold) == (image <= threshold) for value, image in new.items())


@pytest.mark.parametrize("kind", ["reals", "whole"])
@settings(max_examples=20)
@given(data=st.data())
def test_intervals_are_a_partition_and_no_longer_than_between_boundaries(
    kind: str, data: st.DataObject
) -> None:
    values, nodes, _ = data.draw(columns(kind))
    for anchored in (True, False):
        parts = parts_of(values, nodes, anchored)
        assert [value for part in parts for value in part] == sorted(set(values))
        for v1, v2 in nodes:
            assert any(part[-1] == v1 for part in parts)
            assert any(part[0] == v2 for part in parts)
        found = _intervals(values, nodes, anchored)
        assert not (found.opened & found.closed & (found.last > found.first)).any()
        assert found.holding(range(len(set(values)))).tolist() == found.of_ranks().tolist()


def cut(below: int, above: int, middle: int | None = None) -> BinarySplit:
    return BinarySplit(0, 0.5, below, above, below if middle is None else middle, 0.0)


def way(*sides: int) -> BinarySplit:
    return BinarySplit(0, 0.5, sides=np.array(sides, np.uint8))


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

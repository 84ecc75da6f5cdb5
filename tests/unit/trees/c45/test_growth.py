"""Unpruned trees on a handful of records, numbered level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from math import log2

import numpy as np
import pytest

from hushwood.errors import InternalFault
from hushwood.trees.c45 import growth
from hushwood.trees.c45.growth import grow_levels
from hushwood.trees.c45.nodes import NONE, ForcedTests, Split, split_rule, x_log_x
from hushwood.trees.forest import LEAF
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import TrainingSet
from support.mixed_tables import category, mixed_table, number

X, KIND = number("x", 0, 20), category("kind", "pq")
AAABBB = (0, 0, 0, 1, 1, 1)


def one_number(values: Sequence[float], classes: Sequence[int]) -> TrainingSet:
    return TrainingSet.from_columns([X], [np.array(values, float)], np.array(classes), ("a", "b"))


@pytest.mark.parametrize(("thresholds", "expected"), [("data", 3.0), ("midpoint", 6.5)])
def test_one_cut_separates_the_classes(thresholds: str, expected: float) -> None:
    nodes = grow_levels(one_number([1, 2, 3, 10, 11, 12], AAABBB), GrowOptions(thresholds=thresholds), 1)
    assert nodes.attribute.tolist() == [0, LEAF, LEAF]
    assert (nodes.threshold[0], nodes.cut[0], nodes.first_child[0]) == (expected, 2, 1)
    assert nodes.counts.tolist() == [[3, 3], [3, 0], [0, 3]]


def test_a_threshold_is_a_value_of_the_whole_table() -> None:
    # Below kind = p the values are 1 and 9; their middle is 5, and 4 is the largest value up to it.
    columns = [np.array([0, 0, 0, 0, 1, 1], np.int32), np.array([1, 1, 9, 9, 4, 4.0])]
    training = TrainingSet.from_columns([KIND, X], columns, np.array([0, 0, 1, 1, 0, 1]), ("a", "b"))
    nodes = grow_levels(training, GrowOptions(), 1, ForcedTests(Split(0), {}))
    assert nodes.attribute.tolist() == [0, 1, LEAF, LEAF, LEAF]
    assert (nodes.threshold[1], nodes.cut[1], nodes.first_child[1]) == (4, 1, 3)
    assert nodes.forced.tolist() == [True, False, False, False, False]


def test_prescribed_tests_are_taken_as_they_are() -> None:
    training = one_number([1, 2, 3, 4, 5, 6], AAABBB)
    forced = ForcedTests(Split(0, 0, 1), {1: Split(0, 4, 5)})
    nodes = grow_levels(training, GrowOptions(min_leaf=3), 1, forced)
    assert nodes.threshold[[0, 2]].tolist() == [1, 5]
    assert nodes.forced.tolist() == [True, False, True, False, False]
    assert nodes.counts.tolist() == [[3, 3], [1, 0], [2, 3], [2, 2], [0, 1]]


def test_unknown_values_go_down_in_shares() -> None:
    nodes = grow_levels(one_number([1, 2, 3, 10, np.nan], (0, 0, 1, 1, 1)), GrowOptions(min_leaf=1), 1)
    assert nodes.threshold[0] == 2
    np.testing.assert_allclose(nodes.counts, np.array([[2, 3], [2, 0.5], [0, 2.5]]))


@pytest.mark.parametrize(
    ("options", "classes"),
    [
        (GrowOptions(max_depth=0), AAABBB),
        (GrowOptions(min_leaf=4), AAABBB),
        (GrowOptions(), (0, 0, 0, 0, 0, 0)),
    ],
)
def test_what_must_not_be_split_is_one_leaf(options: GrowOptions, classes: Sequence[int]) -> None:
    nodes = grow_levels(one_number([1, 2, 3, 4, 5, 6], classes), options, 1)
    assert (nodes.attribute.tolist(), nodes.cut.tolist()) == ([LEAF], [NONE])


@pytest.mark.parametrize("criterion", ["gain_ratio", "gini"])
def test_threads_do_not_matter(criterion: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "CELLS_FOR_THREADS", 0)
    training = TrainingSet.from_table(mixed_table(3, 400))
    options = GrowOptions(criterion=criterion)
    one, three = grow_levels(training, options, 1), grow_levels(training, options, 3)
    assert len(one.attribute) > 20
    for ours, theirs in zip(astuple(one), astuple(three), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_the_table_of_x_log_x() -> None:
    assert x_log_x(4).tolist() == pytest.approx([0, 0, 2, 3 * log2(3), 8])


def test_the_kernels_read_the_options_of_the_variant() -> None:
    rule = split_rule(GrowOptions(variant="j48", min_leaf=7, criterion="gini"), one_number([1, 2], (0, 1)))
    assert rule == (7.0, 1e-6, 1e-6, False, True, 1)


@pytest.mark.parametrize("cut", [-1, 0, 3])
def test_a_cut_outside_the_ranks_beside_it_is_refused(cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cut of -1 would be taken for a categorical test, with more branches than there is room for."""
    wrong = np.array([cut]), np.array([2.0])
    monkeypatch.setattr(growth.Grower, "thresholds", lambda *given: wrong)
    with pytest.raises(InternalFault, match="does not lie between the values"):
        grow_levels(one_number([1, 2, 3, 10, 11, 12], AAABBB), GrowOptions(), 1)

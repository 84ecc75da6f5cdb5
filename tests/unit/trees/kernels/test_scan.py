"""Packed orders and the scans of one node of six records, worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Any

import numpy as np
import pytest

from hushwood.trees.c45.nodes import x_log_x
from hushwood.trees.kernels import scan as scan_kernels
from hushwood.trees.kernels.scan import Found, Level, Rule
from hushwood.trees.kernels.scan_counts import scan_complete

AAABBB = (0, 0, 0, 1, 1, 1)
NO_TABLE = np.empty(0)


def level(classes: Sequence[int], weights: Any = NO_TABLE) -> Any:
    """One node that holds all records."""
    counts = np.bincount(classes, minlength=2).astype(np.float64)[None, :]
    rows = np.arange(len(classes), dtype=np.int32)
    start = np.array([0, len(classes)])
    return Level(start, rows, weights, np.array(classes, np.uint16), counts, counts.sum(axis=1))


def rule(min_leaf: float = 2, gini: bool = False, both_sides: bool = True) -> Any:
    return Rule(float(min_leaf), 1e-9, 1e-10, both_sides, gini, 1)


def nothing_found() -> Any:
    return Found(np.array([-1.0]), np.zeros(1), np.array([-1]), np.array([-1]))


def categorical(codes: Sequence[int], classes: Sequence[int], min_leaf: float = 2, gini: bool = False) -> Any:
    """Gain and split information with all weights 1."""
    complete = min(codes) >= 0 and not gini
    found = nothing_found()
    scan_kernels.scan_categorical(
        np.array(codes, np.int32),
        np.int64(max(codes) + 1),
        np.zeros(1, bool),
        level(classes, NO_TABLE if complete else np.ones(len(codes))),
        x_log_x(len(codes)) if complete else NO_TABLE,
        rule(min_leaf, gini),
        found,
    )
    return found.gain[0], found.info[0]


def numeric(values: Sequence[float], classes: Sequence[int], kernel: Any, how: Any) -> Any:
    """The best cut of records given in ascending order of their values."""
    distinct, codes = np.unique(np.array(values), return_inverse=True)
    reach, order = scan_kernels.reach_of_ranks(distinct, 3), np.empty(len(values), np.int64)
    rows, labels = np.arange(len(values), dtype=np.int32), np.array(classes, np.uint16)
    scan_kernels.pack_order(rows, codes.astype(np.int32), labels, 1, reach, 2, order)
    complete, found = kernel is scan_complete, nothing_found()
    node = level(classes, NO_TABLE if complete else np.ones(len(values)))
    table = x_log_x(len(values)) if complete else NO_TABLE
    kernel(order, np.array([0, len(values)]), node, distinct, 2, table, how, found)
    return found


either_scan = pytest.mark.parametrize("kernel", [scan_complete, scan_kernels.scan_numeric])


def test_reach_is_the_distance_to_the_next_value_that_can_be_told_apart() -> None:
    values = np.array([0.0, 5e-6, 1.0, 2.0])
    assert scan_kernels.reach_of_ranks(values, 3).tolist() == [2, 1, 1, 1]
    assert scan_kernels.reach_of_ranks(values, 1).tolist() == [1, 1, 1, 1]


def test_an_order_is_packed_as_rank_reach_class_and_record() -> None:
    order, rows, codes = np.zeros(2, np.int64), np.array([1, 0], np.int32), np.array([1, 0], np.int32)
    scan_kernels.pack_order(rows, codes, np.array([1, 0], np.uint16), 1, np.array([2, 1]), 2, order)
    assert order.tolist() == [0b00_10_0 << 32 | 1, 0b01_01_1 << 32 | 0]


def test_gain_and_information_of_a_categorical_test() -> None:
    # aa | abbb: the second branch has 4 x H(1/4) = 8 - 3 log2 3 bits left.
    gain, info = categorical([0, 0, 1, 1, 1, 1], AAABBB)
    assert gain == pytest.approx(1 - (8 - 3 * log2(3)) / 6)
    assert info == pytest.approx(log2(3) - 2 / 3)


def test_gini_of_a_categorical_test() -> None:
    # Weight times index: 6 x 1/2 before, 4 x 3/8 after.
    assert categorical([0, 0, 1, 1, 1, 1], AAABBB, gini=True)[0] == pytest.approx((3 - 1.5) / 6)


def test_unknown_values_lower_the_gain_and_are_a_branch_of_the_information() -> None:
    gain, info = categorical([0, 0, 1, 1, -1, -1], (0, 0, 1, 1, 0, 1))
    assert gain == pytest.approx(4 / 6)
    assert info == pytest.approx(log2(3))


@pytest.mark.parametrize(("min_leaf", "allowed"), [(2, True), (3, False)])
def test_two_branches_must_hold_the_minimum(min_leaf: float, allowed: bool) -> None:
    gain, _ = categorical([0, 0, 1, 1, 1, 2], AAABBB, min_leaf)
    assert (gain >= 0) == allowed


def test_a_node_that_is_skipped_stays_barred() -> None:
    found, codes = nothing_found(), np.array([0, 0, 0, 1, 1, 1], np.int32)
    skip = np.ones(1, bool)
    scan_kernels.scan_categorical(codes, np.int64(2), skip, level(AAABBB), x_log_x(6), rule(), found)
    assert found.gain[0] == -1


@either_scan
def test_the_best_cut_pays_for_the_choice_of_its_threshold(kernel: Any) -> None:
    # With two on each side, cuts after 2, 3 and 4 are tried.
    found = numeric([1, 2, 3, 4, 5, 6], AAABBB, kernel, rule())
    assert found.gain[0] == pytest.approx(1 - log2(3) / 6)
    assert (found.info[0], found.below[0], found.above[0]) == (1.0, 2, 3)


@either_scan
def test_no_cut_between_equal_or_nearly_equal_values(kernel: Any) -> None:
    # The third and fourth value are too near each other; aaabbb is best cut beside them, the first time.
    found = numeric([1, 2, 3, 3.000005, 5, 6], AAABBB, kernel, rule())
    assert (found.below[0], found.above[0]) == (1, 2)
    assert numeric([1, 1, 1, 1, 1, 1], AAABBB, kernel, rule()).gain[0] == -1


@either_scan
def test_each_side_must_hold_the_minimum(kernel: Any) -> None:
    assert numeric([1, 2, 3, 4, 5, 6], AAABBB, kernel, rule(min_leaf=3)).below[0] == 2
    assert numeric([1, 2, 3, 4, 5, 6], AAABBB, kernel, rule(min_leaf=4)).gain[0] == -1


def test_gini_pays_nothing_for_a_threshold() -> None:
    found = numeric([1, 2, 3, 4, 5, 6], AAABBB, scan_kernels.scan_numeric, rule(gini=True))
    assert found.gain[0] == pytest.approx(0.5)

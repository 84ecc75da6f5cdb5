"""Rows in ascending order, against numpy's stable sort, and their dense ranks.

The loops of routing on trees of three and four nodes. A node's records are divided without losing their order. Gain
ratios of every cut of two to four records.
"""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array, Codes, Floats
from hushwood.trees.kernels.records import ROW, ascending, collect, cut_ratios, divide, rank_sorted, route

SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 5e-324, -5e-324, 1e-310, 1e308, -1e308, 1.0, -1.0)


def sorted_rows(column: Floats) -> Array:
    items, spare = np.empty((2, len(column)), np.uint64)
    return np.asarray(ascending(column, items, spare) & ROW)


def columns_of(size: int) -> dict[str, Floats]:
    """Columns that take every way through the sort."""
    generator = np.random.default_rng(size)
    normal, some = generator.normal(size=size), generator.random(size) < 0.3
    return {
        "full precision": normal,
        "skewed": np.exp(9 * normal),
        "ties": np.round(normal, 1),
        "few values": np.floor(3 * normal),
        "all equal": np.full(size, 0.1),
        "missing": np.where(some, np.nan, normal),
        "all missing": np.full(size, np.nan),
        "special": generator.choice(SPECIAL, size),
        "any pattern": generator.integers(0, 2**64, size, np.uint64).view(np.float64),
        "far from zero": 1e9 + 1e-3 * normal,
        # Their upper halves are equal, so they are sorted by the lower ones first: by one, two and three digits.
        "one far off, close steps": np.where(some, -1e300, 1 + 1e-13 * normal),
        "one far off, steps": np.where(some, -1e300, 1 + 1e-11 * normal),
        "one far off, wide steps": np.where(some, -1e300, 1 + 1e-8 * normal),
        "descending": 1e5 - 1e-10 * np.arange(size),
    }


@pytest.mark.parametrize("size", [0, 1, 2, 3, 40, 3000])
def test_rows_are_in_the_order_of_a_stable_sort(size: int) -> None:
    for name, column in columns_of(size).items():
        expected = np.argsort(column, kind="stable")
        np.testing.assert_array_equal(sorted_rows(column), expected, err_msg=name)


def test_zeros_of_both_signs_are_equal_and_missing_values_last() -> None:
    assert sorted_rows(np.array([np.nan, 0.0, -0.0, -np.nan, -1.0, 0.0])).tolist() == [4, 1, 2, 5, 0, 3]


def test_ranks_are_dense_and_missing_values_have_none() -> None:
    column = np.array([2.5, np.nan, -1.0, 2.5])
    codes, rows, values = np.zeros(4, np.int32), np.zeros(4, np.int32), np.zeros(4)
    items = np.array([2, 0, 3, 1], np.uint64)
    assert rank_sorted(column, items, codes, rows, values) == (3, 2)
    assert codes.tolist() == [1, -1, 0, 1]
    assert (rows[:3].tolist(), values[:2].tolist()) == ([2, 0, 3], [-1.0, 2.5])


NAN = float("nan")


def ints(*values: int) -> Codes:
    return np.array(values, np.int32)


def routed(values: list[float], threshold: float, branches: Codes, missing_to: int) -> list[int]:
    """The leaves below a root that tests the only column, categorically if the threshold is no number."""
    nodes = int(branches.max()) + 1
    leaves = np.full(len(values), -9, np.int32)
    attribute = np.full(nodes, -1)
    attribute[0] = 0
    thresholds = np.full(nodes, NAN)
    thresholds[0] = threshold
    start = np.full(nodes + 1, len(branches))
    start[0] = 0
    away = np.full(nodes, -1, np.int32)
    away[0] = missing_to
    matrix = np.array(values)[:, None]
    route(matrix, attribute, np.isfinite(thresholds), thresholds, start, branches, away, leaves)
    return leaves.tolist()


def collected(matrix: Any, branches: Codes, share: list[float], own: Any) -> Any:
    """Class distributions below a root that tests the first column categorically."""
    nodes = len(own)
    attribute, start = np.full(nodes, -1, np.int32), np.full(nodes + 1, len(branches))
    attribute[0], start[0] = 0, 0
    out = np.zeros((len(matrix), 2))
    numeric, threshold = np.zeros(nodes, bool), np.full(nodes, NAN)
    children, first = np.unique(branches, return_index=True)
    of_branch = np.zeros(len(branches))
    of_branch[first] = np.array(share)[children]
    collect(np.array(matrix), attribute, numeric, threshold, start, branches, of_branch, own, out)
    return out


def test_a_value_on_the_threshold_goes_below() -> None:
    assert routed([1.9, 2.0, 2.1], 2.0, ints(1, 2), 1) == [1, 1, 2]


def test_infinite_values_are_values() -> None:
    assert routed([-np.inf, np.inf], 2.0, ints(1, 2), 1) == [1, 2]


def test_a_missing_number_follows_missing_to() -> None:
    assert routed([NAN, 0.0], 2.0, ints(1, 2), 2) == [2, 1]


def test_missing_and_unseen_categories_follow_missing_to() -> None:
    assert routed([0.0, 1.0, 2.0, 3.0, -1.0], NAN, ints(1, 2, 1), 2) == [1, 2, 1, 2, 2]


def test_a_known_value_brings_the_whole_leaf() -> None:
    own = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]])
    found = collected([[0.0], [1.0]], ints(1, 2), [0.0, 0.6, 0.4], own)
    assert found.tolist() == [[1, 0], [0.25, 0.75]]


def test_an_unknown_value_brings_shares_and_a_shared_child_once() -> None:
    own = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]])
    found = collected([[-1.0], [9.0], [NAN]], ints(1, 2, 2), [0.0, 0.6, 0.4], own)
    assert found.tolist() == [pytest.approx([0.7, 0.3])] * 3


def test_a_child_without_a_share_is_passed_over() -> None:
    own = np.array([[0.5, 0.5], [1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    found = collected([[-1.0]], ints(1, 2, 3), [0.0, 0.75, 0.0, 0.25], own)
    assert found.tolist() == [[0.75, 0.25]]


@given(st.lists(st.booleans(), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_dividing_keeps_the_order_on_both_sides(goes: list[bool], chance: Any) -> None:
    order = list(range(len(goes)))
    chance.shuffle(order)
    divided = np.array([-1, *order, -2], np.int32)
    divide(divided, 1, len(goes) + 1, np.array(goes), np.empty(len(goes), np.int32))
    wanted = [row for row in order if goes[row]] + [row for row in order if not goes[row]]
    assert divided.tolist() == [-1, *wanted, -2]


def cuts(ranks: list[int], classes: list[int], least: float = 1.0, weights: Any = None) -> Any:
    """Ranks beside each cut, and the ratios."""
    rows = np.arange(len(ranks), dtype=np.int32)
    share = np.ones(len(ranks)) if weights is None else np.array(weights)
    codes, labels = np.array(ranks, np.int32), np.array(classes, np.uint16)
    below, above, ratio = cut_ratios(codes, labels, rows, share, max(ranks) + 1, 2, least, share)
    return list(zip(below.tolist(), above.tolist(), strict=True)), ratio


def test_every_cut_has_its_plain_ratio() -> None:
    where, ratio = cuts([0, 1, 2, 3], [0, 0, 1, 1])
    # a | abb: three records with H(1/3) are left, and the information is H(1/4).
    outer = (1 - 0.75 * (log2(3) - 2 / 3)) / (2 - 0.75 * log2(3))
    assert where == [(0, 1), (1, 2), (2, 3)]
    assert ratio == pytest.approx([outer, 1.0, outer])


def test_each_side_must_hold_the_least_weight() -> None:
    assert cuts([0, 1, 2, 3], [0, 0, 1, 1], least=2)[0] == [(1, 2)]
    assert cuts([0, 1, 2, 3], [0, 0, 1, 1], least=2, weights=[0.5, 1, 1, 1])[0] == []


def test_unknown_values_are_a_part_of_the_information() -> None:
    # Gain 2/4; information of parts 1, 1 and 2 out of 4.
    where, ratio = cuts([0, 1, -1, -1], [0, 1, 0, 1])
    assert (where, ratio.tolist()) == ([(0, 1)], pytest.approx([0.5 / 1.5]))


def test_ranks_without_records_are_passed_over() -> None:
    assert cuts([0, 3, 3], [0, 1, 1])[0] == [(0, 3)]


def test_one_value_leaves_nothing_to_cut() -> None:
    assert cuts([2, 2], [0, 1])[0] == []


def test_only_the_given_rows_count() -> None:
    codes, labels = np.array([0, 1, 2, 3], np.int32), np.array([0, 1, 0, 1], np.uint16)
    rows, weights = np.array([0, 3], np.int32), np.ones(2)
    below, above, ratio = cut_ratios(codes, labels, rows, weights, 4, 2, 1.0, weights)
    assert (below.tolist(), above.tolist(), ratio.tolist()) == ([0], [3], [1.0])

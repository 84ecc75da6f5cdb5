"""Four records sent to two branches by hand: one has no value and goes to both in shares of a third and two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.trees.kernels import divide as divide_kernels
from hushwood.trees.kernels.divide import CLOSED, UNKNOWN, Division
from hushwood.trees.kernels.scan import Level

CODES = np.array([[0, 1, 2, -1]], np.int32)
CLASSES = np.array([0, 1, 1, 0], np.uint16)
SECOND_CHILD = 1 << 32


def level(weights: list[float]) -> Any:
    rows, counts = np.arange(4, dtype=np.int32), np.array([[2.0, 2.0]])
    return Level(np.array([0, 4]), rows, np.array(weights), CLASSES, counts, counts.sum(axis=1))


def division(target: Any, place: tuple[int, int] = (0, 1)) -> Any:
    """Both children open unless `place` says otherwise; the second begins after the two entries of the first."""
    share, begin, known = np.array([1 / 3, 2 / 3]), np.array([0, 2, 5]), np.array([1, 2])
    upper = np.packbits(target == 1, bitorder="little")
    return Division(np.array([0, 2]), target, upper, np.array(place), share, begin, known)


def order(*items: tuple[int, int]) -> Any:
    """Packed (head, entry) pairs."""
    return np.array([head << 32 | entry for head, entry in items], np.int64)


def test_entries_follow_the_cut_and_the_unknown_is_shared() -> None:
    target, known, unknown = np.zeros(4, np.int64), np.zeros(2, np.int64), np.zeros(1, np.int64)
    counts, start, first = np.zeros((2, 2)), np.array([0, 2]), np.array([0])
    divide_kernels.send_entries(
        (0, 1), CODES, first, first, start, level([1.0] * 4), 0.0, np.zeros(1), target, known, unknown, counts
    )
    assert target.tolist() == [0, 1, 1, UNKNOWN]
    assert (known.tolist(), unknown.tolist()) == ([1, 2], [1])
    np.testing.assert_allclose(counts, [[1 + 1 / 3, 0], [2 / 3, 2]])


def test_an_unknown_entry_of_too_little_weight_is_lost() -> None:
    target, known, unknown = np.zeros(4, np.int64), np.zeros(2, np.int64), np.zeros(1, np.int64)
    counts, start, first = np.zeros((2, 2)), np.array([0, 2]), np.array([0])
    here, least = level([1.0, 1.0, 1.0, 0.09]), np.array([0.1])
    divide_kernels.send_entries(
        (0, 1), CODES, first, first, start, here, 0.0, least, target, known, unknown, counts
    )
    assert (target.tolist(), unknown.tolist()) == ([0, 1, 1, CLOSED], [0])
    np.testing.assert_allclose(counts, [[1, 0], [0, 2]])
    rows, weights, classes = np.full(5, -1, np.int32), np.zeros(5), np.zeros(5, np.uint16)
    divide_kernels.place_entries((0, 1), here, division(target), rows, weights, classes)
    assert rows.tolist() == [0, -1, 1, 2, -1]


def test_a_node_without_a_test_is_left_alone() -> None:
    target, known, unknown = np.full(4, 9), np.zeros(0, np.int64), np.zeros(1, np.int64)
    leaf, start = np.array([-1]), np.array([0, 0])
    divide_kernels.send_entries(
        (0, 1),
        CODES,
        leaf,
        leaf,
        start,
        level([1.0] * 4),
        0.0,
        np.zeros(1),
        target,
        known,
        unknown,
        np.zeros((0, 2)),
    )
    assert target.tolist() == [9] * 4


def test_children_get_their_known_entries_first() -> None:
    target = np.array([0, 1, 1, UNKNOWN])
    rows, weights, classes = np.zeros(5, np.int32), np.zeros(5), np.zeros(5, np.uint16)
    divide_kernels.place_entries(
        (0, 1), level([1.0, 1.0, 1.0, 0.6]), division(target), rows, weights, classes
    )
    assert rows.tolist() == [0, 3, 1, 2, 3]
    assert classes.tolist() == [0, 0, 1, 1, 0]
    assert weights.tolist() == pytest.approx([1, 0.2, 1, 1, 0.4])
    assert target.tolist() == [0, SECOND_CHILD | 2, SECOND_CHILD | 3, UNKNOWN]


def test_orders_stay_ascending_and_name_the_new_entries() -> None:
    target = np.array([0, SECOND_CHILD | 2, SECOND_CHILD | 3, UNKNOWN])
    start, given = np.array([0, 3]), order((7, 3), (8, 2), (9, 0))
    size = np.zeros(2, np.int64)
    divide_kernels.count_order(given, start, division(target), size)
    assert size.tolist() == [2, 2]
    out = np.zeros(4, np.int64)
    divide_kernels.divide_order(given, start, division(target), np.array([0, 2]), out)
    assert out.tolist() == order((7, 1), (9, 0), (7, 4), (8, 3)).tolist()


def test_a_closed_child_gets_nothing_from_an_order() -> None:
    target = np.array([0, CLOSED, CLOSED, UNKNOWN])
    size = np.zeros(1, np.int64)
    divide_kernels.count_order(
        order((7, 3), (8, 2), (9, 0)), np.array([0, 3]), division(target, (0, CLOSED)), size
    )
    assert size.tolist() == [2]


def test_complete_orders_keep_their_records() -> None:
    target = np.array([0, 1, 1, 0], np.uint8)
    given, out = order((7, 3), (8, 2), (9, 0), (10, 1)), np.zeros(2, np.int64)
    divide_kernels.divide_complete(given, np.array([0, 4]), division(target, (CLOSED, 0)), np.array([0]), out)
    assert out.tolist() == order((8, 2), (10, 1)).tolist()

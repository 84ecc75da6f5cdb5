"""Tables packed for the kernels, and targets divided among threads."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
import pytest

from hushwood.distances.coding import MISSING, Coded
from hushwood.distances.neighbours import TARGETS, over_targets, packed


def coded(numbers: list[list[float]], codes: list[list[int]], rows: int) -> Coded:
    return Coded(
        np.array(numbers, np.float32).reshape(len(numbers), rows),
        np.array(codes, np.int32).reshape(len(codes), rows),
        rows,
    )


def test_attributes_are_grouped_and_filled_up() -> None:
    targets = coded([[0, 1], [MISSING, 0.5], [0.5, 1]], [[0, 2]], 2)
    released = coded([[1, 0, 0], [0, 0, 1], [0, 1, 0.25]], [[2, -1, 0]], 3)
    pair = packed(targets, released)
    assert (pair.plain, pair.attributes) == (3, 4)
    assert pair.numbers.tolist() == [[1, 0, 0], [0, 1, 0.25], [0] * 3, [0, 0, 1], [0] * 3, [0] * 3]
    assert pair.target_numbers.tolist() == [[0, 0.5, 0, MISSING, 0, 0], [1, 1, 0, 0.5, 0, 0]]
    assert pair.codes.tolist() == [[2, 255, 0], [0] * 3, [0] * 3, [0] * 3]
    assert pair.target_codes.tolist() == [[0, 0, 0, 0], [2, 0, 0, 0]]
    assert all(part.flags.c_contiguous for part in pair if isinstance(part, np.ndarray))


def test_numbers_that_go_out_of_range_in_one_table_only_are_cut() -> None:
    assert packed(coded([[0, 1]], [], 2), coded([[0.5, 1.5]], [], 2)).plain == 0
    assert packed(coded([[0, 1]], [], 2), coded([[0.5, 0.5]], [], 2)).plain == 3


def test_nothing_stays_nothing() -> None:
    pair = packed(coded([], [], 2), coded([], [], 3))
    assert (pair.numbers.shape, pair.codes.shape, pair.target_codes.shape) == ((0, 3), (0, 3), (2, 0))
    assert packed(coded([[]], [[]], 0), coded([[]], [[]], 0)).numbers.shape == (3, 0)


@pytest.mark.parametrize(
    ("largest", "attributes", "width"),
    [(254, 1, np.uint8), (255, 1, np.uint16), (1, 300, np.uint16), (65535, 1, np.uint32)],
)
def test_codes_and_their_counts_fit_the_width(largest: int, attributes: int, width: Any) -> None:
    pair = packed(coded([], [[largest]] * attributes, 1), coded([], [[-1]] * attributes, 1))
    assert pair.codes.dtype == pair.target_codes.dtype == width
    assert pair.codes[0, 0] == np.iinfo(width).max != pair.target_codes[0, 0] == largest


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("count", [0, 1, TARGETS, TARGETS + 1, 5 * TARGETS - 1])
def test_every_target_is_worked_on_once(count: int, threads: int) -> None:
    done, lock = [0] * count, Lock()

    def work(first: int, last: int) -> None:
        with lock:
            for target in range(first, last):
                done[target] += 1

    over_targets(count, threads, work)
    assert done == [1] * count


def test_a_fault_in_a_task_is_heard() -> None:
    with pytest.raises(ZeroDivisionError):
        over_targets(3, 2, lambda first, last: first // 0)

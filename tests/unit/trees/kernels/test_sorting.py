"""Rows in ascending order, against numpy's stable sort, and their dense ranks."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Array, Floats
from hushwood.trees.kernels.records import ROW, ascending, rank_sorted

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

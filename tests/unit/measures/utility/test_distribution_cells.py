"""Cells of columns and what is counted in them, against plain counting; groups that stand for several values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.utility.distribution_cells import CELLS, NumericCells, category_counts
from hushwood.tables.generalised import Generalised
from oracles import distributions as oracle

NUMBERS = st.lists(st.one_of(st.none(), st.integers(0, 60)), min_size=1, max_size=80)


def column(values: list[int | None]) -> np.ndarray:
    return np.array([np.nan if v is None else v for v in values], np.float64)


@given(NUMBERS, NUMBERS)
def test_counts_equal_plain_counting(original: list[int | None], released: list[int | None]) -> None:
    cells = NumericCells.of(column(original))

    if any(value is not None for value in original):
        assert cells.counts(column(released)).tolist() == oracle.numeric_counts(released, original, CELLS)
        assert cells.counts(column(original)).tolist() == oracle.numeric_counts(original, original, CELLS)
    else:
        gone = sum(value is None for value in released)
        assert cells.counts(column(released)).tolist() == [gone, 0, len(released) - gone, 0]


@given(NUMBERS.filter(lambda values: any(v is not None for v in values)), NUMBERS)
def test_the_sign_only_turns_the_cells_round(original: list[int | None], released: list[int | None]) -> None:
    before, after = column(original), column(released)

    found = NumericCells.of(before).counts(after)
    turned = NumericCells.of(-before).counts(-after)

    assert turned.tolist() == [found[0], *found[:0:-1]]


@pytest.mark.parametrize("size", [21, 25, 30, 39, 50, 60])
def test_more_values_than_cells(size: int) -> None:
    """With 30 values some wanted cuts lie exactly between two possible ones; both are made."""
    values = list(range(size))

    found = NumericCells.of(column([*values])).counts(column([*values, 3, 7]))
    turned = NumericCells.of(-column([*values])).counts(-column([*values, 3, 7]))

    assert found.tolist() == oracle.numeric_counts([*values, 3, 7], values, CELLS)
    assert turned[1:].tolist() == found[:0:-1].tolist()


def test_many_values_share_about_twenty_cells() -> None:
    cells = NumericCells.of(np.random.default_rng(1).normal(size=10_000))
    counts = cells.counts(np.random.default_rng(1).normal(size=10_000))

    assert counts[3:-1].tolist() == pytest.approx([500] * (CELLS - 1), abs=1)


def test_an_interval_is_spread_over_the_cells_it_covers() -> None:
    """Cells end at 1.5, 2.5 and so on; from 1 to 3 a quarter lies below 1.5, a half below 2.5."""
    cells = NumericCells.of(np.array([1.0, 2.0, 3.0, 4.0]))
    groups = Generalised(
        np.zeros(4, bool), np.array([1.0, 2.0, 8.0, np.nan]), np.array([3.0, 2.0, 9.0, np.nan])
    )

    counts = cells.counts(np.array([2.0, 2.0, 8.5, np.nan]), groups)

    assert counts.tolist() == pytest.approx([1, 0, 0.25, 1 + 0.5, 0.25, 0, 1])


def test_an_interval_that_reaches_out_of_the_range_counts_inside_it() -> None:
    cells = NumericCells.of(np.array([1.0, 2.0]))
    groups = Generalised(np.ones(1, bool), np.array([-100.0]), np.array([100.0]))

    assert cells.counts(np.array([0.0]), groups).tolist() == pytest.approx([0, 0, 0.5, 0.5, 0])


def test_groups_of_categories_are_spread_evenly() -> None:
    """a, b and c are the original's; the release has a, {a, b}, * and x, which stands for nothing."""
    covers = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [0, 0, 0]], bool)
    codes = np.array([-1, 0, 3, 3, 4, 5], np.int32)

    counts = category_counts(codes, 6, Generalised(np.zeros(6, bool), covers=covers))

    assert counts.tolist() == pytest.approx([1, 1 + 1 + 1 / 3, 1 + 1 / 3, 1 / 3, 0, 0, 1])


def test_categories_without_groups_are_counted() -> None:
    codes = [-1, 2, 2, 0]

    assert category_counts(np.array(codes, np.int32), 4).tolist() == oracle.category_counts(codes, 4)

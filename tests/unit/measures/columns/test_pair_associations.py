"""Cramér's V and η, plain and corrected, against plain counting over the records that have both values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import contingency

from hushwood.measures.columns.numeric_correlations import centred
from hushwood.measures.columns.pair_associations import (
    CategoryPairs,
    correlation_ratios,
    cramers_v,
    indicators,
)
from oracles import associations as oracle

ROWS = st.integers(1, 14)
CODES = st.integers(-1, 3)
CATEGORIES = ROWS.flatmap(
    lambda rows: st.lists(st.lists(CODES, min_size=rows, max_size=rows), min_size=2, max_size=3)
)


def named(codes: list[int]) -> list[str | None]:
    return [None if code < 0 else "abcd"[code] for code in codes]


def coded(columns: list[list[int]]) -> list[np.ndarray]:
    return [np.array(codes, np.int32) for codes in columns]


def same(found: float, expected: float | None) -> bool:
    return found == pytest.approx(np.nan if expected is None else expected, nan_ok=True, abs=1e-7)


@given(CATEGORIES, st.booleans())
def test_v_equals_plain_counting(columns: list[list[int]], corrected: bool) -> None:
    found = cramers_v(CategoryPairs.of(coded(columns)), corrected)

    for i, first in enumerate(columns):
        for j, second in enumerate(columns):
            assert same(found[i, j], oracle.cramers_v(named(first), named(second), corrected))


@given(CATEGORIES, st.booleans(), st.data())
def test_eta_equals_plain_sums(columns: list[list[int]], corrected: bool, data: st.DataObject) -> None:
    cell = st.one_of(st.none(), st.integers(-3, 3))
    numbers = data.draw(st.lists(cell, min_size=len(columns[0]), max_size=len(columns[0])))
    column = centred(np.array([np.nan if v is None else v for v in numbers], np.float64))

    found = correlation_ratios(indicators(coded(columns)), [column], corrected)

    for j, codes in enumerate(columns):
        assert same(found[0, j], oracle.correlation_ratio(numbers, named(codes), corrected))


def test_a_last_column_without_any_category_has_no_eta() -> None:
    column = centred(np.array([1.0, 2.0, 4.0]))
    found = correlation_ratios(indicators(coded([[0, 0, 1], [-1, -1, -1]])), [column])
    assert found.shape == (1, 2)
    assert found[0, 0] > 0
    assert np.isnan(found[0, 1])


def test_plain_v_is_that_of_scipy() -> None:
    draw = np.random.default_rng(3)
    first, second = draw.integers(0, 4, 300), draw.integers(0, 3, 300)
    table = contingency.crosstab(first, second).count

    found = cramers_v(CategoryPairs.of([first, second]), corrected=False)[0, 1]

    assert found == pytest.approx(contingency.association(table, method="cramer"))


def test_chance_alone_is_taken_away() -> None:
    draw = np.random.default_rng(4)
    sums = np.zeros((2, 2))
    for _ in range(30):
        columns = [draw.integers(0, 40, 2000), draw.integers(0, 30, 2000)]
        table = indicators(columns)
        numbers = [centred(draw.normal(size=2000))]
        for row, corrected in enumerate((False, True)):
            sums[row, 0] += cramers_v(CategoryPairs.of(columns), corrected)[0, 1]
            sums[row, 1] += correlation_ratios(table, numbers, corrected)[0, 0]

    plain, corrected_means = sums / 30
    assert (plain > 0.1).all()
    assert (corrected_means < 0.4 * plain).all()


def test_a_function_of_the_other_column_is_one_even_if_corrected() -> None:
    codes = np.repeat(np.arange(3), 20)

    assert cramers_v(CategoryPairs.of([codes, (codes + 1) % 3]))[0, 1] == pytest.approx(1.0)
    assert correlation_ratios(indicators([codes]), [centred(codes.astype(np.float64))])[
        0, 0
    ] == pytest.approx(1.0)


def test_columns_without_any_category() -> None:
    empty, other = np.full(5, -1), np.array([0, 1, 0, 1, 0])

    assert np.isnan(cramers_v(CategoryPairs.of([empty, other]))[0]).all()
    assert np.isnan(correlation_ratios(indicators([empty]), [other * 1.0])).all()

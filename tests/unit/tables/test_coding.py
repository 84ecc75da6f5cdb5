"""Categories, their order, and the codes of values."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.coding import (
    as_numbers,
    categories_of,
    codes_of,
    dense_codes,
    distinct,
    ordered,
    present_categories,
)


@pytest.mark.parametrize(
    ("values", "dtype", "every", "present"),
    [
        (["b", "a", None, "b"], None, ("a", "b"), ("a", "b")),
        ([True, None], None, ("false", "true"), ("true",)),
        (["m", "s"], pl.Enum(["s", "m", "l"]), ("s", "m", "l"), ("m", "s")),
        (["z", "a"], pl.Categorical, ("a", "z"), ("a", "z")),
        ([10, 9, 9], None, ("9", "10"), ("9", "10")),
        ([1.0, 0.5, float("nan")], None, ("0.5", "1"), ("0.5", "1")),
        ([None, None], pl.String, (), ()),
        ([None, None], pl.Null, (), ()),
    ],
)
def test_categories(values: list[Any], dtype: Any, every: tuple[str, ...], present: tuple[str, ...]) -> None:
    series = pl.Series("a", values, dtype=dtype)
    assert categories_of(series) == every
    assert present_categories(series) == present


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["10", "9", "-1.5"], ("-1.5", "9", "10")),
        (["10", "9", "x"], ("10", "9", "x")),
        (["1.0", "01", "1"], ("01", "1", "1.0")),
        (["inf", "10", "9"], ("10", "9", "inf")),
        (["é", "z", "A", "a"], ("A", "a", "z", "é")),
    ],
)
def test_order(texts: list[str], expected: tuple[str, ...]) -> None:
    assert ordered(pl.Series(texts)) == expected


def test_numbers_that_texts_stand_for() -> None:
    texts = pl.Series(["1", "-2.5", "1e3", "x", "", "inf", "nan", None])
    assert as_numbers(texts).to_list() == [1.0, -2.5, 1000.0, None, None, None, None, None]


def test_distinct_values_are_known_values() -> None:
    values = pl.Series("a", [2.0, float("nan"), None, 1.0, 2.0])
    assert sorted(distinct(values).to_list()) == [1.0, 2.0]


@given(st.lists(st.text(max_size=3) | st.integers(-20, 20).map(str) | st.none(), max_size=20))
def test_codes_are_places_among_the_categories(values: list[str | None]) -> None:
    series = pl.Series("a", values, dtype=pl.String)
    categories = categories_of(series)
    codes = codes_of(series, categories).tolist()
    assert [None if code < 0 else categories[code] for code in codes] == values


def test_values_that_are_no_category_are_refused() -> None:
    with pytest.raises(InputError, match=r"'a' has values .*: 'p', 'q', 'r'. Add them"):
        codes_of(pl.Series("a", ["x", "s", "r", "q", "p", None]), ["x"])


@given(st.lists(st.integers(0, 10**6) | st.integers(0, 5), max_size=50))
def test_it_is_what_numpy_unique_gives(numbers: list[int]) -> None:
    column = np.array(numbers, np.int64)
    distinct, place = dense_codes(column)
    expected, inverse = np.unique(column, return_inverse=True)
    assert distinct.tolist() == expected.tolist()
    assert place.tolist() == inverse.tolist()

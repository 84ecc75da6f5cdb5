"""The decimals of a column: the grid its values lie on, or none."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.columns.precision import (
    MAX_DECIMALS,
    MOST_DECIMALS,
    decimals,
    fits,
    grid_limit,
    precision_of,
)


@pytest.mark.parametrize(
    ("values", "dtype", "precision"),
    [
        ([3, None], pl.Int64, 0),
        ([2**53, -(2**53)], pl.Int64, 0),
        ([0.5, 1.25, None], pl.Float64, 2),
        ([296.0, float("nan")], pl.Float64, 0),
        ([1 / 3], pl.Float64, None),
        ([0.1 + 0.2], pl.Float64, None),
        ([0.1, 0.25], pl.Float32, 2),
        ([1 / 3], pl.Float32, None),
        ([None], pl.Float64, 0),
        (["1", "2.5"], pl.String, 1),
        ([Decimal("1.10"), Decimal("2.50")], pl.Decimal(9, 2), 1),
        ([Decimal("1234567.89"), Decimal("0.5")], pl.Decimal(38, 12), 2),
        ([Decimal("0.123456789012"), None], pl.Decimal(20, 12), 12),
        ([0.123456789012, 7.5], pl.Float64, 12),
        ([date(2020, 1, 1)], pl.Date, 0),
        ([datetime(2020, 1, 1)], pl.Datetime("ns"), 0),
        ([datetime(1970, 1, 1, 0, 0, 0, 250_000)], pl.Datetime("us"), 2),
        ([time(0, 0, 1)], pl.Time, 0),
        ([timedelta(milliseconds=-1500)], pl.Duration("us"), 1),
    ],
)
def test_precision_of_columns(values: list[Any], dtype: Any, precision: int | None) -> None:
    assert precision_of(pl.Series("a", values, dtype=dtype)) == precision


@pytest.mark.parametrize(
    ("series", "words"),
    [
        (pl.Series("a", [2**53 + 2]), "'a' holds numbers with too many digits .*beyond 2\\^53"),
        (pl.Series("a", [-(2**53) - 2]), "beyond 2\\^53"),
        (pl.Series("a", [Decimal("12345678901234567.89")], dtype=pl.Decimal(30, 2)), "beyond 2\\^53"),
        (pl.Series("a", [Decimal("2252.123456789012")], dtype=pl.Decimal(20, 12)), "beyond 2\\^53"),
        (pl.Series("a", [Decimal("1e-23")], dtype=pl.Decimal(38, 23)), "beyond 2\\^53"),
        (pl.Series("a", [1_700_000_000_000_000_001]).cast(pl.Datetime("ns")), "Round them to milliseconds"),
    ],
)
def test_values_that_cannot_be_told_apart_are_refused(series: pl.Series, words: str) -> None:
    with pytest.raises(InputError, match=words):
        precision_of(series)


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1), st.integers(0, MAX_DECIMALS))
def test_decimals_of_rounded_numbers(whole: list[int], places: int) -> None:
    values = np.array([float(f"{number}e-{places}") for number in whole])
    found = decimals(values)
    needed = [len(f"{abs(number) / 10**places:.{places}f}".partition(".")[2].rstrip("0")) for number in whole]
    assert found == max(needed)


def test_decimals_look_beyond_the_first_values() -> None:
    assert decimals(np.append(np.ones(5000), 0.125)) == 3
    assert decimals(np.array([0.125]), most=2) is None
    assert decimals(np.array([np.inf, -np.inf, 0.5])) == 1
    assert decimals(np.array([])) == 0


def test_large_numbers_fit_a_coarse_grid_only() -> None:
    large = np.array([2.0**50])
    assert [fits(large, precision) for precision in (0, 1)] == [True, False]
    assert [fits(np.array([2.0**20]), precision, single=True) for precision in (0, 1, 2)] == [
        *(True, True, False)
    ]
    assert not fits(np.array([2.0**53]), 0)
    assert [grid_limit(precision) for precision in (0, 1, 8)] == [2.0**53, 2.0**51, 2.0**51]


@given(st.integers(0, 2**51 - 1), st.integers(1, MOST_DECIMALS))
def test_below_the_limit_steps_are_found_again(step: int, places: int) -> None:
    assert step < grid_limit(places)
    assert np.rint(step / 10.0**places * 10.0**places) == step


@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1])
def test_whole_numbers_are_compared_as_whole_numbers(number: int) -> None:
    with pytest.raises(InputError, match=r"2\^53"):
        precision_of(pl.Series("x", [0, number]))

"""Texts of a delimited file as the types that all of them have."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.csv.types import possible_ways, typed_column


def typed(*texts: str | None, missing: tuple[str, ...] = ()) -> pl.Series:
    return typed_column(pl.Series("a", texts, dtype=pl.String), missing)


@pytest.mark.parametrize(
    ("texts", "dtype", "values"),
    [
        (["1", None, "-3"], pl.Int64, [1, None, -3]),
        ([" 1", "2 "], pl.Int64, [1, 2]),
        (["1", ""], pl.Int64, [1, None]),
        (["9223372036854775808"], pl.Int128, [2**63]),
        (["1.5", "2", ".28", "1e3"], pl.Float64, [1.5, 2.0, 0.28, 1000.0]),
        (["true", "False", "TRUE"], pl.Boolean, [True, False, True]),
        (["2020-01-31", None], pl.Date, [date(2020, 1, 31), None]),
        (
            ["2020-01-31T10:00:00.5", "2020-02-01 11:30"],
            pl.Datetime("us"),
            [datetime(2020, 1, 31, 10, 0, 0, 500_000), datetime(2020, 2, 1, 11, 30)],
        ),
        (
            ["2020-01-01T00:00:00Z", "2020-01-01T02:00+02:00"],
            pl.Datetime("us", "UTC"),
            [datetime(2020, 1, 1, tzinfo=UTC)] * 2,
        ),
        (["x", "", " y"], pl.String, ["x", "", " y"]),
        ([None, None], pl.String, [None, None]),
        (["", ""], pl.String, ["", ""]),
    ],
)
def test_types(texts: list[str | None], dtype: Any, values: list[Any]) -> None:
    found = typed(*texts)
    assert found.dtype == dtype
    assert found.to_list() == values


@pytest.mark.parametrize(
    "texts",
    [
        ["nan", "1"],
        ["12/31/2020"],
        ["2020-02-30"],
        ["1,5"],
        ["1_0"],
        ["yes", "no"],
        ["true", "1"],
        ["2020-01-01", "2020-01-01T00:00"],
        ["2020-01-01T00:00Z", "2020-01-01T00:00"],
    ],
)
def test_what_is_of_no_one_type_stays_text(texts: list[str]) -> None:
    assert typed(*texts).to_list() == texts


def test_types_need_all_rows() -> None:
    assert typed(*["1"] * 1500, "1.5").dtype == pl.Float64
    assert typed(*["1"] * 1500, "x").dtype == pl.String
    assert typed(*[""] * 1500, "7").to_list()[-1] == 7


def test_missing_texts_with_blanks_around_them() -> None:
    assert typed("1", " NA", "3", missing=("NA",)).to_list() == [1, None, 3]
    assert typed("x", "? ", " y", missing=("?",)).to_list() == ["x", None, " y"]


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.none(), min_size=1))
def test_whole_numbers_come_back(values: list[int | None]) -> None:
    texts = [None if value is None else str(value) for value in values]
    assert typed(*texts).to_list() == values


@pytest.mark.parametrize(
    "texts", [["01067", "99999"], ["1", "007"], ["0049170", "+49"], ["00.5", "1.5"], ["-01", "2"]]
)
def test_codes_with_leading_zeros_are_no_numbers(texts: list[str]) -> None:
    column = pl.Series("zip", texts)
    assert typed_column(column).to_list() == texts
    assert possible_ways(column).ways == ()


@pytest.mark.parametrize("texts", [["0", "10"], ["0.5", "-0.25"], ["-0", "100"], ["1e05", "2"]])
def test_a_single_zero_in_front_is_that_of_a_number(texts: list[str]) -> None:
    assert typed_column(pl.Series("x", texts)).dtype.is_numeric()

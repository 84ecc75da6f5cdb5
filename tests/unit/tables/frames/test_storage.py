"""Values of every data type as numbers or texts, and back again."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.frames.any_frame import to_polars
from hushwood.tables.frames.storage import (
    as_numbers,
    categories_of,
    category_values,
    check_writable,
    codes_of,
    column_of_numbers,
    default_kind,
    dense_codes,
    distinct,
    literal,
    numbers_of,
    on_grid,
    ordered,
    present_categories,
    storage_name,
    storage_type,
    texts_of,
    tick_decimals,
    unusable,
)
from hushwood.tables.reading import read_table
from hushwood.tables.schema import Attribute

STORAGES = {
    "Int8": pl.Int8(),
    "UInt64": pl.UInt64(),
    "Int128": pl.Int128(),
    "Float32": pl.Float32(),
    "Boolean": pl.Boolean(),
    "String": pl.String(),
    "Categorical": pl.Categorical(),
    "Enum": pl.Enum(["b", "a"]),
    "Date": pl.Date(),
    "Time": pl.Time(),
    "Null": pl.Null(),
    "Datetime[ms]": pl.Datetime("ms"),
    "Datetime[us, Europe/Berlin]": pl.Datetime("us", "Europe/Berlin"),
    "Duration[ns]": pl.Duration("ns"),
    "Decimal[12, 3]": pl.Decimal(12, 3),
}


@pytest.mark.parametrize("name", STORAGES)
def test_names_stand_for_data_types(name: str) -> None:
    dtype = STORAGES[name]
    assert storage_name(dtype) == name
    assert storage_type(Attribute("a", "categorical", storage=name, categories=("b", "a"))) == dtype


@pytest.mark.parametrize(
    "name", ["Float99", "Int64[3]", "Datetime[days]", "Decimal[a, b]", "List(Int64)", ""]
)
def test_unknown_storages_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="'a' has the unknown storage"):
        storage_type(Attribute("a", "numeric", storage=name))


@pytest.mark.parametrize(
    ("dtype", "kind", "ticks"),
    [
        (pl.Int8(), "numeric", None),
        (pl.Decimal(5, 2), "numeric", None),
        (pl.Date(), "numeric", None),
        (pl.Datetime("ms"), "numeric", 3),
        (pl.Duration("us"), "numeric", 6),
        (pl.Time(), "numeric", 9),
        (pl.Boolean(), "categorical", None),
        (pl.Enum(["a"]), "categorical", None),
        (pl.Null(), "categorical", None),
        (pl.List(pl.Int8), None, None),
        (pl.Binary(), None, None),
    ],
)
def test_kinds_and_ticks(dtype: pl.DataType, kind: str | None, ticks: int | None) -> None:
    assert default_kind(dtype) == kind
    assert tick_decimals(dtype) == ticks


NUMBERS: list[tuple[Any, list[Any], int | None, list[float]]] = [
    (pl.Int8(), [3, -4], 0, [3.0, -4.0]),
    (pl.Float64(), [0.5, 1 / 3], None, [0.5, 1 / 3]),
    (pl.Float32(), [0.1, 0.25], 2, [0.1, 0.25]),
    (pl.String(), ["2", "2.5"], 1, [2.0, 2.5]),
    (pl.Decimal(5, 2), [Decimal("1.10"), Decimal("2.25")], 2, [1.1, 2.25]),
    (pl.Date(), [date(1970, 1, 2), date(1969, 12, 31)], 0, [1.0, -1.0]),
    (pl.Datetime("us"), [datetime(1970, 1, 1, 0, 1), datetime(1969, 12, 31, 23, 59, 58)], 0, [60.0, -2.0]),
    (pl.Datetime("ns"), [datetime(1970, 1, 1, 0, 0, 0, 250_000)], 2, [0.25]),
    (pl.Time(), [time(0, 1)], 0, [60.0]),
    (pl.Duration("ms"), [timedelta(milliseconds=-1500)], 1, [-1.5]),
]


@pytest.mark.parametrize(("dtype", "values", "precision", "numbers"), NUMBERS)
def test_numbers_and_back(dtype: Any, values: list[Any], precision: int | None, numbers: list[float]) -> None:
    series = pl.Series("a", [*values, None], dtype=dtype)
    found = numbers_of(series, precision)
    assert found[:-1].tolist() == numbers
    assert np.isnan(found[-1])
    attribute = Attribute("a", "numeric", storage=storage_name(dtype), precision=precision)
    back = column_of_numbers(found, attribute)
    assert back.dtype == dtype
    assert back.to_list() == series.to_list()


def test_numbers_between_the_steps_go_to_the_nearest() -> None:
    assert on_grid(np.array([0.1 + 0.2, 0.29, -0.24]), 1).tolist() == [0.3, 0.3, -0.2]
    assert column_of_numbers(np.array([1.6]), Attribute("a", "numeric", storage="Int8")).to_list() == [2]
    fine = Attribute("a", "numeric", storage="Duration[ms]", precision=1)
    assert column_of_numbers(np.array([0.26]), fine).to_list() == [timedelta(milliseconds=300)]


TEXTS: list[tuple[Any, list[Any], list[str]]] = [
    (pl.Int64(), [10], ["10"]),
    (pl.Float64(), [1.0, -0.5], ["1", "-0.5"]),
    (pl.Boolean(), [True, False], ["true", "false"]),
    (pl.String(), ["é", ""], ["é", ""]),
    (pl.Enum(["z", "a"]), ["a", "z"], ["a", "z"]),
    (pl.Date(), [date(2020, 1, 31)], ["2020-01-31"]),
    (pl.Datetime("us"), [datetime(2020, 1, 31, 10, 0, 0, 500_000)], ["2020-01-31T10:00:00.500"]),
    (pl.Time(), [time(10, 30)], ["10:30:00"]),
]


@pytest.mark.parametrize(("dtype", "values", "texts"), TEXTS)
def test_texts_and_back(dtype: Any, values: list[Any], texts: list[str]) -> None:
    series = pl.Series("a", values, dtype=dtype)
    assert texts_of(series).to_list() == texts
    attribute = Attribute("a", "categorical", storage=storage_name(dtype), categories=tuple(texts))
    assert category_values(attribute).to_list() == values


def test_moments_of_a_zone_are_named_in_utc() -> None:
    dtype = pl.Datetime("us", "Europe/Berlin")
    series = pl.Series("a", [datetime(2020, 7, 1, 10)]).dt.replace_time_zone("Europe/Berlin")
    assert texts_of(series).to_list() == ["2020-07-01T08:00:00"]
    attribute = Attribute(
        "a", "categorical", storage=storage_name(dtype), categories=("2020-07-01T08:00:00",)
    )
    assert category_values(attribute).equals(series)


@pytest.mark.parametrize("series", [pl.Series("a", [[1]]), pl.Series("a", [timedelta(1)])])
def test_values_without_a_text_are_refused(series: pl.Series) -> None:
    with pytest.raises(InputError, match=r"'a' holds .* neither numbers nor categories"):
        texts_of(series)
    assert "--identifier" in str(unusable("a", series.dtype))


def test_numbers_that_do_not_fit_their_type_are_refused() -> None:
    small = Attribute("x", "numeric", storage="Int8", low=-100, high=100, precision=0)
    assert column_of_numbers(np.array([-128.0, 127.0]), small).to_list() == [-128, 127]
    with pytest.raises(InputError, match="'x' do not fit its type Int8"):
        column_of_numbers(np.array([200.0]), small)


@given(
    st.lists(st.integers(-(2**51) + 1, 2**51 - 1), min_size=1, max_size=30),
    st.integers(0, 22),
    st.integers(0, 16),
)
def test_decimals_survive_in_a_type_with_more_places(steps: list[int], places: int, more: int) -> None:
    """A cast straight to a type with more places than the numbers have was off in the last digits."""
    scale = min(places + more, 22)
    numbers = [Decimal(step).scaleb(-places) for step in steps]
    column = pl.Series("x", numbers, dtype=pl.Decimal(38, scale))
    attribute = Attribute("x", "numeric", storage=f"Decimal[38, {scale}]", precision=places)
    assert column_of_numbers(numbers_of(column, places), attribute).equals(column)


def test_decimals_that_do_not_fit_are_refused() -> None:
    attribute = Attribute("x", "numeric", storage="Decimal[4, 2]", precision=2)
    with pytest.raises(InputError, match=r"do not fit its type Decimal\[4, 2\]"):
        column_of_numbers(np.array([123.45]), attribute)


def test_decimals_that_do_not_fit_their_type() -> None:
    rent = Attribute("rent", "numeric", storage="Decimal[4, 2]", low=0, high=1e9, precision=2)
    with pytest.raises(InputError, match=r"'rent' do not fit its type Decimal\[4, 2\]"):
        column_of_numbers(np.array([1.25, 123456.0]), rent)


@pytest.mark.parametrize("name", ["*", "^a.*$", "^$"])
def test_methods_of_a_column_work_under_its_literal_name(name: str) -> None:
    column = literal(pl.Series(name, ["1", "2"]))
    assert column.str.contains("1").to_list() == [True, False]
    assert column.to_frame().select(pl.col(column.name)).width == 1
    assert repr(name)[1:-1] in column.name


@pytest.mark.parametrize("name", ["", "a", "a*", "^a", "a$", "**"])
def test_other_names_stay(name: str) -> None:
    assert literal(pl.Series(name, [1])).name == name


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_names_that_cannot_be_written_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="Rename the column"):
        check_writable(["fine", name])
    with pytest.raises(InputError, match="Rename the column"):
        to_polars(pd.DataFrame([[1], [2]], columns=pd.Index([name], dtype=object)))


def test_a_name_with_a_nul_is_refused_in_a_polars_frame() -> None:
    with pytest.raises(InputError, match="Rename the column"):
        read_table(pl.DataFrame({"a\0b": [1, 2], "y": ["u", "v"]}), target="y")


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

"""Texts of a delimited file as the types that all of them have."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.csv.types import possible_ways, typed_column, with_types
from hushwood.tables.csv.ways import Way


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


def values(columns: dict[str, list[str]], **said: Any) -> dict[str, list[Any]]:
    frame, _ = with_types(pl.DataFrame(columns), missing=(), as_text=(), form=TextForm.of(said))
    return frame.to_dict(as_series=False)


def test_the_file_decides_what_a_column_leaves_open() -> None:
    open_columns = {"a": ["1,234", "999"], "b": ["1.234", "12.345"]}
    german = values({**open_columns, "c": ["27,6", "1,5"]})
    assert (german["a"], german["b"]) == ([1.234, 999.0], [1234, 12345])
    english = values({**open_columns, "c": ["27.6", "1.5"]})
    assert (english["a"], english["b"]) == ([1234, 999], [1.234, 12.345])


def test_the_decimal_sign_is_asked_for() -> None:
    with pytest.raises(
        InputError, match=r"'a' can stand before decimals .* \(1,234\).*--decimal , or --decimal \."
    ):
        values({"a": ["999", "1,234"]})
    with pytest.raises(InputError, match="can stand before"):
        values({"a": ["999", "1,234"], "b": ["1,5", "2,5"], "c": ["1.5", "2.5"]})
    assert values({"a": ["999", "1,234"]}, decimal=",")["a"] == [999.0, 1.234]
    assert values({"a": ["999", "1,234"]}, decimal=".")["a"] == [999, 1234]


def test_a_column_without_doubt_does_not_follow_the_file() -> None:
    found = values({"a": ["1,5", "2"], "b": ["1.5", "2"], "c": ["1,234,567", "1"]})
    assert found == {"a": [1.5, 2.0], "b": [1.5, 2.0], "c": [1234567, 1]}
    assert values({"a": ["1.5", "2"]}, decimal=",")["a"] == [1.5, 2.0]
    assert values({"a": ["1,5", "2"]}, decimal=".")["a"] == ["1,5", "2"]


@pytest.mark.parametrize("texts", [["1,5", "1.5"], ["1.234,5", "1,234.5"], ["2", "0.25", "3,75"]])
def test_mixed_decimals_are_refused(texts: list[str]) -> None:
    with pytest.raises(InputError, match="Column 'a' mixes decimal points and decimal commas"):
        values({"a": texts})


def test_what_only_looks_like_numbers_stays_text() -> None:
    columns = {"a": ["1.2.3", "1.2"], "b": ["1,2,3", "1,2"], "c": ["1,5 kg", "2"], "d": ["01067", "99999"]}
    assert values(columns) == columns


def test_the_order_of_a_date() -> None:
    assert values({"a": ["03/04/2020", "13/04/2020"]})["a"] == [date(2020, 4, 3), date(2020, 4, 13)]
    assert values({"a": ["03/04/2020", "04/13/2020"]})["a"] == [date(2020, 3, 4), date(2020, 4, 13)]
    open_order = {"a": ["03/04/2020", "05/06/2020"]}
    with pytest.raises(
        InputError, match=r"column 'a' .* two orders.*--date-format dd/mm/yyyy or --date-format mm/dd"
    ):
        values(open_order)
    with pytest.raises(InputError, match="two orders"):
        values({**open_order, "b": ["03/04/2020", "13/04/2020"]})
    assert values(open_order, date_format="mm/dd/yyyy")["a"][0] == date(2020, 3, 4)
    assert values(open_order, date_format=["a=dd/mm/yyyy"])["a"][0] == date(2020, 4, 3)
    assert values({"a": ["03/13/2020", "13/03/2020"]})["a"] == ["03/13/2020", "13/03/2020"]


def test_a_format_for_dates_with_a_time_needs_only_the_order() -> None:
    found = values({"a": ["03/04/2020 10:15", "05/06/2020 9:30"]}, date_format="dd/mm/yyyy")["a"]
    assert [moment.month for moment in found] == [4, 6]


def test_years_of_two_digits_are_asked_for() -> None:
    short = {"a": ["31.12.19", "01.01.20"]}
    with pytest.raises(InputError, match=r"years of two digits \(31.12.19\).*--date-format dd.mm.yy"):
        values(short)
    assert values(short, date_format="dd.mm.yy")["a"] == [date(2019, 12, 31), date(2020, 1, 1)]


def test_a_format_that_does_not_fit_its_column_is_refused() -> None:
    with pytest.raises(InputError, match="Column 'a' does not hold dates in the format"):
        values({"a": ["x", "y"]}, date_format=["a=dd.mm.yyyy"])
    assert values({"a": ["03 Apr 2020"]}, date_format="%d %b %Y")["a"] == [date(2020, 4, 3)]


def test_a_known_way_decides() -> None:
    known = {"a": Way("date", pattern="%m/%d/%Y"), "b": Way("decimal", ",")}
    columns = {"a": ["03/04/2020", "05/06/2020"], "b": ["1,234", "2"], "c": ["1", "2"]}
    said = {"ways": {name: way.to_json() for name, way in known.items()}}
    found = values(columns, **said)
    assert (found["a"][0], found["b"]) == (date(2020, 3, 4), [1.234, 2.0])
    assert values({"a": ["x", "y"], "b": ["1.5", "2"]}, **said) == {"a": ["x", "y"], "b": [1.5, 2.0]}


def test_some_columns_stay_text() -> None:
    frame = pl.DataFrame({"a": ["17"], "b": ["17"]})
    assert with_types(frame, missing=(), as_text={"a"})[0].row(0) == ("17", 17)


def test_only_ways_that_matter_are_named() -> None:
    texts = {
        "a": ["1", "2"],
        "b": ["1.0", "2.25"],
        "c": ["2020-01-01"] * 2,
        "d": ["true", "false"],
        "e": ["x", "y"],
    }
    special = {"f": ["1.50", "2.50"], "g": ["1", "2.5"], "h": ["TRUE", "FALSE"], "^i.*$": ["1,5", "2"]}
    _, ways = with_types(pl.DataFrame({**texts, **special}), missing=(), as_text=())
    assert ways == {
        "f": Way("decimal", places=2),
        "g": Way("decimal"),
        "h": Way("boolean", pattern="TRUE"),
        "^i.*$": Way("decimal", ","),
    }


def test_missing_texts_with_blanks_around_them_columns() -> None:
    frame = pl.DataFrame({"a": ["1,5", " NA", "2,5 "]})
    assert with_types(frame, missing=("NA",), as_text=())[0]["a"].to_list() == [1.5, None, 2.5]

"""Which way a column is written in, where several are possible."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.csv.columns import with_types
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.csv.ways import Way


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

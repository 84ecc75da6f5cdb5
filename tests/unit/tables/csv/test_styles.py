"""Columns written in the ways that they were read in."""

from __future__ import annotations

import io

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.csv.columns import with_types
from hushwood.tables.csv.styles import styled
from hushwood.tables.csv.ways import Way


def again(texts: list[str | None]) -> list[str | None]:
    """The texts as they are after reading and writing."""
    frame, ways = with_types(pl.DataFrame({"a": texts}), missing=(), as_text=())
    written = styled(frame, ways).write_csv(quote_style="never")
    read = pl.read_csv(io.StringIO(written), infer_schema=False, separator="\0", quote_char=None)
    return read["a"].to_list()


@pytest.mark.parametrize(
    "texts",
    [
        ["27.60", "1.00", None],
        ["5", "5.5"],
        ["5.0", "5.25"],
        ["1.234,50", "-2,10", "1.234.567,00"],
        ["-1,234.5", "2"],
        ["1 234", "-1 234 567", "0"],
        ["1'234.50", "0.05"],
        ["01.02.2020", "31.12.2021", None],
        ["1/31/2020", "12/1/2021"],
        ["2020/01/31", "2021/12/01"],
        ["31.12.2020 10:00:00", "01.01.2021 00:30:10"],
        ["12/31/2020 9:05:00 PM", "1/1/2020 12:30:00 AM"],
        ["2020-01-01 10:30:00", "2021-12-31 11:00:00"],
        ["2020-01-01T10:30:00.250", "2021-12-31T11:00:00.000"],
        ["2020-01-01T10:30:00Z", "2021-12-31T11:00:00Z"],
        ["2020-01-01T10:30:00-05:30", "2021-12-31T23:00:00-05:30"],
        ["TRUE", "FALSE", None],
        ["True", "False"],
        ["0,001", "12,500"],
    ],
)
def test_texts_come_back(texts: list[str | None]) -> None:
    assert again(texts) == texts


def test_a_number_that_needs_more_decimals_shows_them() -> None:
    frame = pl.DataFrame({"a": [1.5, 2.125, 1e40, None]})
    assert styled(frame, {"a": Way("decimal", places=2)})["a"].to_list() == ["1.50", "2.125", "1e+40", None]


def test_columns_of_another_type_are_left_alone() -> None:
    frame = pl.DataFrame({"a": ["20-30"], "b": ["2020"], "c": [3]})
    ways = {"a": Way("decimal", ","), "b": Way("date", pattern="%d.%m.%Y"), "c": Way("decimal", places=2)}
    assert styled(frame, ways).equals(frame)


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1), st.sampled_from(".,' "))
def test_thousands_are_grouped_as_python_does(numbers: list[int], sign: str) -> None:
    found = styled(pl.DataFrame({"a": numbers}), {"a": Way("whole", ".", sign)})["a"].to_list()
    assert found == [f"{number:,}".replace(",", sign) for number in numbers]

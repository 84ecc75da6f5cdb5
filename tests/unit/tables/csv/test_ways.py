"""The ways to write a column: which follow from others, and how a plan keeps them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.csv.ways import (
    Way,
    in_words,
    is_way,
    number_ways,
    offset_of,
    order_of,
    parsed_numbers,
    parsed_times,
    pattern_from,
    time_ways,
    way_from_json,
)

WHOLE, POINT, COMMA = Way("whole"), Way("decimal"), Way("decimal", ",")


@pytest.mark.parametrize(
    ("one", "other", "follows"),
    [
        (WHOLE, POINT, True),
        (WHOLE, COMMA, True),
        (WHOLE, Way("decimal", places=2), False),
        (WHOLE, Way("decimal", pointed=True), False),
        (POINT, WHOLE, False),
        (POINT, COMMA, False),
        (POINT, Way("decimal", ".", ","), True),
        (Way("decimal", places=2), Way("decimal", pointed=True), True),
        (Way("decimal", places=2), Way("decimal", places=3), False),
        (Way("decimal", ".", ","), POINT, False),
        (Way("whole", ",", "."), Way("decimal", ",", "."), True),
        (POINT, Way("mixed"), True),
        (Way("boolean", pattern="TRUE"), Way("boolean"), True),
        (Way("date", pattern="%d.%m.%Y"), Way("date", pattern="%-d.%-m.%Y"), True),
        (Way("date", pattern="%-d.%-m.%Y"), Way("date", pattern="%d.%m.%Y"), False),
        (Way("date", pattern="%d.%m.%Y"), Way("date", pattern="%m.%d.%Y"), False),
        (Way("date"), Way("date", pattern="%Y-%-m-%-d"), True),
        (Way("moment", pattern="%Y-%m-%d %H:%M"), Way("moment"), True),
        (Way("moment", pattern="%Y-%m-%d %H:%M", zone="Z"), Way("moment"), False),
        (Way("date"), Way("moment"), False),
    ],
)
def test_what_follows(one: Way, other: Way, follows: bool) -> None:
    assert one.implies(other) == follows


def test_every_way_comes_back_from_json() -> None:
    for way in [*number_ways("1.234,5"), Way("date", pattern="%d.%m.%Y"), Way("moment", zone="+02:00")]:
        assert way_from_json(way.to_json()) == way
        assert is_way(way.to_json())
    assert COMMA.to_json() == {"kind": "decimal", "decimal": ","}


@pytest.mark.parametrize(
    "content", [None, {}, {"kind": "x"}, {"kind": "date", "pattern": 1}, {"kind": "date", "a": ""}]
)
def test_what_is_no_way(content: object) -> None:
    assert not is_way(content)


def test_released_moments_have_seconds() -> None:
    assert Way("moment", pattern="%d.%m.%Y %H:%M").written.pattern == "%d.%m.%Y %H:%M:%S"
    assert Way("moment", pattern="%m/%d/%Y %I:%M %p").written.pattern == "%m/%d/%Y %I:%M:%S %p"
    assert COMMA.written == COMMA


def test_the_signs_of_the_first_number_decide_which_ways_are_tried() -> None:
    signs = {(way.decimal, way.thousands) for way in number_ways("-1'234.5")}
    assert signs == {(".", ""), (".", "'")}


DAYS = st.dates(date(1000, 1, 1), date(9999, 12, 31))


def parsed(text: str, way: Way) -> object:
    return parsed_times(pl.Series("a", [text]), way).item()


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("31.12.2020", ["%d.%m.%Y", "%-d.%-m.%Y", "%m.%d.%Y", "%-m.%-d.%Y"]),
        ("1.2.2020", ["%-d.%-m.%Y", "%-m.%-d.%Y"]),
        ("2020-12-31", ["", "%Y-%-m-%-d"]),
        ("2020/1/31", ["%Y/%-m/%-d"]),
        ("31.12.20 10:00", ["%d.%m.%y %H:%M"]),
        ("12/31/2020 9:05 pm", ["%m/%d/%Y %-I:%M %P"]),
        ("2020-12-31T10:00:00.250", ["%Y-%m-%dT%H:%M:%S%.3f", ""]),
        ("2020-12-31T10:00:00.25", [""]),
    ],
)
def test_patterns_of_a_text(text: str, patterns: list[str]) -> None:
    found = [way.pattern for way in time_ways(text)]
    assert set(patterns) <= set(found)
    assert found[0] == patterns[0] or len(patterns) == 1


@pytest.mark.parametrize("text", ["31.12-2020", "1.2.3", "123.1.2020", "x", "10:30", "1.2", "2020-12-31T25"])
def test_what_is_no_date(text: str) -> None:
    assert [
        way for way in time_ways(text) if parsed(text, way) is not None and "y" not in order_of(way.pattern)
    ] == []


@given(DAYS, st.sampled_from(["%d.%m.%Y", "%-d/%-m/%Y", "%m-%d-%Y", "%Y/%m/%d"]))
def test_every_day_comes_back(day: date, pattern: str) -> None:
    text = pl.Series([day]).dt.to_string(pattern).item()
    assert parsed(text, Way("date", pattern=pattern)) == day
    assert pattern in [way.pattern for way in time_ways(text)]


def test_digits_must_be_those_of_the_pattern() -> None:
    assert parsed("1.02.2020", Way("date", pattern="%d.%m.%Y")) is None
    assert parsed("01.02.20", Way("date", pattern="%d.%m.%Y")) is None
    assert parsed("31.02.2020", Way("date", pattern="%d.%m.%Y")) is None


def test_moments_with_an_offset_are_those_of_utc() -> None:
    way = Way("moment", pattern="%Y-%m-%dT%H:%M", zone="+02:00")
    assert parsed("2020-01-01T01:30+02:00", way) == datetime(2019, 12, 31, 23, 30, tzinfo=UTC)
    assert parsed("2020-01-01T01:30+01:00", way) is None
    assert [offset_of(zone) for zone in ("Z", "-0130")] == [timedelta(0), -timedelta(minutes=90)]


@pytest.mark.parametrize(
    ("given", "pattern"),
    [
        ("dd.mm.yyyy", "%d.%m.%Y"),
        ("d/m/yyyy", "%-d/%-m/%Y"),
        ("DD/MM/YY", "%d/%m/%y"),
        ("yyyy-mm-ddThh:mm:ss", "%Y-%m-%dT%H:%M:%S"),
        ("%d %b %Y", "%d %b %Y"),
    ],
)
def test_formats_as_people_write_them(given: str, pattern: str) -> None:
    assert pattern_from(given) == pattern
    assert "%b" in pattern or pattern_from(in_words(pattern)) == pattern


@pytest.mark.parametrize("given", ["", "dd.mm", "yyyy", "%d.%d.%Y", "x"])
def test_formats_without_a_day_month_or_year_are_refused(given: str) -> None:
    with pytest.raises(InputError, match="must name day, month and year"):
        pattern_from(given)


@pytest.mark.parametrize(
    ("way", "texts", "numbers"),
    [
        (Way("decimal", ","), ["1,5", "-2", ",5"], [1.5, -2.0, 0.5]),
        (Way("decimal", ",", "."), ["1.234.567,5", "999", "1234,5"], [1234567.5, 999.0, 1234.5]),
        (Way("decimal", ".", ","), ["1,234.5", "-0.5"], [1234.5, -0.5]),
        (Way("whole", ".", " "), ["1 234", "12"], [1234, 12]),
        (Way("decimal", ".", "'"), ["1'234.50"], [1234.5]),
        (Way("decimal", ",", "\u202f"), ["1\u202f234,5"], [1234.5]),
        (Way("decimal", places=2), ["27.60", "1.00"], [27.6, 1.0]),
    ],
)
def test_numbers(way: Way, texts: list[str], numbers: list[float]) -> None:
    found = parsed_numbers(pl.Series("a", texts), way)
    assert found.to_list() == numbers
    assert found.dtype == (pl.Int64 if way.kind == "whole" else pl.Float64)


@pytest.mark.parametrize(
    ("way", "texts"),
    [
        (Way("decimal", ","), ["1,5", "1.5"]),
        (Way("decimal", ","), ["1,2,3"]),
        (Way("decimal", ",", "."), ["1.23,5"]),
        (Way("decimal", ",", "."), ["12.3456"]),
        (Way("decimal", ".", ","), ["1,23"]),
        (Way("whole", ".", " "), ["1 23"]),
        (Way("decimal", places=2), ["27.6", "27.60"]),
        (Way("decimal", pointed=True), ["5", "5.5"]),
        (Way("decimal", ","), ["00,5", "1,5"]),
        (Way("mixed"), ["007", "1,5"]),
        (Way("mixed"), ["1.2.2020"]),
    ],
)
def test_numbers_in_another_way(way: Way, texts: list[str]) -> None:
    assert parsed_numbers(pl.Series("a", texts), way).null_count()

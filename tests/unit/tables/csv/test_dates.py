"""Dates and moments in any order: the patterns found in a text, and reading by a pattern."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.csv.dates import in_words, offset_of, order_of, parsed_times, pattern_from, time_ways
from hushwood.tables.csv.ways import Way

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

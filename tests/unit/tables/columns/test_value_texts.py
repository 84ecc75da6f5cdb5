"""Single numbers as dates, times and plain numbers."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.columns.value_texts import (
    are_years,
    can_be_year,
    is_temporal,
    limit_text,
    value_text,
    without_separators,
)

EPOCH = date(1970, 1, 1)


@given(st.dates(date(1000, 1, 1)), st.floats(0, 1, exclude_max=True))
def test_a_limit_names_the_last_day_up_to_it(day: date, part: float) -> None:
    """For whole days, `day <= limit` and `day <= the day named` are the same question."""
    limit = (day - EPOCH).days + part
    shown = date.fromisoformat(limit_text(limit, "Date"))

    for step in (-1, 0, 1):
        near = shown + timedelta(days=step) if date.min < shown < date.max else shown
        assert ((near - EPOCH).days <= limit) == (near <= shown)


@given(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)))
def test_moments_are_named_in_full(moment: datetime) -> None:
    moment = moment.replace(microsecond=moment.microsecond // 1000 * 1000, tzinfo=UTC)

    shown = limit_text(moment.timestamp(), "Datetime[us]")

    assert datetime.fromisoformat(shown).replace(tzinfo=UTC) == moment


@pytest.mark.parametrize(
    ("limit", "storage", "text"),
    [
        (0.0, "Datetime[ms]", "1970-01-01 00:00"),
        (-0.5, "Datetime[us, UTC]", "1969-12-31 23:59:59.5 UTC"),
        (61.0, "Time", "00:01:01"),
        (86399.5, "Time", "23:59:59.5"),
        (86400.0, "Time", "86400"),
        (-1.0, "Time", "-1"),
        (90.5, "Duration[ns]", "90.5 s"),
        (-0.5, "Date", "1969-12-31"),
        (1e300, "Date", "1e+300"),
        (1e300, "Datetime[us]", "1e+300"),
        (19723.0, "Int64", "19723"),
        (19723.0, "Dates", "19723"),
    ],
)
def test_limits_word_by_word(limit: float, storage: str, text: str) -> None:
    assert limit_text(limit, storage) == text


def test_values_have_separators_and_limits_have_none() -> None:
    assert (value_text(12345.5), limit_text(12345.5)) == ("12,345.5", "12345.5")


@pytest.mark.parametrize(
    "storage", ["Date", "Time", "Datetime[ns]", "Datetime[us, America/St_Johns]", "Duration[ms]"]
)
def test_storages_of_dates_and_times(storage: str) -> None:
    assert is_temporal(storage)


@pytest.mark.parametrize(
    "storage", ["Float64", "String", "Datetime", "Datetime[s]", "Date ", "Duration[us, UTC]", ""]
)
def test_other_storages(storage: str) -> None:
    assert not is_temporal(storage)


def test_years_are_known_by_name_and_range() -> None:
    assert are_years("Baujahr", 1500, 2200)
    assert not are_years("Baujahr", 1499, 2000)
    assert are_years("x", 1800, 2100)
    assert not are_years("x", 1799, 2000)
    assert not are_years("year", None, 2000)


def test_numbers_that_can_be_years() -> None:
    assert can_be_year(1998.5)
    assert not can_be_year(12)


def test_only_separators_of_thousands_go() -> None:
    assert without_separators("1,998 – 2,003, 12") == "1998 – 2003, 12"

from __future__ import annotations

import math

import pytest

from hushwood.tables.generalised.moments import read_moments
from hushwood.tables.schema import Attribute

DAY = Attribute("d", "numeric", storage="Date", precision=0)
MOMENT = Attribute("t", "numeric", storage="Datetime[us]", precision=3)
CLOCK = Attribute("c", "numeric", storage="Time", precision=0)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("1970-01-03", (2, 2)),
        (" 1970-01 ", (0, 30)),
        ("1971", (365, 729)),
        ("1970-01-03 to 1970-01-10", (2, 9)),
        ("1970 to 1971", (0, 729)),
        ("*", (-math.inf, math.inf)),
    ],
)
def test_days_months_and_years(text: str, ends: tuple[float, float]) -> None:
    assert read_moments(text, DAY) == ends


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("1970-01-01T00:00:01.250", (1.25, 1.25)),
        ("1970-01-01T00:00:01", (1.0, 1.999)),
        ("1970-01-01", (0.0, 86399.999)),
        ("1970-01-01T00:00:01.250 to 1970-01-01T00:00:02.5", (1.25, 2.5)),
    ],
)
def test_moments_on_the_grid_of_the_column(text: str, ends: tuple[float, float]) -> None:
    assert read_moments(text, MOMENT) == ends


def test_clock_times() -> None:
    assert read_moments("00:01:00 to 00:02:00", CLOCK) == (60.0, 120.0)


@pytest.mark.parametrize("text", ["soon", "", "1970-13", "1971 to 1970", "20-30", "NaT", "1970 to"])
def test_what_is_no_time(text: str) -> None:
    assert read_moments(text, DAY) is None

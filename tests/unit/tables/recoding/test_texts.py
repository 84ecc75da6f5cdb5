"""Released texts: sets of categories written, intervals read."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.recoding.cells import CategoryReader, numeric_cells
from hushwood.tables.recoding.texts import (
    LONGEST,
    as_ranges,
    braced,
    can_be_ranges,
    range_codes,
    read_interval,
    read_moments,
    set_label,
    stands_for_anything,
)
from hushwood.tables.schema import Attribute

LONG = [f"value {i:02d}" for i in range(14)]

ENDLESS = math.inf


ends = st.tuples(
    st.floats(-1e9, 1e9, allow_nan=False).map(lambda x: round(x, 3)),
    st.floats(0, 1e9, allow_nan=False).map(lambda x: round(x, 3)),
).map(lambda pair: (pair[0], round(pair[0] + pair[1], 3)))
FORMS = ["{}-{}", "{} - {}", "{}..{}", "{} to {}", "[{}, {})", "({},{}]", "[{}; {}[", "]{},{}]", "{{{}, {}}}"]


@pytest.mark.parametrize(
    ("values", "all_of", "label"),
    [
        (["a"], 1, "a"),
        (["a"], 5, "a"),
        ([""], 5, ""),
        (["a", "b"], 5, "{a, b}"),
        (["a", "b"], 2, "ALL"),
        (["b", "a", "missing"], 4, "{b, a, missing}"),
        (["a,b", "c"], 5, "{a,b; c}"),
        (["a,b", "c;d"], 5, "{a,b | c;d}"),
        (["a,b", "c;d", "e|f"], 5, "{a,b, c;d, e|f}"),
        (LONG, 14, "ALL"),
        (
            LONG,
            15,
            "{value 00, value 01, value 02, value 03, value 04, value 05 and 8 more}",
        ),
        (["x" * 50, "y" * 50, "z"], 9, "{" + "x" * 50 + " and 2 more}"),
        (["x" * 100, "y"], 9, "{" + "x" * 100 + " and 1 more}"),
    ],
)
def test_labels(values: list[str], all_of: int, label: str) -> None:
    assert set_label(values, all_of) == label


def test_eighty_characters_are_not_too_many() -> None:
    exact = ["a" * 38, "b" * 38]
    assert len(braced(exact)) == LONGEST
    assert set_label(exact, 9) == braced(exact)
    assert set_label([exact[0], exact[1] + "b"], 9).endswith(" and 1 more}")


@given(
    st.lists(st.text("ab,;", min_size=1, max_size=4), min_size=2, max_size=6, unique=True), st.integers(1, 3)
)
def test_an_audit_reads_the_label_as_the_same_values(names: list[str], extra: int) -> None:
    others = [f"other {i}" for i in range(extra)]
    values = [name for name in names if name.strip() == name]
    if "," in "".join(values) and ";" in "".join(values):
        values = [value.replace(";", "s") for value in values]
    values = list(dict.fromkeys(values))
    if len(values) < 2:
        return
    reader = CategoryReader.of([*values, *others], None)
    assert list(reader.read(set_label(values, len(values) + extra))) == list(range(len(values)))
    assert len(reader.read(set_label(values, len(values)))) == len(values) + extra


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("23", (23, 23)),
        ("23.5", (23.5, 23.5)),
        ("-5", (-5, -5)),
        ("1,000", (1000, 1000)),
        ("20-30", (20, 30)),
        (" 20 - 30 ", (20, 30)),
        ("20–30", (20, 30)),
        ("-5--1", (-5, -1)),
        ("−5 – −1", (-5, -1)),
        ("-5-3", (-5, 3)),
        ("5e-3-7", (0.005, 7)),
        ("20..30", (20, 30)),
        ("1.5..2.5", (1.5, 2.5)),
        ("20 to 30", (20, 30)),
        ("1,000-2,000", (1000, 2000)),
        ("[20, 30)", (20, 30)),
        ("(20,30]", (20, 30)),
        ("[20, 30[", (20, 30)),
        ("]20;30]", (20, 30)),
        ("[20-30]", (20, 30)),
        ("(1e+03,2e+03]", (1000, 2000)),
        ("[1,000, 2,000)", (1000, 2000)),
        ("[1,000,2,000)", (1000, 2000)),
        ("(-inf, 20.0]", (-ENDLESS, 20)),
        ("[-∞; 20[", (-ENDLESS, 20)),
        ("<20", (-ENDLESS, 20)),
        ("<=20", (-ENDLESS, 20)),
        ("≤ -20", (-ENDLESS, -20)),
        (">= 50", (50, ENDLESS)),
        ("≥50", (50, ENDLESS)),
        ("> 50", (50, ENDLESS)),
        ("50+", (50, ENDLESS)),
        ("{25, 20, 30}", (20, 30)),
        ("130**", (13000, 13099)),
        ("2*", (20, 29)),
        ("*", (-ENDLESS, ENDLESS)),
        ("*****", (-ENDLESS, ENDLESS)),
        ("ANY", (-ENDLESS, ENDLESS)),
        ("All", (-ENDLESS, ENDLESS)),
        ("suppressed", (-ENDLESS, ENDLESS)),
    ],
)
def test_ranges_are_read_as_people_write_them(text: str, expected: tuple[float, float]) -> None:
    assert read_interval(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "young", "a-b", "20,30", "1,5", "30-20", "2020-01", "[5]", "(5", "--5", "[1,2,3]", "20 years", "{}", "{a, 1}",
     "∞", "nan", "1_000", "20 to", "<", "+", "a**", "{1; x}"],
)  # fmt: skip
def test_other_texts_are_no_intervals(text: str) -> None:
    assert read_interval(text) is None


def test_only_words_and_stars_withhold_a_value() -> None:
    assert [stands_for_anything(text) for text in ("*", "**", "any", "ALL", "", "a*", "anyone", "1*")] == [
        True, True, True, True, False, False, False, False,
    ]  # fmt: skip


@given(ends, st.sampled_from(FORMS))
def test_written_intervals_come_back(pair: tuple[float, float], form: str) -> None:
    assert read_interval(form.format(*pair)) == pair


@given(st.integers(-(10**12), 10**12), st.integers(0, 10**12), st.sampled_from(["{:,}-{:,}", "[{:,}, {:,}]"]))
def test_thousands_may_be_parted(low: int, width: int, form: str) -> None:
    assert read_interval(form.format(low, low + width)) == (low, low + width)


@given(st.integers(-999, 999), st.integers(0, 999))
def test_a_comma_without_room_for_thousands_parts_two_numbers(low: int, width: int) -> None:
    assert read_interval(f"[{low},{low + width}]") == (low, low + width)


@given(st.text(max_size=12))
def test_whatever_is_read_is_an_interval(text: str) -> None:
    found = read_interval(text)
    assert found is None or found[0] <= found[1]


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


AGE = Attribute("age", "numeric", "quasi-identifier", "Int64", 0, 99, 0)
REAL = Attribute("x", "numeric", storage="Float64")


def labels(low: list[float], high: list[float], attribute: Attribute) -> list[str | None]:
    codes, known = range_codes(np.array(low), np.array(high), attribute)
    return [known[code] if code >= 0 else None for code in codes]


def test_labels_by_hand() -> None:
    nan = float("nan")
    assert labels([20, 7, nan, -5, -3], [30, 7, nan, -1, 4], AGE) == [
        "20-30",
        "7",
        None,
        "-5 to -1",
        "-3 to 4",
    ]
    assert labels([0.25, 1e-7, 1e16], [0.5, 2e-7, 2e16], REAL) == ["0.25-0.5", "1e-07-2e-07", "1e+16-2e+16"]
    day = Attribute("d", "numeric", storage="Date", precision=0)
    assert labels([0, 31], [30, 31], day) == ["1970-01-01 to 1970-01-31", "1970-02-01"]


def test_the_attribute_of_a_column_of_ranges() -> None:
    text = as_ranges(AGE, ("1-2",))
    assert (text.kind, text.role, text.storage) == ("categorical", "quasi-identifier", "String")
    assert (text.categories, text.low, text.high, text.precision) == (("1-2",), None, None, None)
    assert can_be_ranges(AGE)
    assert not can_be_ranges(Attribute("w", "numeric", storage="Duration[us]"))
    assert not can_be_ranges(text)


ENDS = st.floats(-1e12, 1e12, allow_subnormal=False).map(lambda x: x + 0.0)


@given(st.lists(st.tuples(ENDS, ENDS).map(sorted), min_size=1, max_size=8))
def test_every_label_is_read_back_exactly(ends: list[list[float]]) -> None:
    low, high = np.array(ends).T
    codes, known = range_codes(low, high, REAL)
    cells = numeric_cells(pl.Series([known[code] for code in codes]), float(low.min()), float(high.max()))
    assert cells.strange is None
    assert (cells.low.tolist(), cells.high.tolist()) == (low.tolist(), high.tolist())


@pytest.mark.parametrize("storage", ["Datetime[ms]", "Datetime[us, Europe/Paris]", "Datetime[ns]", "Time"])
def test_times_are_read_back_exactly(storage: str) -> None:
    attribute = Attribute("t", "numeric", storage=storage, low=0, high=86_000, precision=3)
    low, high = np.array([0.125, 7.003, 60.0]), np.array([0.125, 85_999.999, 61.5])
    codes, known = range_codes(low, high, attribute)
    cells = numeric_cells(pl.Series([known[code] for code in codes]), 0, 86_000, moments=attribute)
    assert (cells.low.tolist(), cells.high.tolist()) == (low.tolist(), high.tolist())

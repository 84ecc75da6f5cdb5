"""What rules of coarsening mean for a table, and the limits that hide single records."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.recoding.meaning import FEWEST, limit_of, recodings
from hushwood.tables.recoding.recodings import CategoryGroups, Moments
from hushwood.tables.recoding.rules import parsed_rules
from hushwood.tables.schema import Attribute, Schema
from support.mixed_tables import category, number, target

DAY = Attribute("visit", "numeric", storage="Date", low=0, high=9_000, precision=0)
MOMENT = Attribute("at", "numeric", storage="Datetime[us]", low=0, high=1e9, precision=3)
SCHEMA = Schema(
    (
        number("age", 0, 99),
        number("x", 0, 1, None),
        DAY,
        MOMENT,
        category("zip", ("13053", "1306", "9")),
        target("ill", ("no", "yes")),
    )
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("aeg: 5", "There is no column to coarsen 'aeg'. Did you mean 'age'?"),
        ("ill: 1", "There is no column to coarsen 'ill'."),
        (
            "age: 2.5",
            "multiples of a positive number that is a multiple of the column's step 1; '2.5' was given",
        ),
        ("age: 0", "multiples of a positive number"),
        ("age: 1e-300", "a multiple of the column's step 1; '1e-300' was given"),
        ("x: wide", "multiples of a positive number from 1.1e-16 to 1e+70; 'wide' was given"),
        ("x: 1e-300", "from 1.1e-16 to 1e+70; '1e-300' was given"),
        ("x: 1e80", "from 1.1e-16 to 1e+70; '1e80' was given"),
        ("age: year", "Column 'age' holds numbers: round them, or give a top or bottom code"),
        ("age: top", "Give the top code of 'age' a value"),
        ("age: top old", "Column 'age' holds numbers; 'old' in a rule is not one"),
        ("age: top 10, bottom 20", "The bottom code of 'age', 20, must be below its top code, 10"),
        ("visit: day", "Column 'visit' holds Date values: coarsen them to year, quarter or month, such as"),
        ("at: year, month", "coarsen them to year, quarter, month or day"),
        ("zip: top 5", "Column 'zip' holds texts: say how many of their first characters stay"),
        ("zip: -1", "Column 'zip' holds texts"),
    ],
)
def test_what_does_not_fit_the_column_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        recodings(parsed_rules([text]), SCHEMA)
    assert said in str(refused.value)


def test_dates_and_times() -> None:
    days = np.array([0, 31, 364, 365, np.nan])
    year = Moments(DAY, "year")
    assert year.recode(days).tolist()[:4] == [0, 0, 0, 365]
    assert year.ends(days)[1].tolist()[:4] == [364, 364, 364, 729]
    assert np.isnan(year.recode(days)[4])
    assert Moments(DAY, "month").ends(days)[1].tolist()[:3] == [30, 58, 364]
    low, high = Moments(MOMENT, "day").ends(np.array([86_400.25]))
    assert (low.tolist(), high.tolist()) == ([86_400.0], [172_799.999])


def test_texts_keep_their_start() -> None:
    found = CategoryGroups.of_starts(SCHEMA["zip"], 3)
    assert [found.categories[code] for code in found.code_of[:3]] == ["130*", "130*", "9"]
    assert found.recode(np.array([-1, 2])).tolist() == [-1, 2]
    assert found.key == {}
    codes = CategoryGroups.of_starts(category("zip", ("13053", "13068", "14850")), 3)
    assert [codes.categories[code] for code in codes.code_of[:3]] == ["130**", "130**", "148**"]


def test_a_text_that_ends_where_others_are_cut_is_told_apart() -> None:
    """A reader takes "148*" for every text that starts so; only the key says that 148 itself is not meant."""
    found = CategoryGroups.of_starts(category("place", ("14850", "148")), 3)
    assert [found.categories[code] for code in found.code_of[:2]] == ["148*", "148"]
    assert found.key == {"148*": ("14850",)}


def test_codes_have_groups_of_their_own() -> None:
    more = tuple(f"K{n}.1" for n in range(20, 40))
    icd = category("icd", ("I10.9", "I21.0", "E11.9", "unknown", *more))
    found = CategoryGroups.of_codes(icd, "chapter")
    wanted = ["I00-I99", "I00-I99", "E00-E90", "other", "K00-K95"]
    assert [label.split()[0] for label in found.labels()][:5] == wanted
    with pytest.raises(InputError, match="Column 'job' does not hold codes that have a chapter"):
        CategoryGroups.of_codes(category("job", ("nurse", "clerk")), "chapter")
    with pytest.raises(InputError, match="There is no level of ICD-10 codes 'area'"):
        CategoryGroups.of_codes(icd, "area")


def test_postcodes_get_their_zeros_back() -> None:
    found = CategoryGroups.of_starts(category("zip", ("1067", "10115", "80331")), 2)
    assert found.labels() == ["01***", "10***", "80***"]


AGE = number("age", 0, 120)
PAY = number("pay", 0, 1e7, 2)
DAY_LIMITS = Attribute("visit", "numeric", storage="Date", low=0, high=20_000, precision=0)


def test_a_limit_is_a_number_or_a_date() -> None:
    assert limit_of("top", "90", AGE, None, None) == 90
    assert limit_of("top", "1970-02-01", DAY_LIMITS, None, None) == 31


def test_a_percentile_that_many_share_is_released_exactly() -> None:
    ages = np.repeat(np.arange(20.0, 70), 10)
    assert limit_of("top", "90%", AGE, ages, None) == 64
    assert limit_of("bottom", "10 %", AGE, ages, None) == 24


def test_a_percentile_that_one_record_has_is_rounded_to_two_digits_towards_the_middle() -> None:
    pay = np.arange(1.0, 1001.0) * np.float64(123.45)  # the 99th percentile is 990 · 123.45 = 122,215.50
    assert limit_of("top", "99%", PAY, pay, None) == 120_000
    assert limit_of("bottom", "1%", PAY, pay, None) == 1_300  # 1,234.50
    assert limit_of("top", "99%", PAY, pay, 5_000) == 120_000


def test_a_percentile_of_dates_is_the_start_of_a_month() -> None:
    days = np.arange(0.0, 4_000)
    limit = limit_of("top", "99%", DAY_LIMITS, days, None)
    assert np.datetime64(int(limit), "D") == np.datetime64("1980-11-01")


def test_so_few_records_have_no_percentile() -> None:
    with pytest.raises(InputError, match=r"has no top code near that percentile.* give it as a number"):
        limit_of("top", "99%", PAY, np.array([1.0, 2.0, np.nan]), None)
    with pytest.raises(InputError, match="above 0 % and below 100 %"):
        limit_of("top", "100%", PAY, np.arange(100.0), None)
    with pytest.raises(InputError, match="Column 'age' holds numbers; 'old' in a rule is not one"):
        limit_of("top", "old", AGE, None, None)


@given(st.lists(st.integers(1, 10**6), min_size=8, max_size=60), st.sampled_from(["90%", "99%", "50%"]))
def test_nobody_is_shown_alone(pays: list[int], share: str) -> None:
    values = np.array(pays, float)
    try:
        limit = limit_of("top", share, PAY, values, None)
    except InputError:
        return
    assert (values >= limit).sum() >= FEWEST
    exact = (values == limit).sum() >= FEWEST
    assert exact or len(f"{limit:.0f}".rstrip("0")) <= 2

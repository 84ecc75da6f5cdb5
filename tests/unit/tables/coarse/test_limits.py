from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.coarse.limits import FEWEST, limit_of
from hushwood.tables.schema import Attribute
from support.mixed_tables import number

AGE = number("age", 0, 120)
PAY = number("pay", 0, 1e7, 2)
DAY = Attribute("visit", "numeric", storage="Date", low=0, high=20_000, precision=0)


def test_a_limit_is_a_number_or_a_date() -> None:
    assert limit_of("top", "90", AGE, None, None) == 90
    assert limit_of("top", "1970-02-01", DAY, None, None) == 31


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
    limit = limit_of("top", "99%", DAY, days, None)
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

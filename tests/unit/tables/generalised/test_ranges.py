from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.generalised.columns import numeric_cells
from hushwood.tables.generalised.ranges import as_ranges, can_be_ranges, range_codes
from hushwood.tables.schema import Attribute

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

"""Known values and units of numeric columns."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.columns.numeric_columns import (
    common_unit,
    finite_or_none,
    is_constant,
    known,
    numeric_names,
)
from support.mixed_tables import mixed_table


@given(st.lists(st.floats(allow_nan=True, allow_infinity=False), min_size=1, max_size=5))
def test_a_unit_makes_squares_and_sums_safe_and_loses_nothing(values: list[float]) -> None:
    column = np.array(values)

    unit = common_unit(column)

    assert math.frexp(unit)[0] == 0.5
    scaled = known(column) / unit
    assert (np.abs(scaled) <= 2.0**24).all()
    large = np.abs(scaled) > 1e-290
    assert np.array_equal(scaled[large] * unit, known(column)[large])


def test_no_values_and_zeros_have_the_unit_one() -> None:
    assert common_unit(np.array([np.nan])) == common_unit(np.zeros(3)) == 1.0


def test_only_the_numeric_columns_in_table_order() -> None:
    assert numeric_names(mixed_table(1, 3)) == ["count", "price", "ratio", "constant", "void"]


def test_constants_and_endless_numbers() -> None:
    assert is_constant(np.array([0.1] * 3))
    assert is_constant(np.array([]))
    assert not is_constant(np.array([0.1, 0.2]))
    assert (finite_or_none(math.inf), finite_or_none(2)) == (None, 2.0)

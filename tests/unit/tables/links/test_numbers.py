"""Numbers computed again, by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.links.numbers import AllowedValues, folded, nearest, placed_after, summed
from hushwood.tables.schema import Attribute

END = Attribute("end", "numeric", low=0.0, high=20.0, precision=0)
NAN = np.nan


def test_a_number_lies_at_its_distance_after_the_largest_before_it() -> None:
    bases = [np.array([3.0, 3.0, NAN, NAN]), np.array([5.0, NAN, 5.0, NAN])]
    assert placed_after(bases, np.array([2.0, 2.0, 2.0, NAN]), None, END, AllowedValues())[:3].tolist() == [
        7,
        5,
        7,
    ]


def test_without_a_distance_it_is_missing_and_without_a_base_its_own() -> None:
    own = np.array([9.0, 9.0, NAN])
    found = placed_after([np.array([3.0, NAN, NAN])], np.array([NAN, NAN, NAN]), own, END, AllowedValues())
    np.testing.assert_array_equal(found, [NAN, 9.0, NAN])


def test_it_is_folded_into_what_the_rules_allow_and_never_before_its_base() -> None:
    room = AllowedValues({"end": (np.array([0.0, 6.0, 0.0]), np.array([8.0, 8.0, 4.0]))})
    found = placed_after([np.array([3.0, 3.0, 5.0])], np.array([7.0, 1.0, 1.0]), None, END, room)
    # 10 is 2 above 8, and 4 is 2 below 6; where the range ends before the base, the base wins.
    assert found.tolist() == [6.0, 8.0, 5.0]


def test_a_coarser_grid_is_met_from_above() -> None:
    assert placed_after([np.array([2.4])], np.array([0.0]), None, END, AllowedValues()).tolist() == [3.0]


@given(st.floats(-1e6, 1e6), st.floats(-1e3, 1e3), st.floats(0, 1e3))
def test_folded_values_lie_inside(value: float, low: float, width: float) -> None:
    found = folded(np.array([value]), np.array([low]), np.array([low + width]))[0]
    assert low - 1e-6 <= found <= low + width + 1e-6


def test_sums_and_what_remains_of_them() -> None:
    total = Attribute("total", "numeric", precision=1)
    parts = [np.array([1.1, 2.2, NAN]), np.array([0.1, NAN, 1.0])]
    np.testing.assert_allclose(summed(parts, None, total)[:1], [1.2])
    np.testing.assert_allclose(summed(parts, None, total, remains=True)[:1], [1.0])
    own = np.array([NAN, 7.0, NAN])
    np.testing.assert_array_equal(summed(parts, own, total), [NAN, 7.0, NAN])


def test_the_nearest_known_number_decides() -> None:
    known, values = np.array([1.0, 5.0, 6.0]), np.array([10, 50, 60, -1])
    asked = np.array([-3.0, 3.0, 3.1, 5.4, 99.0, NAN])
    assert nearest(asked, known, values).tolist() == [10, 10, 50, 50, 60, -1]
    assert nearest(asked, np.zeros(0), np.array([-1])).tolist() == [-1] * 6

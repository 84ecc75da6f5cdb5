from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.techniques.laws.ordered_noise import category_means, ordered_matrix
from oracles import ordered_noise as oracle

order = st.lists(st.one_of(st.none(), st.integers(-4, 4).map(float)), min_size=4, max_size=4)


@given(st.lists(order, min_size=1, max_size=3), st.floats(0.01, 5.0), st.sampled_from(["rank", "value"]))
def test_the_matrix_equals_the_oracle(orders: list[list[float | None]], noise: float, spacing: str) -> None:
    numbers = np.array([[np.nan if x is None else x for x in one] for one in orders])
    found = ordered_matrix(numbers, noise, spacing)  # type: ignore[arg-type]
    assert found == pytest.approx(np.array(oracle.matrix(orders, noise, spacing)), abs=1e-12)
    assert found.sum(axis=1) == pytest.approx(np.ones(4))


def test_the_far_tail_keeps_its_digits() -> None:
    found = ordered_matrix(np.array([[0.0, 1.0, 2.0, 3.0]]), 0.05)
    assert found[0, 3] == pytest.approx(found[3, 0], rel=1e-12)
    assert 0 < found[0, 3] < 1e-30


def test_values_near_each_other_change_places_and_far_ones_do_not() -> None:
    found = ordered_matrix(np.array([[0.0, 1.0, 100.0]]), 0.05, "value")
    assert found[0, 1] > 0.4
    assert found[1, 2] < 1e-9


def test_means_of_categories_leave_gaps_out() -> None:
    codes, numbers = np.array([0, 0, 1, 2, -1]), np.array([1.0, np.nan, 4.0, np.nan, 9.0])
    assert np.array_equal(category_means(codes, 4, numbers), [1.0, 4.0, np.nan, np.nan], equal_nan=True)

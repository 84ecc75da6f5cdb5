"""Neighbours by a least number of equal attributes against Jaccard similarities of sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.value_clusters.rock import least_equal, neighbours
from oracles import record_clusters as oracle
from support.record_rows import Row, numbers, row_lists, shares


@given(row_lists(), shares())
def test_neighbours_equal_the_oracle(rows: list[Row], theta: float) -> None:
    near = neighbours(numbers(rows), theta)
    assert near.tolist() == [[oracle.are_neighbours(p, q, theta) for q in rows] for p in rows]


@given(st.integers(1, 60), st.data())
def test_a_similarity_itself_is_enough(attributes: int, data: st.DataObject) -> None:
    """Theta of exactly s1 / (2s - s1) takes s1 equal attributes, whatever the rounding."""
    equal = data.draw(st.integers(0, attributes))
    assert least_equal(equal / (2 * attributes - equal), attributes) == equal


@pytest.mark.parametrize(("theta", "equal"), [(0, 0), (1 / 3, 2), (0.34, 3), (1, 4)])
def test_by_hand(theta: float, equal: int) -> None:
    """Four attributes: 1/7, 2/6, 3/5, 4/4."""
    assert least_equal(theta, 4) == equal

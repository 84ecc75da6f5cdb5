"""Quantile functions of cells and their inverses against plain interpolation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.techniques.kernels.numbers import positions_of, values_at
from oracles import correlations as oracle

knots = st.lists(st.integers(-4, 4), min_size=1, max_size=12).map(lambda v: sorted(float(x) for x in v))


@given(knots, knots, st.lists(st.floats(0, 1), min_size=1, max_size=8))
@settings(max_examples=80)
def test_values_at_positions_equal_the_oracle(
    one: list[float], other: list[float], places: list[float]
) -> None:
    offset = np.array([0, len(one), len(one) + len(other)])
    cell = np.repeat([0, 1], len(places))
    found = values_at(np.array(places * 2), cell, np.array(one + other), offset)
    wanted = [oracle.quantile(v, p) for v in (one, other) for p in places]
    assert found == pytest.approx(np.array(wanted))
    assert (found >= np.repeat([one[0], other[0]], len(places))).all()
    assert (found <= np.repeat([one[-1], other[-1]], len(places))).all()


@given(knots, st.lists(st.floats(0.001, 0.999), min_size=1, max_size=8))
@settings(max_examples=80)
def test_a_position_lies_between_those_of_its_value(mine: list[float], places: list[float]) -> None:
    """Where no mass sits on the value the two are equal, and the position comes back."""
    offset, cell = np.array([0, len(mine)]), np.zeros(len(places), np.int64)
    values = values_at(np.array(places), cell, np.array(mine), offset)
    below, upto = positions_of(values, cell, np.array(mine), offset)
    assert (below <= np.array(places) + 1e-9).all()
    assert (upto >= np.array(places) - 1e-9).all()
    for value, low, high in zip(values.tolist(), below.tolist(), upto.tolist(), strict=True):
        if mine.count(value) < 2 and len(mine) > 1:
            assert low == pytest.approx(high)
        else:
            assert high > low


def test_positions_outside_and_on_heavy_values() -> None:
    mine = np.array([0.0, 1.0, 1.0, 1.0, 3.0])
    values = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 9.0])
    below, upto = positions_of(values, np.zeros(7, np.int64), mine, np.array([0, 5]))
    assert below.tolist() == [0, 0, 0.125, 0.25, 0.875, 1, 1]
    assert upto.tolist() == [0, 0, 0.125, 0.75, 0.875, 1, 1]

"""Moments, roots and products of cells against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Floats
from hushwood.techniques.kernels.numbers import cell_moments, cell_products, column_spreads, triangular_roots
from oracles import correlations as oracle


@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(-1e6, 1e6), st.integers(-9, 9)), min_size=1, max_size=30)
)
@settings(max_examples=60)
def test_moments_equal_the_oracle(rows: list[tuple[int, float, int]]) -> None:
    values = np.array([[x, float(y), x - 2 * y] for _, x, y in rows])
    mean, covariance = cell_moments(values, np.array([c for c, _, _ in rows]), 4)
    for c in range(4):
        here = [row.tolist() for row, (cell, _, _) in zip(values, rows, strict=True) if cell == c]
        if not here:
            assert not mean[c].any()
            assert not covariance[c].any()
            continue
        assert mean[c] == pytest.approx([oracle.mean(oracle.column(here, j)) for j in range(3)], abs=1e-8)
        assert np.allclose(covariance[c], oracle.covariances(here), rtol=1e-12, atol=1e-8)


@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, -1e300, 7.0, 3e-300])
@pytest.mark.parametrize("count", [1, 3, 10, 1001])
def test_equal_numbers_have_exactly_their_mean_and_no_variance(value: float, count: int) -> None:
    values = np.stack([np.full(count, value), np.arange(float(count))], axis=1)
    mean, covariance = cell_moments(values, np.zeros(count, np.int64), 1)
    assert mean[0, 0] == value
    assert not covariance[0, 0].any()
    assert covariance[0, 1, 1] == pytest.approx(count * (count + 1) / 12 if count > 1 else 0.0)


def test_a_large_offset_costs_no_digits() -> None:
    small = np.random.default_rng(1).integers(-50, 50, (200, 2)) / 64
    cell = np.arange(200) % 3
    mean, covariance = cell_moments(small, cell, 3)
    moved_mean, moved = cell_moments(small + 2.0**30, cell, 3)
    assert np.allclose(moved, covariance, rtol=1e-12)
    assert moved_mean - 2.0**30 == pytest.approx(mean, abs=1e-6)


def semidefinite(seed: int, width: int, rank: int) -> Floats:
    factor = np.random.default_rng(seed).normal(size=(width, rank))
    return factor @ factor.T


@pytest.mark.parametrize("width", [1, 2, 5, 12])
def test_roots_give_the_covariance_back(width: int) -> None:
    stack = np.stack([semidefinite(s, width, rank) for s in range(4) for rank in range(width + 1)])
    root = triangular_roots(stack)
    assert not np.triu(root, 1).any()
    back = root @ root.transpose(0, 2, 1)
    assert np.abs(back - stack).max() <= 1e-7 * max(np.abs(stack).max(), 1)
    assert (np.diagonal(root, axis1=1, axis2=2) >= 0).all()


def test_a_column_that_others_make_up_gets_no_pivot() -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 50))
    covariance = np.cov([x, np.zeros(50), y, 3 * x - y, x])[None]
    root = triangular_roots(covariance)[0]
    assert (np.diagonal(root) > 0).tolist() == [True, False, True, False, False]
    assert np.allclose(root @ root.T, covariance[0], atol=1e-9)
    assert not triangular_roots(np.zeros((1, 3, 3))).any()


def test_products_are_those_of_every_rows_own_matrix() -> None:
    chance = np.random.default_rng(4)
    matrices, cell = chance.normal(size=(3, 2, 4)), chance.integers(0, 3, 20)
    values = chance.normal(size=(20, 4))
    found = cell_products(values, matrices, cell)
    for i in range(20):
        assert found[i] == pytest.approx(matrices[cell[i]] @ values[i])
    assert (
        cell_products(np.empty((5, 0)), np.empty((1, 3, 0)), np.zeros(5, np.int64)).tolist()
        == [[0.0] * 3] * 5
    )


def test_spreads_of_the_values_that_are_there() -> None:
    nan = np.nan
    values = np.array(
        [[nan, 0.1, 1.0, nan], [3.0, 0.1, 1e9 + 1, nan], [5.0, 0.1, 1e9, nan], [nan, 0.1, nan, 7.0]]
    )
    found = column_spreads(values)
    assert found[0] == 1.0
    assert found[1] == 1.0, "equal values have no spread, to the last bit"
    assert found[2] == pytest.approx(np.std(values[:3, 2]))
    assert found[3] == 1.0
    assert column_spreads(np.full((2, 1), nan)).tolist() == [1.0]

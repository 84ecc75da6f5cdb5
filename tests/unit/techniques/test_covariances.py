from __future__ import annotations

import numpy as np
import pytest

from hushwood.techniques.covariances import inverses, products, spreads, without_rounding


def test_spreads_and_their_products() -> None:
    stack = np.array([[[4.0, 1.0], [1.0, 9.0]], [[0.0, 0.0], [0.0, 1.0]], [[-1e-20, 0.0], [0.0, 1.0]]])
    assert spreads(stack).tolist() == [[2, 3], [0, 1], [0, 1]]
    assert products(spreads(stack)).tolist() == [[[4, 6], [6, 9]], [[1, 1], [1, 1]], [[1, 1], [1, 1]]]


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_inverses_whatever_the_units(scale: float) -> None:
    a = np.random.default_rng(1).normal(size=(20, 3)) * [1.0, scale, 1.0]
    covariance = np.cov(a.T)[None]
    units = products(spreads(covariance))
    assert np.allclose(inverses(covariance) * units, np.linalg.inv(np.corrcoef(a.T)), rtol=1e-9)


def test_inverses_of_dependent_columns_solve_what_can_be_solved() -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 30))
    covariance = np.cov([x, y, x + y, np.full(30, 3.0)])[None]
    found = inverses(covariance)
    assert np.allclose(covariance @ found @ covariance, covariance, atol=1e-9)
    assert np.abs(found).max() < 1e3
    assert inverses(np.zeros((2, 0, 0))).shape == (2, 0, 0)


def test_only_rounding_error_is_dropped() -> None:
    whole = np.array([[[1.0, 0.5], [0.5, 1e6]]])
    rest = np.array([[[1e-13, 1e-14], [1e-14, 3.0]]])
    assert without_rounding(rest, whole).tolist() == [[[0.0, 0.0], [0.0, 3.0]]]
    assert without_rounding(whole, whole).tolist() == whole.tolist()

"""Shapes of noise against SciPy's distributions of the same name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from hushwood.techniques.laws.noise import NOISE_SHAPES, SHAPES

THEIRS: dict[str, Any] = {
    "normal": stats.norm(),
    "uniform": stats.uniform(-1, 2),
    "laplace": stats.laplace(scale=2**-0.5),
    "triangular": stats.triang(0.5, -1, 2),
}


def test_every_shape_has_a_law() -> None:
    assert tuple(NOISE_SHAPES) == SHAPES == tuple(THEIRS)


@pytest.mark.parametrize("name", SHAPES)
def test_the_law_is_that_of_the_name(name: str) -> None:
    shape, theirs = NOISE_SHAPES[name], THEIRS[name]
    z = np.array([-40.0, -1.7, -1, -0.999, -0.3, 0, 1e-9, 0.2, 0.8, 1.4, 3])
    inside = z[(z > -1) & (z < 1)]
    assert shape.density(inside) == pytest.approx(theirs.pdf(inside))
    assert shape.upto(z) == pytest.approx(theirs.cdf(z))
    u = np.array([1e-12, 0.1, 0.4, 0.5, 0.6, 0.95, 1 - 1e-9])
    assert shape.at(u) == pytest.approx(theirs.ppf(u), rel=1e-6)
    assert shape.upto(shape.at(u)) == pytest.approx(u, rel=1e-9)
    assert 2 * theirs.sf(shape.reach) < 2e-18
    assert theirs.std() == pytest.approx(1) or (shape.bounded and theirs.support() == (-1, 1))


@pytest.mark.parametrize("name", ["normal", "laplace"])
def test_far_tails_keep_their_digits(name: str) -> None:
    shape = NOISE_SHAPES[name]
    low, high = np.array([7.0, -7.5]), np.array([7.5, -7.0])
    expected = THEIRS[name].sf(7.0) - THEIRS[name].sf(7.5)
    assert shape.between(low, high) == pytest.approx([expected] * 2, rel=1e-9)

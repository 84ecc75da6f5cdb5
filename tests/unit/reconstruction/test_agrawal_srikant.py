from __future__ import annotations

import numpy as np
import pytest

from hushwood.reconstruction import AddedNoise, reconstruct
from hushwood.reconstruction.agrawal_srikant import middle_of_each
from oracles.reconstruction import bayes_steps, normal_density, uniform_density
from shaped_samples import SHAPES, apart, shaped, shares


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("distribution", ["normal", "uniform"])
@pytest.mark.parametrize("steps", [1, 7])
def test_equal_to_the_printed_formula(shape: str, distribution: str, steps: int) -> None:
    values = shaped(shape, 120, 5)
    chance = np.random.default_rng(1)
    normal = distribution == "normal"
    released = values + (chance.normal(0, 0.22, 120) if normal else chance.uniform(-0.22, 0.22, 120))
    noise = AddedNoise(0.22, distribution, domain=(0, 1))  # type: ignore[arg-type]
    found = reconstruct(released, noise, intervals=8, method="bayes", tolerance=0.0, most_iterations=steps)
    density = normal_density(0.22) if normal else uniform_density(0.22)
    expected = bayes_steps(released.tolist(), density, 0.0, 1 / 8, 8, steps)
    np.testing.assert_allclose(found.probabilities, expected, rtol=1e-9, atol=1e-12)


def test_released_values_lie_in_intervals_of_the_same_width() -> None:
    edges = np.array([0.0, 2.0, 3.0])
    values = np.array([-2.1, -2.0, -0.1, 0.0, 1.9, 2.0, 3.0, 3.1, 4.0, 4.2])
    expected = [-3.0, -1.0, -1.0, 1.0, 1.0, 2.5, 2.5, 3.5, 3.5, 4.5]
    np.testing.assert_allclose(middle_of_each(values, edges), expected)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("scale", "distribution"), [(0.15, "normal"), (0.25, "uniform")])
def test_closer_to_the_original_than_what_was_released(shape: str, scale: float, distribution: str) -> None:
    values = shaped(shape, 20_000, 2)
    chance = np.random.default_rng(3)
    normal = distribution == "normal"
    released = values + (chance.normal(0, scale, 20_000) if normal else chance.uniform(-scale, scale, 20_000))
    noise = AddedNoise(scale, distribution, domain=(0, 1))  # type: ignore[arg-type]
    found = reconstruct(released, noise, intervals=20, method="bayes")
    before = shares(values, found.edges)
    assert found.converged
    assert apart(found.probabilities, before) < 0.6 * apart(shares(released, found.edges), before)


def test_far_values_need_no_long_list_of_intervals() -> None:
    noise = AddedNoise(1e6, domain=(0, 1))
    found = reconstruct(np.array([-3e6, 0.5, 2e6]), noise, intervals=5, method="bayes")
    np.testing.assert_allclose(found.probabilities, 0.2, atol=1e-5)

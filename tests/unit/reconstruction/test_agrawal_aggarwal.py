from __future__ import annotations

import numpy as np
import pytest

from hushwood.reconstruction import AddedNoise, reconstruct
from hushwood.reconstruction.agrawal_aggarwal import counted
from oracles.reconstruction import em_steps, normal_distribution, uniform_distribution
from shaped_samples import SHAPES, apart, shaped, shares


@pytest.mark.parametrize("distribution", ["normal", "uniform"])
@pytest.mark.parametrize("edges", [(0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.1, 0.4, 1.0)])
def test_equal_to_the_printed_formula(distribution: str, edges: tuple[float, ...]) -> None:
    values = shaped("bimodal", 60, 5)
    chance = np.random.default_rng(1)
    normal = distribution == "normal"
    released = values + (chance.normal(0, 0.2, 60) if normal else chance.uniform(-0.2, 0.2, 60))
    noise = AddedNoise(0.2, distribution)  # type: ignore[arg-type]
    found = reconstruct(released, noise, intervals=edges, tolerance=0.0, most_iterations=9)
    below = normal_distribution(0.2) if normal else uniform_distribution(0.2)
    expected, likelihoods = em_steps(released.tolist(), below, edges, 9)
    np.testing.assert_allclose(found.probabilities, expected, rtol=1e-9)
    np.testing.assert_allclose(found.log_likelihoods, likelihoods, rtol=1e-9)
    assert found.iterations == 9


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("scale", "distribution"), [(0.15, "normal"), (0.5, "uniform")])
def test_closer_to_the_original_than_what_was_released(shape: str, scale: float, distribution: str) -> None:
    values = shaped(shape, 20_000, 2)
    chance = np.random.default_rng(3)
    normal = distribution == "normal"
    released = values + (chance.normal(0, scale, 20_000) if normal else chance.uniform(-scale, scale, 20_000))
    noise = AddedNoise(scale, distribution, domain=(0, 1))  # type: ignore[arg-type]
    found = reconstruct(released, noise, intervals=20)
    before = shares(values, found.edges)
    assert found.converged
    assert apart(found.probabilities, before) < 0.5 * apart(shares(released, found.edges), before)


def test_the_largest_likelihood_is_reached() -> None:
    """Two intervals: one unknown share, found by looking at many."""
    released = np.array([0.1, 0.3, 0.2, 0.9, 0.6])
    noise = AddedNoise(0.3, domain=(0, 1))
    found = reconstruct(released, noise, intervals=2, tolerance=0.0, most_iterations=5000)
    kernel = noise.over_intervals(released, found.edges)
    tried = np.linspace(0, 1, 20_001)
    best = tried[np.argmax(np.log(kernel @ np.stack([tried, 1 - tried])).sum(axis=0))]
    assert found.probabilities[0] == pytest.approx(best, abs=1e-4)


def test_very_many_values_are_counted_in_cells_that_no_limit_cuts() -> None:
    values = shaped("triangle", 5000, 1)
    edges = np.array([0.0, 0.31, 0.5, 1.0])
    points, counts = counted(values, edges)
    assert len(points) < 1100
    assert counts.sum() == 5000
    inside = np.histogram(points, edges, weights=counts)[0]
    np.testing.assert_array_equal(inside, np.histogram(values, edges)[0])
    assert [part.tolist() for part in counted(np.array([2.0, 1.0, 2.0]), edges)] == [[1.0, 2.0], [1.0, 2.0]]


def test_cells_change_next_to_nothing() -> None:
    values = shaped("bimodal", 3000, 4)
    released = values + np.random.default_rng(5).normal(0, 0.1, 3000)
    noise, edges = AddedNoise(0.1), np.linspace(0, 1, 11)
    found = reconstruct(released, noise, intervals=edges, tolerance=0.0, most_iterations=50)
    estimate = np.full(10, 0.1)
    kernel = noise.over_intervals(released, edges)
    for _ in range(50):
        estimate *= (kernel / (kernel @ estimate)[:, None]).mean(axis=0)
    np.testing.assert_allclose(found.probabilities, estimate, atol=1e-4)

"""EM and Bayes against the printed formulas, and the step they share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hushwood.reconstruction import AddedNoise, reconstruct
from hushwood.reconstruction.distributions import (
    Problem,
    chi_square_distance,
    chi_square_quantile,
    counted,
    middle_of_each,
    solve,
)
from oracles.reconstruction import (
    bayes_steps,
    em_steps,
    normal_density,
    normal_distribution,
    uniform_density,
    uniform_distribution,
)
from support.shaped_samples import SHAPES, apart, shaped, shares


def random_problem(seed: int, values: int, intervals: int) -> Problem:
    chance = np.random.default_rng(seed)
    kernel = chance.random((values, intervals)) * (chance.random((values, intervals)) < 0.7)
    return Problem(chance.integers(0, 30, values).astype(float), kernel, chance.random(intervals) + 0.1)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 6))
@example(3299, 2, 2)  # of its two values one was never released
def test_probabilities_sum_to_1_and_the_likelihood_never_falls(
    seed: int, values: int, intervals: int
) -> None:
    problem = random_problem(seed, values, intervals)
    found = solve(problem, 1e-6, 200)
    assert (np.diff(found.log_likelihoods) >= -1e-12).all()
    assert (found.probabilities >= 0).all()
    possible = problem.kernel.any(axis=1)
    assert found.impossible == problem.counts[~possible].sum()
    if problem.counts[possible].sum() > 0:
        assert found.probabilities.sum() == pytest.approx(1.0)


def test_a_value_that_was_never_released_decides_nothing() -> None:
    """Only the second interval gives the second value, and the first value leaves that interval nothing at last."""
    kernel = np.array([[1.0, 0.0], [0.0, 1.0]])
    found = solve(Problem(np.array([4.0, 0.0]), kernel, np.array([1.0, 1.0])), 1e-6, 200)
    assert found.probabilities.tolist() == [1.0, 0.0]
    assert found.log_likelihoods.tolist() == [np.log(0.5), 0.0, 0.0]
    assert found.impossible == 0


def test_one_step_by_hand() -> None:
    problem = Problem(np.array([3.0, 1.0]), np.array([[0.5, 0.1], [0.1, 0.3]]), np.array([1.0, 1.0]))
    # First value: 5/6 to the first interval; second: 1/4.
    first = (3 * 5 / 6 + 1 / 4) / 4
    found = solve(problem, 0.0, 1)
    np.testing.assert_allclose(found.probabilities, [first, 1 - first])
    assert not found.converged
    np.testing.assert_allclose(found.log_likelihoods[0], (3 * np.log(0.3) + np.log(0.2)) / 4)


def test_it_stops_at_a_share_of_the_chi_square_threshold() -> None:
    problem = random_problem(3, 10, 4)
    found = solve(problem, 0.5, 500)
    steps = len(found.log_likelihoods) - 1
    before, last = (solve(problem, 0.0, k).probabilities for k in (steps - 1, steps))
    earlier = solve(problem, 0.0, steps - 2).probabilities
    records = problem.counts[problem.kernel.any(axis=1)].sum()
    assert found.converged
    assert steps > 2
    assert records * chi_square_distance(last, before) <= 0.5 * chi_square_quantile(3)
    assert records * chi_square_distance(before, earlier) > 0.5 * chi_square_quantile(3)
    np.testing.assert_allclose(found.probabilities, last)


def test_known_quantiles() -> None:
    assert chi_square_quantile(1) == pytest.approx(3.841459, rel=1e-6)
    assert chi_square_quantile(19) == pytest.approx(30.14353, rel=1e-6)
    assert chi_square_quantile(0) == 0.0
    assert chi_square_distance(np.array([0.3, 0.5, 0.2]), np.array([0.5, 0.5, 0.0])) == pytest.approx(0.08)


def test_intervals_without_room_or_reach_get_nothing() -> None:
    kernel = np.array([[1.0, 1.0, 0.0], [0.5, 0.5, 0.0]])
    found = solve(Problem(np.array([2.0, 2.0]), kernel, np.array([1.0, 0.0, 1.0])), 0.01, 100)
    assert found.probabilities.tolist() == [1.0, 0.0, 0.0]
    assert found.converged


def test_a_value_that_only_an_interval_without_room_could_give_is_impossible() -> None:
    found = solve(Problem(np.array([2.0, 5.0]), np.eye(2), np.array([1.0, 0.0])), 0.01, 100)
    assert found.probabilities.tolist() == [1.0, 0.0]
    assert found.impossible == 5


def test_noise_that_tells_nothing_leaves_the_even_start() -> None:
    found = solve(Problem(np.array([7.0, 2.0]), np.full((2, 3), 0.25), np.array([1.0, 2.0, 1.0])), 0.0, 100)
    np.testing.assert_allclose(found.probabilities, [0.25, 0.5, 0.25])
    assert found.converged


@pytest.mark.parametrize("distribution", ["normal", "uniform"])
@pytest.mark.parametrize("edges", [(0.0, 0.25, 0.5, 0.75, 1.0), (0.0, 0.1, 0.4, 1.0)])
def test_em_equals_the_printed_formula(distribution: str, edges: tuple[float, ...]) -> None:
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
@pytest.mark.parametrize(
    ("method", "scale", "distribution", "share"),
    [
        ("em", 0.15, "normal", 0.5),
        ("em", 0.5, "uniform", 0.5),
        ("bayes", 0.15, "normal", 0.6),
        ("bayes", 0.25, "uniform", 0.6),
    ],
)
def test_closer_to_the_original_than_what_was_released(
    shape: str, method: Any, scale: float, distribution: Any, share: float
) -> None:
    values = shaped(shape, 20_000, 2)
    chance = np.random.default_rng(3)
    normal = distribution == "normal"
    released = values + (chance.normal(0, scale, 20_000) if normal else chance.uniform(-scale, scale, 20_000))
    found = reconstruct(released, AddedNoise(scale, distribution, domain=(0, 1)), intervals=20, method=method)
    before = shares(values, found.edges)
    assert found.converged
    assert apart(found.probabilities, before) < share * apart(shares(released, found.edges), before)


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


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("distribution", ["normal", "uniform"])
@pytest.mark.parametrize("steps", [1, 7])
def test_bayes_equals_the_printed_formula(shape: str, distribution: str, steps: int) -> None:
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


def test_far_values_need_no_long_list_of_intervals() -> None:
    noise = AddedNoise(1e6, domain=(0, 1))
    found = reconstruct(np.array([-3e6, 0.5, 2e6]), noise, intervals=5, method="bayes")
    np.testing.assert_allclose(found.probabilities, 0.2, atol=1e-5)

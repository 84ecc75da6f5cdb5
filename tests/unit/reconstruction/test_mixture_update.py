from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hushwood.reconstruction.mixture_update import Problem, chi_square_distance, chi_square_quantile, solve


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

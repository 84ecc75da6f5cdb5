"""The largest likelihood against slow EM, and by the condition that only a maximum meets."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.reconstruction import AddedNoise, NoiseInside
from hushwood.reconstruction.distributions import (
    EM_SHORTFALL,
    EM_TOLERANCE,
    ENOUGH,
    Problem,
    em_problem,
    largest_likelihood,
    solve,
)
from hushwood.tables.domains import whole_domain
from hushwood.techniques.laws.noise import NoiseLaw
from support.mixed_tables import number

YEARS = number("years of school", 1, 16)


def slow_em(problem: Problem, steps: int) -> float:
    """The log likelihood that EM reaches when nothing stops it."""
    return float(solve(problem, 0.0, steps).log_likelihoods[-1]) * float(problem.counts.sum())


def largest(problem: Problem) -> float:
    start = problem.even / problem.even.sum()
    return largest_likelihood(problem.counts, problem.kernel, start) * float(problem.counts.sum())


@pytest.mark.parametrize("seed", range(6))
def test_it_is_what_slow_em_converges_to(seed: int) -> None:
    chance = np.random.default_rng(seed)
    values, intervals = chance.integers(2, 30), chance.integers(2, 9)
    kernel = chance.random((values, intervals)) * (chance.random((values, intervals)) < 0.7) + 1e-3
    problem = Problem(chance.integers(1, 50, values).astype(float), kernel, chance.random(intervals) + 0.1)
    reached = slow_em(problem, 20_000)
    assert reached - ENOUGH <= largest(problem) <= reached + 0.2


def test_components_that_share_no_value_have_the_shares_of_theirs() -> None:
    problem = Problem(np.array([6.0, 3.0, 1.0]), np.eye(3) / 2, np.array([1.0, 1.0, 1.0]))
    expected = 6 * np.log(0.3) + 3 * np.log(0.15) + np.log(0.05)
    assert largest(problem) == pytest.approx(expected, abs=2 * ENOUGH)


@pytest.mark.parametrize("outlier", [1.0, 1.13])
def test_an_outlier_that_one_component_explains(outlier: float) -> None:
    """Once its component's share is 0, an outlier is nearly impossible, and numbers overflow."""
    chance = np.random.default_rng(1)
    values = np.append(chance.normal(0.14, 0.04, 4_000).clip(0, 0.3), outlier) + chance.normal(0, 0.03, 4_001)
    problem = em_problem(values, AddedNoise(0.03, domain=(0.0, 1.13)), np.linspace(0.0, 1.13, 21))
    possible = problem.kernel.any(axis=1)
    problem = Problem(problem.counts[possible], problem.kernel[possible], problem.even)
    reached = slow_em(problem, 3_000)
    assert reached - ENOUGH <= largest(problem) <= reached + 0.2


def schooling() -> tuple[Problem, Floats]:
    """Of 300,000 people half left school after 9 years and a third after 13; released with the truncated noise of SADP.

    The counts are the expected ones, rounded; the original shares.
    """
    share = np.full(16, 0.15 / 14)
    share[[8, 12]] = 0.5, 0.35
    law = NoiseLaw(YEARS.name, whole_domain(YEARS), np.full(1, 1.8), "truncate", "normal", "test")
    years, limits = np.arange(1.0, 17), np.arange(0.5, 17)
    noise = NoiseInside(law)
    counts = np.random.default_rng(8).multinomial(300_000, noise.densities(years, years) @ share)
    return em_problem(np.repeat(years, counts), noise, limits), share


def test_em_does_not_stop_where_steps_are_small_but_the_maximum_is_far() -> None:
    """Steps alone ended EM at a log likelihood 16 too small, before the two peaks had come apart."""
    problem, share = schooling()
    records = problem.counts.sum()
    most = largest(problem)
    by_steps, found = solve(problem, EM_TOLERANCE, 20_000), solve(problem, EM_TOLERANCE, 20_000, EM_SHORTFALL)
    assert by_steps.converged
    assert found.converged
    assert by_steps.log_likelihoods[-1] * records < most - 10
    assert found.log_likelihoods[-1] * records >= most - EM_SHORTFALL
    apart = [float(np.abs(end.probabilities - share).sum() / 2) for end in (by_steps, found)]
    assert apart[1] < 0.8 * apart[0]

"""Recovered distributions, and values assigned to their intervals.

EM and Bayes against the printed formulas, and the step they share. The largest likelihood against slow EM, and by the
condition that only a maximum meets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.reconstruction import AddedNoise, NoiseInside, reconstruct
from hushwood.reconstruction.distributions import (
    EM_SHORTFALL,
    EM_TOLERANCE,
    ENOUGH,
    Problem,
    assigned_limits,
    assigned_limits_by_group,
    chi_square_distance,
    chi_square_quantile,
    counted,
    em_problem,
    largest_likelihood,
    limits_by_rank,
    middle_of_each,
    solve,
)
from hushwood.tables.domains import whole_domain
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from oracles.reconstruction import (
    bayes_steps,
    em_steps,
    normal_density,
    normal_distribution,
    uniform_density,
    uniform_distribution,
)
from support.mixed_tables import number
from support.shaped_samples import SHAPES, apart, shaped, shares

METHODS = ("em", "bayes")
each_method = pytest.mark.parametrize("method", METHODS)

EDGES = np.array([0.0, 1.0, 2.0, 4.0])


@each_method
@settings(max_examples=30)
@given(
    values=st.lists(st.floats(-50, 50, allow_nan=False), min_size=1, max_size=40),
    scale=st.floats(0.5, 20),
    uniform=st.booleans(),
    intervals=st.integers(1, 12),
)
def test_probabilities_sum_to_1_and_the_likelihood_never_falls(
    method: Any, values: list[float], scale: float, uniform: bool, intervals: int
) -> None:
    noise = AddedNoise(scale, "uniform" if uniform else "normal", domain=(-50, 50))
    found = reconstruct(values, noise, intervals=intervals, method=method, most_iterations=50)
    assert found.probabilities.sum() == pytest.approx(1.0)
    assert (found.probabilities >= 0).all()
    assert (np.diff(found.log_likelihoods) >= -1e-9).all()
    assert found.records + found.impossible == len(values)
    assert found.edges[0] <= found.mean <= found.edges[-1]
    assert found.density @ np.diff(found.edges) == pytest.approx(1.0)


@each_method
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [50, 3000])
def test_no_noise_gives_back_the_histogram(method: Any, shape: str, size: int) -> None:
    values = shaped(shape, size, 1)
    edges = np.array([0.0, 0.2, 0.3, 0.55, 1.0])
    found = reconstruct(values, AddedNoise(0.0), intervals=edges, method=method)
    np.testing.assert_allclose(found.probabilities, shares(values, edges), atol=1e-12)
    assert found.impossible == 0


@each_method
def test_no_noise_inside_a_domain_gives_back_the_histogram(method: Any) -> None:
    ages = np.random.default_rng(1).integers(18, 90, 500).astype(float)
    noise = NoiseInside.over_domain(number("age", 18, 90), NoiseParameters(noise=0.0))
    found = reconstruct(ages, noise, intervals=9, method=method)
    np.testing.assert_allclose(found.probabilities, shares(ages, found.edges), atol=1e-12)


@each_method
@pytest.mark.parametrize(("shift", "stretch"), [(1000.0, 1.0), (0.0, 250.0), (-3.0, 0.001), (2.0, -1.0)])
def test_unit_and_zero_point_change_nothing(method: Any, shift: float, stretch: float) -> None:
    released = shaped("bimodal", 2000, 3) + np.random.default_rng(4).normal(0, 0.2, 2000)
    here = reconstruct(released, AddedNoise(0.2), intervals=np.linspace(0, 1, 9), method=method)
    limits = np.sort(shift + stretch * np.linspace(0, 1, 9))
    there = reconstruct(
        shift + stretch * released, AddedNoise(0.2 * abs(stretch)), intervals=limits, method=method
    )
    turned = there.probabilities if stretch > 0 else there.probabilities[::-1]
    np.testing.assert_allclose(turned, here.probabilities, atol=1e-4)
    assert there.iterations == pytest.approx(here.iterations, abs=2)


@each_method
def test_the_order_of_records_changes_nothing(method: Any) -> None:
    released = shaped("triangle", 400, 3) + np.random.default_rng(4).normal(0, 0.2, 400)
    forth, back = (reconstruct(v, AddedNoise(0.2), method=method) for v in (released, released[::-1]))
    np.testing.assert_array_equal(forth.probabilities, back.probabilities)


@pytest.mark.parametrize("boundary", ["wrap", "reflect", "truncate"])
@pytest.mark.parametrize("precision", [2, None])
@pytest.mark.parametrize("shape", ["triangle", "bimodal"])
def test_noise_inside_a_domain_is_undone(boundary: str, precision: int | None, shape: str) -> None:
    from hushwood.random_streams import Streams

    values = shaped(shape, 20_000, 6)
    values = values if precision is None else np.round(values, precision)
    noise = NoiseInside.over_domain(
        number("x", 0, 1, precision),
        NoiseParameters(noise=0.15, boundary=boundary),  # type: ignore[arg-type]
    )
    rows = np.zeros(len(values), int)
    released = noise.law.sample({"x": values}, rows, range(len(values)), Streams(bytes(32)))["x"]
    for method in METHODS:
        found = reconstruct(released, noise, intervals=15, method=method)  # type: ignore[arg-type]
        before = shares(values, found.edges)
        gone = apart(shares(released, found.edges), before)
        assert found.impossible == 0
        assert apart(found.probabilities, before) < 0.6 * gone


def test_complete_noise_tells_nothing() -> None:
    noise = NoiseInside.over_domain(number("x", 1, 10), NoiseParameters(noise=50.0))
    found = reconstruct(np.repeat(np.arange(1.0, 11.0), np.arange(10)), noise, intervals=5)
    np.testing.assert_allclose(found.probabilities, 0.2)


def test_missing_values_are_left_out() -> None:
    some = reconstruct([1.0, np.nan, 2.0, np.inf], AddedNoise(0.5, domain=(0, 3)), intervals=3)
    all_known = reconstruct([1.0, 2.0], AddedNoise(0.5, domain=(0, 3)), intervals=3)
    assert some.records == 2
    np.testing.assert_array_equal(some.probabilities, all_known.probabilities)


def test_values_that_cannot_be_are_counted() -> None:
    noise = AddedNoise(0.5, "uniform", domain=(0, 1))
    found = reconstruct([0.2, 0.4, 7.0], noise, intervals=4)
    assert (found.records, found.impossible) == (2, 1)
    assert found.probabilities.sum() == pytest.approx(1.0)
    with pytest.raises(InputError, match="None of the 1 released values can come from 0 to 1"):
        reconstruct([7.0], noise)


def test_without_a_domain_the_range_of_the_values_is_taken() -> None:
    assert reconstruct([1.0, 2.0, 5.0], AddedNoise(1.0), intervals=2).edges.tolist() == [1.0, 3.0, 5.0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "mle"}, "no method 'mle'"),
        ({"intervals": 0}, "1 to 256, not 0"),
        ({"intervals": 257}, "1 to 256"),
        ({"intervals": [1.0]}, "ascending numbers"),
        ({"intervals": [1.0, 1.0]}, "ascending numbers"),
        ({"intervals": [0.0, np.inf]}, "ascending numbers"),
        ({"tolerance": -1.0}, "tolerance must be 0 or more"),
        ({"most_iterations": 0}, "most_iterations 1 or more"),
    ],
)
def test_wrong_requests_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        reconstruct([1.0, 2.0], AddedNoise(1.0), **given)


def test_nothing_to_learn_from() -> None:
    with pytest.raises(InputError, match="no released value"):
        reconstruct([np.nan], AddedNoise(1.0))
    with pytest.raises(InputError, match="not 3 to 3"):
        reconstruct([3.0, 3.0], AddedNoise(1.0))


def test_by_hand() -> None:
    values = np.array([3.0, -1.0, 9.0, 2.0, 2.5])
    limits = limits_by_rank(values, np.array([0.4, 0.0, 0.6]), EDGES)
    assert limits.tolist() == [4.0, 1.0, 4.0, 1.0, 4.0]


@given(st.lists(st.floats(-9, 9), max_size=30), st.lists(st.integers(0, 5), min_size=3, max_size=3))
def test_as_many_as_asked_and_in_order(values: list[float], weights: list[int]) -> None:
    probabilities = (np.array(weights) + 1e-9) / (sum(weights) + 3e-9)
    limits = limits_by_rank(np.array(values), probabilities, EDGES)
    assert set(limits.tolist()) <= {1.0, 2.0, 4.0}
    order = np.argsort(values, kind="stable")
    assert (np.diff(limits[order]) >= 0).all()
    counts = np.array([(limits == limit).sum() for limit in EDGES[1:]])
    assert np.abs(counts - probabilities * len(values)).max() <= 1.0


def test_without_noise_every_value_gets_its_own_interval() -> None:
    values = shaped("bimodal", 300, 1)
    edges = np.linspace(0, 1, 6)
    limits = assigned_limits(values, AddedNoise(0.0), edges, "bayes")
    np.testing.assert_array_equal(limits, edges[1:][np.minimum((values * 5).astype(int), 4)])


def test_groups_are_dealt_apart_and_missing_values_stay() -> None:
    values = np.concatenate([shaped("triangle", 400, 1), 0.2 * shaped("triangle", 400, 2), [np.nan]])
    groups = np.array([0] * 400 + [1] * 400 + [0])
    edges = np.linspace(0, 1, 6)
    limits = assigned_limits_by_group(values, groups, AddedNoise(0.0), edges, "em")
    assert np.isnan(limits[-1])
    assert np.mean(limits[400:800] == edges[1]) == pytest.approx(1.0)
    np.testing.assert_allclose(
        [np.mean(limits[:400] == limit) for limit in edges[1:]], shares(values[:400], edges), atol=0.01
    )


def random_problem(seed: int, values: int, intervals: int) -> Problem:
    chance = np.random.default_rng(seed)
    kernel = chance.random((values, intervals)) * (chance.random((values, intervals)) < 0.7)
    return Problem(chance.integers(0, 30, values).astype(float), kernel, chance.random(intervals) + 0.1)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 6))
@example(3299, 2, 2)  # of its two values one was never released
def test_probabilities_sum_to_1_and_the_likelihood_never_falls_em_and_bayes(
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

"""Frequencies estimated from PRAM releases and from Warner's answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Floats, Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.reconstruction.frequencies import (
    change_matrix,
    estimate_covariance,
    estimate_variance,
    estimated_frequencies,
    estimated_share,
    expected_answers,
    expected_frequencies,
    local_epsilon,
    nearest_frequencies,
    released_covariance,
    response_variance,
)
from hushwood.techniques.pram import Pram
from hushwood.techniques.warner import Warner
from oracles import transition_matrices as oracle
from support.transition_tables import coded_table, codes_with_counts, matrix_of, segmented

STREAMS = Streams(bytes(range(32)))
COUNTS = np.array([60, 25, 10, 5])
MATRIX = np.array(
    [[0.7, 0.1, 0.1, 0.1], [0.2, 0.6, 0.2, 0.0], [0.0, 0.3, 0.7, 0.0], [0.25, 0.25, 0.25, 0.25]]
)
RUNS = 4000

RUNS, PEOPLE, SHARE = 4000, 200, 0.3
each_truth = pytest.mark.parametrize("truth", [0.1, 0.35, 0.8, 0.95])


@pytest.fixture(scope="module")
def released() -> Floats:
    """Released frequencies of many runs: the rows of all runs are one column, since rows are independent."""
    table = coded_table(codes_with_counts(COUNTS.tolist()) * RUNS, len(COUNTS))
    perturber = Pram({"x": MATRIX.tolist()}).prepare(table, ["x"], segmented([0] * table.rows))
    codes = perturber.perturb(table.columns, np.zeros(table.rows, int), range(table.rows), STREAMS)["x"]
    runs = codes.reshape(RUNS, COUNTS.sum())
    return np.stack([(runs == code).mean(axis=1) for code in range(len(COUNTS))], axis=1)


def standard_error(values: Floats) -> Floats:
    return np.asarray(values.std(axis=0) / np.sqrt(len(values)))


def test_expected_frequencies_are_the_mean_of_the_released(released: Floats) -> None:
    wanted = expected_frequencies(MATRIX, COUNTS / COUNTS.sum())
    assert wanted.sum() == pytest.approx(1)
    assert (np.abs(released.mean(axis=0) - wanted) < 4 * standard_error(released)).all()


def test_the_estimate_is_unbiased_and_the_released_frequencies_are_not(released: Floats) -> None:
    pi = COUNTS / COUNTS.sum()
    estimates = np.stack([estimated_frequencies(MATRIX, run, clip=False) for run in released])
    assert (np.abs(estimates.mean(axis=0) - pi) < 4 * standard_error(estimates)).all()
    assert (np.abs(released.mean(axis=0) - pi) > 4 * standard_error(released)).any()


def test_covariances_are_those_of_the_runs(released: Floats) -> None:
    estimates = np.stack([estimated_frequencies(MATRIX, run, clip=False) for run in released])
    for runs, formula in ((released, released_covariance), (estimates, estimate_covariance)):
        wanted, found = formula(MATRIX, COUNTS.astype(float)), np.cov(runs.T)
        spread = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)) + wanted**2) / np.sqrt(RUNS)
        assert (np.abs(found - wanted) < 4.5 * spread).all()
        assert not (np.abs(found - 1.2 * wanted) < 4.5 * spread).all()


def test_covariance_by_hand() -> None:
    """Four heads and two tails, told truly with 0.9 and 0.5: (4 · 0.09 + 2 · 0.25) / 36."""
    matrix = np.array([[0.9, 0.1], [0.5, 0.5]])
    variance = (4 * 0.09 + 2 * 0.25) / 36
    wanted = np.array([[variance, -variance], [-variance, variance]])
    np.testing.assert_allclose(released_covariance(matrix, np.array([4.0, 2.0])), wanted)
    np.testing.assert_allclose(estimate_covariance(matrix, np.array([4.0, 2.0])), wanted / 0.4**2)


def test_estimating_undoes_expecting() -> None:
    pi = COUNTS / COUNTS.sum()
    np.testing.assert_allclose(estimated_frequencies(MATRIX, expected_frequencies(MATRIX, pi)), pi)


def test_impossible_estimates_are_clipped() -> None:
    matrix = np.array([[0.8, 0.2], [0.2, 0.8]])
    raw = estimated_frequencies(matrix, np.array([0.1, 0.9]), clip=False)
    np.testing.assert_allclose(raw, [-1 / 6, 7 / 6])
    np.testing.assert_allclose(estimated_frequencies(matrix, np.array([0.1, 0.9])), [0, 1])


def test_a_matrix_that_forgets_everything_is_refused() -> None:
    with pytest.raises(InputError, match="cannot be inverted"):
        estimated_frequencies(np.full((3, 3), 1 / 3), np.array([0.2, 0.3, 0.5]))


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=6))
def test_the_nearest_frequencies_are_nearest(values: list[float]) -> None:
    """No small step between two values towards another point of the simplex comes nearer."""
    given_values = np.array(values)
    found = nearest_frequencies(given_values)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    distance = ((found - given_values) ** 2).sum()
    for i in range(len(values)):
        for j in range(len(values)):
            step = min(1e-3, found[i])
            moved = found.copy()
            moved[i] -= step
            moved[j] += step
            assert ((moved - given_values) ** 2).sum() >= distance - 1e-12


@pytest.mark.parametrize("weights", [[1, 1, 1], [5, 2, 1], [3, 0, 1], [4], [0, 2]])
def test_the_matrix_of_the_family(weights: list[int]) -> None:
    found = change_matrix(0.3, np.array(weights, float))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    if 0 not in weights:
        np.testing.assert_allclose(found, oracle.change_matrix(0.3, weights))
    else:
        assert change_matrix(0.3, np.array([0.0, 2.0])).tolist() == [[0.7, 0.3], [0, 1]]


def test_the_matrix_of_the_family_is_what_the_technique_does() -> None:
    table = coded_table(codes_with_counts([6, 3, 1]), 3)
    law = Pram(probability=0.2, others="frequency").prepare(table, ["x"], segmented([0] * 10)).law()
    np.testing.assert_allclose(matrix_of(law, [0, 1, 2]), change_matrix(0.2, np.array([6.0, 3, 1])))


def test_too_large_a_matrix_is_not_written_out() -> None:
    with pytest.raises(InputError, match="entries"):
        change_matrix(0.1, np.ones(2001))


def answers(truth: float, yes: Integers) -> Floats:
    """The share of answers "yes" in many runs; the people of all runs are one column, since rows are independent."""
    table = coded_table(yes.ravel().tolist(), 2)
    perturber = Warner(truth).prepare(table, ["x"], segmented([0] * table.rows))
    told = perturber.perturb(table.columns, np.zeros(table.rows, int), range(table.rows), STREAMS)["x"]
    return np.asarray(told.reshape(yes.shape).mean(axis=1))


@each_truth
def test_the_estimate_is_unbiased_with_the_stated_variance_for_a_given_table(truth: float) -> None:
    yes = np.tile(np.arange(PEOPLE) < SHARE * PEOPLE, (RUNS, 1)).astype(np.int64)
    told = answers(truth, yes)
    found = estimated_share(told, truth, clip=False)
    wanted = response_variance(truth, PEOPLE)
    assert abs(found.mean() - SHARE) < 4 * np.sqrt(wanted / RUNS)
    assert found.var(ddof=1) == pytest.approx(wanted, rel=4.5 * np.sqrt(2 / RUNS))
    assert abs(told.mean() - expected_answers(SHARE, truth)) < 4 * told.std() / np.sqrt(RUNS)
    assert abs(told.mean() - SHARE) > 4 * told.std() / np.sqrt(RUNS)


@each_truth
def test_people_drawn_at_random_add_their_own_variance(truth: float) -> None:
    yes = (np.random.default_rng(8).random((RUNS, PEOPLE)) < SHARE).astype(np.int64)
    found = estimated_share(answers(truth, yes), truth, clip=False)
    wanted = float(estimate_variance(SHARE, truth, PEOPLE))
    assert abs(found.mean() - SHARE) < 4 * np.sqrt(wanted / RUNS)
    assert found.var(ddof=1) == pytest.approx(wanted, rel=4.5 * np.sqrt(2 / RUNS))
    assert wanted > response_variance(truth, PEOPLE)


def test_by_hand() -> None:
    """p = 0.8, π = 0.4: λ = 0.32 + 0.12; the method adds 0.16 / (100 · 0.36)."""
    assert expected_answers(0.4, 0.8) == pytest.approx(0.44)
    assert estimated_share(0.44, 0.8) == pytest.approx(0.4)
    assert response_variance(0.8, 100) == pytest.approx(0.16 / 36)
    assert estimate_variance(0.4, 0.8, 100) == pytest.approx(0.24 / 100 + 0.16 / 36)


def test_the_clipped_estimate_is_the_most_likely_share() -> None:
    """The likelihood of y answers "yes" of 20, tried at all shares."""
    truth, shares = 0.75, np.linspace(0, 1, 1001)
    chance = expected_answers(shares, truth)
    for yes in range(21):
        likelihood = yes * np.log(chance) + (20 - yes) * np.log(1 - chance)
        assert estimated_share(yes / 20, truth) == pytest.approx(shares[likelihood.argmax()], abs=1e-3)
    assert estimated_share(0.1, truth, clip=False) < 0


def test_epsilon_bounds_what_an_answer_tells() -> None:
    for truth in (0.2, 0.6, 0.9):
        ratios = [truth / (1 - truth), (1 - truth) / truth]
        assert local_epsilon(truth) == pytest.approx(math.log(max(ratios)))
    assert local_epsilon(1.0) == math.inf
    assert local_epsilon(0.0) == math.inf


def test_pure_chance_tells_nothing() -> None:
    with pytest.raises(InputError, match="pure chance"):
        estimated_share(0.5, 0.5)
    with pytest.raises(InputError, match="pure chance"):
        response_variance(0.5, 10)

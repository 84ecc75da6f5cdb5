from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.techniques.pram import Pram
from hushwood.techniques.pram_estimates import (
    change_matrix,
    estimate_covariance,
    estimated_frequencies,
    expected_frequencies,
    nearest_frequencies,
    released_covariance,
)
from oracles import transition_matrices as oracle
from transition_tables import coded_table, codes_with_counts, matrix_of, segmented

STREAMS = Streams(bytes(range(32)))
COUNTS = np.array([60, 25, 10, 5])
MATRIX = np.array(
    [[0.7, 0.1, 0.1, 0.1], [0.2, 0.6, 0.2, 0.0], [0.0, 0.3, 0.7, 0.0], [0.25, 0.25, 0.25, 0.25]]
)
RUNS = 4000


@pytest.fixture(scope="module")
def released() -> NDArray[np.float64]:
    """Released frequencies of many runs: the rows of all runs are one column, since rows are independent."""
    table = coded_table(codes_with_counts(COUNTS.tolist()) * RUNS, len(COUNTS))
    perturber = Pram({"x": MATRIX.tolist()}).prepare(table, ["x"], segmented([0] * table.rows))
    codes = perturber.perturb(table.columns, np.zeros(table.rows, int), range(table.rows), STREAMS)["x"]
    runs = codes.reshape(RUNS, COUNTS.sum())
    return np.stack([(runs == code).mean(axis=1) for code in range(len(COUNTS))], axis=1)


def standard_error(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(values.std(axis=0) / np.sqrt(len(values)))


def test_expected_frequencies_are_the_mean_of_the_released(released: NDArray[np.float64]) -> None:
    wanted = expected_frequencies(MATRIX, COUNTS / COUNTS.sum())
    assert wanted.sum() == pytest.approx(1)
    assert (np.abs(released.mean(axis=0) - wanted) < 4 * standard_error(released)).all()


def test_the_estimate_is_unbiased_and_the_released_frequencies_are_not(released: NDArray[np.float64]) -> None:
    pi = COUNTS / COUNTS.sum()
    estimates = np.stack([estimated_frequencies(MATRIX, run, clip=False) for run in released])
    assert (np.abs(estimates.mean(axis=0) - pi) < 4 * standard_error(estimates)).all()
    assert (np.abs(released.mean(axis=0) - pi) > 4 * standard_error(released)).any()


def test_covariances_are_those_of_the_runs(released: NDArray[np.float64]) -> None:
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

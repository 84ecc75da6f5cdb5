from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.techniques.warner import Warner
from hushwood.techniques.warner_estimates import (
    estimate_variance,
    estimated_share,
    expected_answers,
    local_epsilon,
    response_variance,
)
from transition_tables import coded_table, segmented

STREAMS = Streams(bytes(range(32)))
RUNS, PEOPLE, SHARE = 4000, 200, 0.3
each_truth = pytest.mark.parametrize("truth", [0.1, 0.35, 0.8, 0.95])


def answers(truth: float, yes: NDArray[np.int64]) -> NDArray[np.float64]:
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

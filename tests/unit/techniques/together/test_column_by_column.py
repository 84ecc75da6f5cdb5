from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from hushwood.arrays import Floats
from hushwood.techniques.together.copula import Places, log_between, log_column_by_column

COVARIANCE = np.array([[4.0, 1.5], [1.5, 2.0]])
ROOT = np.linalg.cholesky(COVARIANCE)
BOTH = np.ones((1, 2), bool)


STEP = 2.0**-20


def fine(y: list[float], **given: Floats) -> Places:
    """Numbers on a fine grid without bounds."""
    at = np.array([y])
    far = np.full(at.shape, np.inf)
    return Places(at, at - STEP / 2, at + STEP / 2, -far, far, step=np.full(at.shape, STEP), **given)


@pytest.mark.parametrize(
    ("low", "high"), [(-1.0, 2.0), (-9.0, -8.0), (8.0, 9.0), (-np.inf, 0.3), (1.0, np.inf)]
)
def test_between_two_limits(low: float, high: float) -> None:
    found = np.exp(log_between(np.array([low]), np.array([high])))
    tail = norm.sf(low) - norm.sf(high) if low > 0 else norm.cdf(high) - norm.cdf(low)
    assert found[0] == pytest.approx(tail, rel=1e-10)


def test_far_out_nothing_is_lost() -> None:
    """Between 40 and 41: about exp(-800) / (40 √(2π)), which no float holds."""
    found = log_between(np.array([40.0, -41.0]), np.array([41.0, -40.0]))
    assert found[0] == pytest.approx(norm.logsf(40.0))
    assert found[0] == found[1]


@pytest.mark.parametrize("y", [[0.0, 0.0], [3.0, -1.0], [-5.0, 2.5]])
def test_two_numbers_on_fine_grids_have_the_density_of_the_joint_normal_law(y: list[float]) -> None:
    found = log_column_by_column(fine(y), np.array([[1.0, -1.0]]), ROOT[None], BOTH)
    assert found[0] == pytest.approx(multivariate_normal([1.0, -1.0], COVARIANCE).logpdf(y), abs=1e-8)


def test_an_unknown_column_plays_no_part() -> None:
    found = log_column_by_column(fine([np.nan, 2.0]), np.zeros((1, 2)), ROOT[None], np.array([[False, True]]))
    # The root of the second column given that the first deviates by nothing.
    assert found[0] == pytest.approx(norm(0, ROOT[1, 1]).logpdf(2.0), abs=1e-8)


def test_truncation_raises_what_is_inside_and_forbids_the_rest() -> None:
    one = np.array([[[2.0]]])
    at = np.array([[1.0]])
    ends = np.zeros((1, 1)), np.full((1, 1), 3.0)
    inside = Places(at, at - STEP / 2, at + STEP / 2, *ends, step=np.array([[STEP]]))
    share = norm.cdf(1.5) - norm.cdf(0.0)
    found = log_column_by_column(inside, np.zeros((1, 1)), one, np.ones((1, 1), bool))
    assert found[0] == pytest.approx(norm(0, 2).logpdf(1.0) - np.log(share), abs=1e-8)
    outside = Places(at + 3, at + 2.9, at + 3.1, *ends)
    assert log_column_by_column(outside, np.zeros((1, 1)), one, np.ones((1, 1), bool))[0] == -np.inf


def test_a_step_of_a_grid_is_an_interval_cut_by_the_bounds() -> None:
    at = np.array([[1.0]])
    places = Places(at, at - 0.5, at + 0.5, np.full((1, 1), 0.8), np.full((1, 1), 9.0))
    found = np.exp(log_column_by_column(places, np.zeros((1, 1)), np.ones((1, 1, 1)), np.ones((1, 1), bool)))
    assert found[0] == pytest.approx((norm.cdf(1.5) - norm.cdf(0.8)) / (norm.cdf(9.0) - norm.cdf(0.8)))


def test_a_settled_number_is_certain_and_every_other_impossible() -> None:
    """The second column is twice the first."""
    root = np.array([[[1.0, 0.0], [2.0, 0.0]]])
    free = norm.logpdf(0.7)
    for second, wanted in ((1.4, free), (1.4 + 1e-12, free), (1.5, -np.inf)):
        found = log_column_by_column(fine([0.7, second]), np.zeros((1, 2)), root, BOTH)[0]
        assert found == pytest.approx(wanted, abs=1e-8)


def test_a_settled_number_counts_as_told() -> None:
    root = np.array([[[1.0, 0.0], [2.0, 0.0]]])
    places = fine([0.7, 9.0], settled=np.array([[-1.0, -3.0]]))
    wanted = norm.logpdf(0.7) - 3.0 - np.log(STEP)
    assert log_column_by_column(places, np.zeros((1, 2)), root, BOTH)[0] == pytest.approx(wanted, abs=1e-8)

"""Sequential truncated draws: inside their intervals, and even in the law of each column given those before."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest, truncnorm

from hushwood.arrays import Floats
from hushwood.techniques.kernels.numbers import draw_column_by_column

ROOT = np.array([[[2.0, 0.0, 0.0], [1.0, 0.5, 0.0], [-3.0, 2.0, 0.1]]])
PLAIN = np.full(3, np.nan)  # no column is drawn as a logarithm


FINE = 2.0**-30


def drawn(u: Floats, mean: list[float], low: float, high: float, step: float = FINE) -> Floats:
    out = np.empty(u.shape)
    draw_column_by_column(
        *(np.tile(mean, (len(u), 1)), np.zeros(len(u), np.int64), ROOT, np.ones((1, 3), bool)),
        *(np.full((1, 3), low), np.full((1, 3), high), np.full((1, 3), step), PLAIN, u, out),
    )
    return out


@pytest.mark.parametrize(
    ("mean", "low", "high"),
    [([0, 0, 0], -1e9, 1e9), ([0, 0, 0], -1, 2), ([9, -9, 3], -1, 2), ([0, 0, 0], 0.5, 0.6)],
)
def test_every_columns_place_in_its_law_is_the_number_it_was_drawn_with(
    mean: list[float], low: float, high: float
) -> None:
    u = np.random.default_rng(2).random((400, 3))
    found = drawn(u, mean, low, high)
    assert ((found >= low) & (found <= high)).all()
    assert np.array_equal(found, np.clip(np.rint(found / FINE) * FINE, low, high))
    z = np.zeros((400, 3))
    for j in range(3):
        middle = mean[j] + z[:, :j] @ ROOT[0, j, :j]
        spread = ROOT[0, j, j]
        law = truncnorm((low - middle) / spread, (high - middle) / spread, middle, spread)
        z[:, j] = (found[:, j] - middle) / spread
        # Further out the distribution function itself has no digits left.
        inside = (np.abs(z[:, j]) < 6) & (found[:, j] > low) & (found[:, j] < high)
        assert law.cdf(found[:, j])[inside] == pytest.approx(u[inside, j], abs=1e-6)
    if low < -1e8:
        assert np.isfinite(found).all()
        assert kstest(z.ravel(), "norm").pvalue > 1e-3


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("away", [5.0, 20.0, 60.0, 1e5])
def test_far_out_the_draws_stay_inside(away: float, sign: float) -> None:
    """A box many deviations from the mean: the nearest end, or just beside it, on both sides alike."""
    low, high = sorted((sign * away * 2.0, sign * (away * 2.0 + 1.0)))
    found = drawn(np.random.default_rng(3).random((100, 3)), [0.0, 0.0, 0.0], low, high)
    assert ((found >= low) & (found <= high)).all()
    assert np.abs(np.abs(found[:, 0]) - away * 2.0).max() < 1.0
    if away < 30:
        assert len(np.unique(found[:, 0])) == 100


def test_grids_and_columns_that_others_settle() -> None:
    root = np.array([[[2.0, 0.0], [1.0, 0.0]]])
    u = np.random.default_rng(4).random((50, 2))
    out = np.empty((50, 2))
    draw_column_by_column(
        *(np.zeros((50, 2)), np.zeros(50, np.int64), root, np.ones((1, 2), bool)),
        *(np.full((1, 2), -3.0), np.full((1, 2), 3.0), np.array([[1.0, FINE]]), PLAIN[:2], u, out),
    )
    assert np.array_equal(out[:, 0], np.rint(out[:, 0]))
    assert np.allclose(out[:, 1], out[:, 0] / 2)
    assert set(out[:, 0]) <= set(range(-3, 4))


def test_missing_columns_stay_missing_and_tell_nothing() -> None:
    u = np.random.default_rng(5).random((2000, 3))
    out = np.empty((2000, 3))
    known = np.array([[False, True, True]])
    draw_column_by_column(
        *(np.zeros((2000, 3)), np.zeros(2000, np.int64), ROOT, known),
        *(np.full((1, 3), -1e9), np.full((1, 3), 1e9), np.full((1, 3), FINE), PLAIN, u, out),
    )
    assert np.isnan(out[:, 0]).all()
    assert out[:, 1].std() == pytest.approx(0.5, rel=0.1)

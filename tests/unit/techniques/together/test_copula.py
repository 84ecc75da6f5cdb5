"""Scores, their correlations, and the regression on given columns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import multivariate_normal, norm, spearmanr

from hushwood.arrays import Floats
from hushwood.techniques.together.cells import CellLayout
from hushwood.techniques.together.copula import (
    Places,
    cell_correlations,
    log_between,
    log_column_by_column,
    nearest_correlations,
    order_in_cells,
    positive_semidefinite,
    ranks_in_cells,
    score_correlations,
    score_model,
    scores_of,
    sorted_in_cells,
)
from oracles import correlations as oracle


def two_cells(seed: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(seed)
    x = chance.normal(size=rows)
    values = np.stack([x, np.rint(2 * x + chance.normal(size=rows)), np.exp(-x), np.full(rows, 3.0)], axis=1)
    return values, chance.integers(0, 2, rows)


def test_orders_and_ranks_are_those_inside_cells() -> None:
    values, cell = two_cells(1, 60)
    orders, in_order = sorted_in_cells(values, cell, 2)
    ranks = ranks_in_cells(orders, in_order, CellLayout.of(cell, 2).start)
    for j in range(4):
        assert np.array_equal(values[orders[j], j], in_order[j])
        assert (np.diff(cell[order_in_cells(values[:, j].copy(), cell, 2)]) >= 0).all()
        for c in range(2):
            here = values[cell == c, j]
            assert ranks[cell == c, j].tolist() == oracle.mean_ranks(here.tolist())
    scores = scores_of(ranks, np.bincount(cell)[cell])
    assert scores[cell == 0, 0] == pytest.approx(ndtri((ranks[cell == 0, 0] - 0.5) / (cell == 0).sum()))
    assert not scores[:, 3].any()


def test_correlations_of_scores_come_from_spearmans_by_the_sine_formula() -> None:
    values, cell = two_cells(2, 200)
    orders, in_order = sorted_in_cells(values, cell, 2)
    ranks = ranks_in_cells(orders, in_order, CellLayout.of(cell, 2).start)
    found = score_correlations(ranks, cell, 2)
    for c in range(2):
        spearman = spearmanr(values[cell == c][:, :3])[0]
        assert found[c, :3, :3] == pytest.approx(2 * np.sin(np.pi * spearman / 6), abs=2e-3)
        assert found[c, 3].tolist() == [0, 0, 0, 1]  # a constant goes with nothing
    assert found[0, 0, 2] == pytest.approx(-1)


def test_plain_correlations_of_cells() -> None:
    values, cell = two_cells(3, 90)
    found = cell_correlations(1e300 * values, cell, 2)
    here = values[cell == 1].tolist()
    assert found[1, 0, 1] == pytest.approx(oracle.correlation(oracle.column(here, 0), oracle.column(here, 1)))
    assert not found[:, 3].any()


def test_impossible_correlations_are_brought_to_possible_ones() -> None:
    wanted = np.array([[[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]], np.eye(3)])
    found = nearest_correlations(wanted)
    assert np.linalg.eigvalsh(found).min() > -1e-12
    assert np.diagonal(found, axis1=1, axis2=2) == pytest.approx(np.ones((2, 3)))
    assert found[1] == pytest.approx(np.eye(3))
    assert np.sign(found[0]).tolist() == np.sign(wanted[0]).tolist()
    fine = np.array([[[2.0, 1.0], [1.0, 2.0]]])
    assert positive_semidefinite(fine) is fine
    assert np.linalg.eigvalsh(positive_semidefinite(wanted)).min() > -1e-12


@pytest.mark.parametrize("kind", ["normal", "binary", "settled", "opposite"])
def test_new_scores_have_variance_one_and_a_rest_that_can_be_drawn(kind: str) -> None:
    """Also where ties take variance from the old scores, or given columns settle a column."""
    chance = np.random.default_rng(4)
    rows = 400
    s = chance.normal(size=rows)
    x = {
        "normal": s + chance.normal(size=rows),
        "binary": (s + chance.normal(size=rows) > 0.5).astype(float),
        "settled": s**3,
        "opposite": -s,
    }[kind]
    values = np.stack([x, np.rint(s), chance.normal(size=rows), x + chance.normal(size=rows)], axis=1)
    cell = np.zeros(rows, np.int64)
    orders, in_order = sorted_in_cells(values, cell, 1)
    ranks = ranks_in_cells(orders, in_order, np.array([0, rows]))
    design = np.stack([s, s > 0], axis=1)
    model = score_model(ranks, design, cell, np.array([rows]))
    fitted = model.fitted(design, cell)
    assert np.abs(fitted.mean(axis=0)).max() < 1e-9
    assert fitted.var(axis=0, ddof=1) + np.diagonal(model.rest[0]) == pytest.approx(np.ones(4), abs=1e-6)
    assert np.linalg.eigvalsh(model.rest[0]).min() > -1e-9
    # Under the model the scores go with the given columns as the old ones do, ties or not.
    scores = scores_of(ranks, np.full(rows, rows))
    for j in range(4):
        old = oracle.correlation(scores[:, j].tolist(), s.tolist())
        new = oracle.covariance(fitted[:, j].tolist(), s.tolist()) / np.std(s, ddof=1)
        assert new == pytest.approx(old, abs=1e-6)


def test_cells_have_models_of_their_own() -> None:
    values, cell = two_cells(5, 120)
    orders, in_order = sorted_in_cells(values, cell, 2)
    ranks = ranks_in_cells(orders, in_order, CellLayout.of(cell, 2).start)
    design = values[:, :1]
    both = score_model(ranks, design, cell, np.bincount(cell))
    for c in range(2):
        here = cell == c
        zeros = np.zeros(here.sum(), np.int64)
        alone = score_model(ranks[here], design[here], zeros, np.array([here.sum()]))
        assert both.of_cells(np.array([c])).rest == pytest.approx(alone.rest)
        assert both.fitted(design, cell)[here] == pytest.approx(alone.fitted(design[here], zeros))


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

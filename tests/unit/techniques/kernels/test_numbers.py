"""Sequential truncated draws: inside their intervals, and even in the law of each column given those before.

Quantile functions of cells and their inverses against plain interpolation. Moments, roots and products of cells against
plain loops.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest, truncnorm

from hushwood.arrays import Floats
from hushwood.random_streams import Streams
from hushwood.tables.domains import Intervals, from_steps, to_steps, wrap
from hushwood.techniques.kernels.numbers import (
    cell_moments,
    cell_products,
    column_spreads,
    draw_column_by_column,
    positions_of,
    triangular_roots,
    values_at,
)
from hushwood.techniques.laws.noise import NoiseLaw
from oracles import correlations as oracle

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


STREAMS = Streams(bytes(range(32)))
ROWS = 2_000


def plainly(law: NoiseLaw, values: np.ndarray, segment_ids: np.ndarray) -> np.ndarray:
    """The law in plain numpy, one array after the other."""
    inside = law.intervals.take(segment_ids)
    x = to_steps(values, inside.precision)
    place = x - inside.first
    if not inside.decimal:
        place = np.clip(np.rint(place / inside.step), 0.0, inside.points - 1.0)
    noise = np.rint(law.scale[segment_ids] / inside.step * STREAMS.normal("T", "x", 0, range(len(values))))
    steps = wrap(place + noise, inside.points) * (1.0 if inside.decimal else inside.step)
    moves = (law.scale[segment_ids] > 0) & (inside.width > 0)
    if law.covered is not None:
        moves &= law.covered[segment_ids]
    return np.where(moves & ~np.isnan(values), from_steps(inside.first + steps, inside.precision), values)


@pytest.mark.parametrize("precision", [None, 0, 2])
@pytest.mark.parametrize("covered", [None, np.array([True, False, True])])
@pytest.mark.parametrize("noise", [0.0, 0.1, 3.0])
def test_the_loop_says_what_numpy_says(
    precision: int | None, covered: np.ndarray | None, noise: float
) -> None:
    unit = 1.0 if precision is None else 10.0**precision
    low, high = np.array([-5.0, 3.0, 7.0]) * unit, np.array([5.0, 9.0, 7.0]) * unit
    intervals = Intervals(low, high, precision)
    law = NoiseLaw("x", intervals, noise * intervals.width, "wrap", "normal", "T", covered)
    segment_ids = np.arange(ROWS) % 3
    u = STREAMS.uniform("values", "", 0, range(ROWS))
    values = from_steps(
        np.rint(low[segment_ids] + u * (high - low)[segment_ids])
        if precision is not None
        else low[segment_ids] + u * (high - low)[segment_ids],
        precision,
    )
    values[::17] = np.nan
    found = law.sample({"x": values}, segment_ids, range(ROWS), STREAMS)["x"]
    np.testing.assert_array_equal(found, plainly(law, values, segment_ids))


knots = st.lists(st.integers(-4, 4), min_size=1, max_size=12).map(lambda v: sorted(float(x) for x in v))


@given(knots, knots, st.lists(st.floats(0, 1), min_size=1, max_size=8))
@settings(max_examples=80)
def test_values_at_positions_equal_the_oracle(
    one: list[float], other: list[float], places: list[float]
) -> None:
    offset = np.array([0, len(one), len(one) + len(other)])
    cell = np.repeat([0, 1], len(places))
    found = values_at(np.array(places * 2), cell, np.array(one + other), offset)
    wanted = [oracle.quantile(v, p) for v in (one, other) for p in places]
    assert found == pytest.approx(np.array(wanted))
    assert (found >= np.repeat([one[0], other[0]], len(places))).all()
    assert (found <= np.repeat([one[-1], other[-1]], len(places))).all()


@given(knots, st.lists(st.floats(0.001, 0.999), min_size=1, max_size=8))
@settings(max_examples=80)
def test_a_position_lies_between_those_of_its_value(mine: list[float], places: list[float]) -> None:
    """Where no mass sits on the value the two are equal, and the position comes back."""
    offset, cell = np.array([0, len(mine)]), np.zeros(len(places), np.int64)
    values = values_at(np.array(places), cell, np.array(mine), offset)
    below, upto = positions_of(values, cell, np.array(mine), offset)
    assert (below <= np.array(places) + 1e-9).all()
    assert (upto >= np.array(places) - 1e-9).all()
    for value, low, high in zip(values.tolist(), below.tolist(), upto.tolist(), strict=True):
        if mine.count(value) < 2 and len(mine) > 1:
            assert low == pytest.approx(high)
        else:
            assert high > low


def test_positions_outside_and_on_heavy_values() -> None:
    mine = np.array([0.0, 1.0, 1.0, 1.0, 3.0])
    values = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 9.0])
    below, upto = positions_of(values, np.zeros(7, np.int64), mine, np.array([0, 5]))
    assert below.tolist() == [0, 0, 0.125, 0.25, 0.875, 1, 1]
    assert upto.tolist() == [0, 0, 0.125, 0.75, 0.875, 1, 1]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(-1e6, 1e6), st.integers(-9, 9)), min_size=1, max_size=30)
)
@settings(max_examples=60)
def test_moments_equal_the_oracle(rows: list[tuple[int, float, int]]) -> None:
    values = np.array([[x, float(y), x - 2 * y] for _, x, y in rows])
    mean, covariance = cell_moments(values, np.array([c for c, _, _ in rows]), 4)
    for c in range(4):
        here = [row.tolist() for row, (cell, _, _) in zip(values, rows, strict=True) if cell == c]
        if not here:
            assert not mean[c].any()
            assert not covariance[c].any()
            continue
        assert mean[c] == pytest.approx([oracle.mean(oracle.column(here, j)) for j in range(3)], abs=1e-8)
        assert np.allclose(covariance[c], oracle.covariances(here), rtol=1e-12, atol=1e-8)


@pytest.mark.parametrize("value", [0.1, 1e9 + 0.1, -1e300, 7.0, 3e-300])
@pytest.mark.parametrize("count", [1, 3, 10, 1001])
def test_equal_numbers_have_exactly_their_mean_and_no_variance(value: float, count: int) -> None:
    values = np.stack([np.full(count, value), np.arange(float(count))], axis=1)
    mean, covariance = cell_moments(values, np.zeros(count, np.int64), 1)
    assert mean[0, 0] == value
    assert not covariance[0, 0].any()
    assert covariance[0, 1, 1] == pytest.approx(count * (count + 1) / 12 if count > 1 else 0.0)


def test_a_large_offset_costs_no_digits() -> None:
    small = np.random.default_rng(1).integers(-50, 50, (200, 2)) / 64
    cell = np.arange(200) % 3
    mean, covariance = cell_moments(small, cell, 3)
    moved_mean, moved = cell_moments(small + 2.0**30, cell, 3)
    assert np.allclose(moved, covariance, rtol=1e-12)
    assert moved_mean - 2.0**30 == pytest.approx(mean, abs=1e-6)


def semidefinite(seed: int, width: int, rank: int) -> Floats:
    factor = np.random.default_rng(seed).normal(size=(width, rank))
    return factor @ factor.T


@pytest.mark.parametrize("width", [1, 2, 5, 12])
def test_roots_give_the_covariance_back(width: int) -> None:
    stack = np.stack([semidefinite(s, width, rank) for s in range(4) for rank in range(width + 1)])
    root = triangular_roots(stack)
    assert not np.triu(root, 1).any()
    back = root @ root.transpose(0, 2, 1)
    assert np.abs(back - stack).max() <= 1e-7 * max(np.abs(stack).max(), 1)
    assert (np.diagonal(root, axis1=1, axis2=2) >= 0).all()


def test_a_column_that_others_make_up_gets_no_pivot() -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 50))
    covariance = np.cov([x, np.zeros(50), y, 3 * x - y, x])[None]
    root = triangular_roots(covariance)[0]
    assert (np.diagonal(root) > 0).tolist() == [True, False, True, False, False]
    assert np.allclose(root @ root.T, covariance[0], atol=1e-9)
    assert not triangular_roots(np.zeros((1, 3, 3))).any()


def test_products_are_those_of_every_rows_own_matrix() -> None:
    chance = np.random.default_rng(4)
    matrices, cell = chance.normal(size=(3, 2, 4)), chance.integers(0, 3, 20)
    values = chance.normal(size=(20, 4))
    found = cell_products(values, matrices, cell)
    for i in range(20):
        assert found[i] == pytest.approx(matrices[cell[i]] @ values[i])
    assert (
        cell_products(np.empty((5, 0)), np.empty((1, 3, 0)), np.zeros(5, np.int64)).tolist()
        == [[0.0] * 3] * 5
    )


def test_spreads_of_the_values_that_are_there() -> None:
    nan = np.nan
    values = np.array(
        [[nan, 0.1, 1.0, nan], [3.0, 0.1, 1e9 + 1, nan], [5.0, 0.1, 1e9, nan], [nan, 0.1, nan, 7.0]]
    )
    found = column_spreads(values)
    assert found[0] == 1.0
    assert found[1] == 1.0, "equal values have no spread, to the last bit"
    assert found[2] == pytest.approx(np.std(values[:3, 2]))
    assert found[3] == 1.0
    assert column_spreads(np.full((2, 1), nan)).tolist() == [1.0]

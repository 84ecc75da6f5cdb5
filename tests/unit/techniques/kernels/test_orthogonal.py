"""Turns of three records and of blocks: orthogonal, exact, inside their boxes, and as free as the boxes let them be.

Random frames and exact draws: orthonormal, orthogonal to what is given, with the covariances they must have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.techniques.kernels.orthogonal import (
    DEPENDENT,
    _narrowed,
    exact_draws,
    random_frames,
    turn_blocks,
    turn_threes,
)
from oracles import correlations as oracle

WIDE = 1e6


def turned(numbers: Floats, u: list[float], low: float = -WIDE, high: float = WIDE) -> Floats:
    out = numbers.copy()
    rows, width = numbers.shape
    ends = np.full((1, width), low), np.full((1, width), high)
    turn_threes(out, np.arange(rows), np.array([0, rows]), *ends, np.array(u))
    return out


def moments(numbers: Floats) -> Floats:
    away = numbers - numbers.mean(axis=0)
    return np.concatenate([numbers.mean(axis=0)[None], away.T @ away])


@pytest.mark.parametrize("u", [[0.5, 0.1, 0.5], [0.9, 0.5, 0.1], [0.2, 0.99, 0.3]])
def test_a_turn_of_three_is_orthogonal_and_leaves_ones_in_place(u: list[float]) -> None:
    """What the unit vectors become is the matrix itself."""
    matrix = turned(np.eye(3), u)
    assert np.allclose(matrix.T @ matrix, np.eye(3), atol=1e-14)
    assert np.allclose(matrix.sum(axis=0), 1, atol=1e-14)
    assert np.linalg.det(matrix) == pytest.approx(1)


def test_without_a_turn_three_records_change_places() -> None:
    for chance, wanted in ((0.1, [0, 1, 2]), (0.5, [1, 2, 0]), (0.9, [2, 0, 1])):
        found = turned(np.array([[0.0, 5.0], [1.0, 7.0], [2.0, 6.0]]), [0.5, chance, 0.5])
        assert found[:, 0] == pytest.approx(wanted)
        assert found[:, 1] == pytest.approx([[5.0, 7.0, 6.0][i] for i in wanted])


@pytest.mark.parametrize("scale", [1e-15, 1.0, 1e12])
@pytest.mark.parametrize("rows", [3, 4, 5, 30])
def test_sweeps_keep_moments_and_boxes(rows: int, scale: float) -> None:
    chance = np.random.default_rng(rows)
    numbers = scale * np.stack([chance.uniform(-1, 1, rows), chance.choice([-1.0, 0.2, 1.0], rows)], axis=1)
    before, start = moments(numbers), numbers.copy()
    for _ in range(12):
        ends = np.full((1, 2), -scale), np.full((1, 2), scale)
        turn_threes(numbers, chance.permutation(rows), np.array([0, rows]), *ends, chance.random(rows))
    assert np.abs(numbers).max() <= scale
    assert np.allclose(moments(numbers), before, rtol=0, atol=1e-13 * rows * max(scale, scale**2))
    assert not np.array_equal(numbers, start)


def test_small_spreads_far_from_zero_are_as_exact() -> None:
    chance = np.random.default_rng(8)
    small = chance.choice([-0.25, 0.125, 0.25], (30, 2))
    numbers = small + 4096.0
    for _ in range(12):
        ends = np.full((1, 2), 4095.75), np.full((1, 2), 4096.25)
        turn_threes(numbers, chance.permutation(30), np.array([0, 30]), *ends, chance.random(30))
    assert np.abs(numbers - 4096).max() <= 0.25
    assert np.allclose(moments(numbers - 4096), moments(small), rtol=0, atol=1e-10)


def test_a_constant_column_at_the_end_of_its_box_stops_nothing() -> None:
    """Rounding must not make it look as if equal numbers moved."""
    chance = np.random.default_rng(1)
    numbers = np.stack([np.full(3, 1e9 + 0.1), chance.normal(size=3)], axis=1)
    out = numbers.copy()
    ends = np.array([[1e9 + 0.1, -9.0]]), np.array([[1e9 + 0.1, 9.0]])
    turn_threes(out, np.arange(3), np.array([0, 3]), *ends, np.array([0.9, 0.1, 0.1]))
    assert np.array_equal(out[:, 0], numbers[:, 0])
    assert np.abs(out[:, 1] - numbers[:, 1]).min() > 1e-3


def test_records_left_over_and_small_cells_stay() -> None:
    numbers = np.arange(7.0)[:, None]
    out = numbers.copy()
    ends = np.full((2, 1), -WIDE), np.full((2, 1), WIDE)
    turn_threes(out, np.arange(7), np.array([0, 2, 7]), *ends, np.full(7, 0.9))
    assert out[[0, 1, 5, 6], 0].tolist() == [0, 1, 5, 6]
    assert not np.isclose(out[2:5], numbers[2:5]).any()


@pytest.mark.parametrize("seed", range(60))
def test_the_allowed_turns_are_those_around_zero_that_stay_inside(seed: int) -> None:
    chance = np.random.default_rng(seed)
    middle, cosine, sine = chance.normal(size=3) * [0.3, 1, 1]
    low = min(-chance.exponential(), middle + cosine)
    high = max(chance.exponential(), middle + cosine)
    if seed % 5 == 0:
        low = middle + cosine  # the number lies at the end of its box
    first, last = _narrowed(-np.pi, np.pi, middle, cosine, sine, low, high)
    grid = np.linspace(-np.pi, np.pi, 20_001)
    where = middle + cosine * np.cos(grid) + sine * np.sin(grid)
    inside = (where >= low - 1e-9) & (where <= high + 1e-9)
    zero = len(grid) // 2
    runs = np.flatnonzero(np.diff(inside.astype(int)))
    ends = [-1, *runs.tolist(), len(grid) - 1]
    (begin, end), *_ = [(a + 1, b) for a, b in pairwise(ends) if a < zero <= b]
    assert first == pytest.approx(grid[begin], abs=1e-3)
    assert last == pytest.approx(grid[end], abs=1e-3)


def test_turns_are_even_between_their_ends() -> None:
    """Without bounds the angle of the first record's deviation is even on the circle."""
    angles = []
    for u in np.linspace(0.005, 0.995, 100):
        a, b, c = turned(np.array([[1.0], [-1.0], [0.0]]), [float(u), 0.1, 0.5])[:, 0]
        angles.append(np.arctan2((a + b - 2 * c) / np.sqrt(6), (a - b) / np.sqrt(2)))
    counts, _ = np.histogram(angles, 10, (-np.pi, np.pi))
    assert set(counts.tolist()) <= {9, 10, 11}


@pytest.mark.parametrize("kind", ["numbers", "twice", "constant", "nothing"])
def test_blocks_keep_what_is_given(kind: str) -> None:
    chance = np.random.default_rng(7)
    rows = 60
    s = chance.normal(size=(rows, 2))
    given = {
        "numbers": s,
        "twice": np.stack([s[:, 0], s[:, 0]], axis=1),
        "constant": np.stack([s[:, 0], np.zeros(rows)], axis=1),
        "nothing": s[:, :0],
    }[kind]
    numbers = np.stack([chance.uniform(-1, 1, rows), chance.choice([-1.0, 1.0], rows)], axis=1)
    start, before = numbers.copy(), moments(np.concatenate([numbers, given], axis=1))
    for _ in range(12):
        ends = np.full((1, 2), -1.5), np.full((1, 2), 1.5)
        order = chance.permutation(rows)
        turn_blocks(
            *(numbers, given, order, np.array([0, rows]), *ends),
            *(chance.random(rows), chance.normal(size=(rows, 2))),
        )
    assert np.allclose(moments(np.concatenate([numbers, given], axis=1)), before, atol=1e-12 * rows)
    assert (np.abs(numbers) <= 1.5).all()
    assert np.abs(numbers - start).mean() > 0.3


EPSILON = float(np.finfo(np.float64).eps)

# What may be given: nothing, numbers, indicators that add up to 1, the same column twice, constants.
GIVEN: Mapping[str, Callable[[Floats], Floats]] = {
    "nothing": lambda x: x[:, :0],
    "a number": lambda x: x[:, :1],
    "indicators": lambda x: (np.digitize(x[:, :1], [-0.5, 0.5]) == np.arange(3)).astype(float),
    "twice": lambda x: np.stack([x[:, 0], 2 * x[:, 0], x[:, 1]], axis=1),
    "nearly twice": lambda x: np.stack([x[:, 0], x[:, 0] + 1e-9 * x[:, 1]], axis=1),
    "constant": lambda x: np.stack([np.full(len(x), 0.1), x[:, 0]], axis=1),
}
# What is perturbed: independent, dependent, nearly dependent, constant and given columns among them.
NUMBERS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "independent": lambda a, s: a,
    "dependent": lambda a, s: np.stack([a[:, 0], a[:, 1], a[:, 0] - 3 * a[:, 1]], axis=1),
    "nearly dependent": lambda a, s: np.stack([a[:, 0], a[:, 0] + 1e-7 * a[:, 1], a[:, 2]], axis=1),
    "barely apart": lambda a, s: np.stack([a[:, 0], a[:, 0] + 1e-12 * a[:, 1], a[:, 2]], axis=1),
    "constant": lambda a, s: np.stack([np.full(len(a), 0.1), a[:, 0], np.zeros(len(a))], axis=1),
    "as given": lambda a, s: np.stack([a[:, 0], s.sum(axis=1) + 1.0, a[:, 1]], axis=1),
    "nearly as given": lambda a, s: np.stack([a[:, 0], s.sum(axis=1) + 1e-8 * a[:, 1], a[:, 2]], axis=1),
    "offset": lambda a, s: 1e6 + a,
    "scales": lambda a, s: a * [1e-12, 1.0, 1e12],
}

each_given = pytest.mark.parametrize("given", GIVEN)
each_kind = pytest.mark.parametrize("kind", NUMBERS)
sizes = pytest.mark.parametrize("rows", [11, 40])


def normals(seed: int, rows: int) -> Floats:
    return np.random.default_rng(seed).normal(size=(rows, 3))


def rounding(columns: Floats) -> float:
    """How far apart two ways to take the columns out of a number may come, by rounding alone.

    Two columns that differ by 1e-9 of their length have a difference whose direction is known to seven digits.
    """
    sizes = np.linalg.svd(columns - columns.mean(axis=0), compute_uv=False)
    kept = sizes[sizes > DEPENDENT * sizes.max(initial=0.0)]
    return float(8 * EPSILON * kept.max(initial=1.0) / kept.min(initial=1.0))


def length(column: Floats) -> float:
    return float(np.sqrt((column**2).sum()))


@each_given
@sizes
def test_frames_are_orthonormal_and_orthogonal_to_what_is_given(given: str, rows: int) -> None:
    fixed = np.ascontiguousarray(GIVEN[given](normals(1, 2 * rows)))
    out = np.full((2 * rows, 3), 9.0)
    start = np.array([0, rows, rows, 2 * rows])
    random_frames(normals(2, 2 * rows), fixed, start, np.ones(3, bool), out)
    for here in (slice(0, rows), slice(rows, 2 * rows)):
        assert np.allclose(out[here].T @ out[here], np.eye(3), atol=1e-12)
        assert np.abs(out[here].sum(axis=0)).max() < 1e-12
        assert np.abs(out[here].T @ fixed[here]).max(initial=0.0) < 1e-11


def test_only_chosen_cells_are_touched() -> None:
    out = np.full((20, 3), 9.0)
    random_frames(normals(1, 20), np.empty((20, 0)), np.array([0, 10, 20]), np.array([False, True]), out)
    assert (out[:10] == 9).all()
    assert (np.abs(out[10:]) <= 1).all()
    numbers = normals(2, 20)
    drawn = numbers.copy()
    exact_draws(
        *(numbers, np.empty((20, 0)), normals(3, 20), np.array([0, 10, 20])),
        *(np.array([False, True]), 0.0, drawn),
    )
    assert np.array_equal(drawn[:10], numbers[:10])
    assert not np.isclose(drawn[10:], numbers[10:]).any()


def test_frames_are_as_likely_in_any_direction() -> None:
    """The first axis of two records' differences: on a circle, all angles alike (three records, one plane)."""
    rows = 3 * 4000
    out = np.empty((rows, 1))
    start = np.arange(0, rows + 1, 3)
    random_frames(normals(5, rows)[:, :1].copy(), np.empty((rows, 0)), start, np.ones(4000, bool), out)
    axis = out[:, 0].reshape(-1, 3)
    angle = np.arctan2(
        (axis[:, 0] + axis[:, 1] - 2 * axis[:, 2]) / np.sqrt(6), (axis[:, 0] - axis[:, 1]) / np.sqrt(2)
    )
    counts, _ = np.histogram(angle, 8, (-np.pi, np.pi))
    assert ((counts - 500) ** 2 / 500).sum() < 30


@each_given
@each_kind
@sizes
@pytest.mark.parametrize("rho", [0.0, 0.7])
def test_exact_draws_keep_means_and_covariances(given: str, kind: str, rows: int, rho: float) -> None:
    fixed = np.ascontiguousarray(GIVEN[given](normals(1, rows)))
    numbers = NUMBERS[kind](normals(2, rows), fixed)
    drawn = np.empty(numbers.shape)
    exact_draws(numbers, fixed, normals(3, rows), np.array([0, rows]), np.ones(1, bool), rho, drawn)
    spread = [length(column - column.mean()) for column in numbers.T]
    # A number cannot be held more exactly than its own last bit.
    bit = [float(np.spacing(np.abs(column).max()) * np.sqrt(rows)) for column in numbers.T]
    old, new = (oracle.covariances(np.concatenate([x, fixed], axis=1).tolist()) for x in (numbers, drawn))
    given_spread = [length(column - column.mean()) for column in fixed.T]
    width = [s + b for s, b in zip(spread, bit, strict=True)] + given_spread
    for i in range(3):
        assert (
            abs(oracle.mean(drawn[:, i].tolist()) - oracle.mean(numbers[:, i].tolist()))
            <= 1e-9 * spread[i] + 8 * bit[i]
        )
        for j in range(len(width)):
            slack = 1e-9 * width[i] * width[j] + 8 * bit[i] * width[j]
            slack += 8 * width[i] * bit[j] if j < 3 else 0.0
            assert abs(new[i][j] - old[i][j]) * (rows - 1) <= slack, (i, j)


@each_given
@pytest.mark.parametrize("rho", [0.0, 0.3, 0.99])
def test_residuals_of_old_and_new_numbers_have_exactly_the_wanted_correlation(given: str, rho: float) -> None:
    rows = 30
    fixed = np.ascontiguousarray(GIVEN[given](normals(1, rows)))
    numbers = normals(2, rows) @ normals(9, 3)
    drawn = np.empty(numbers.shape)
    exact_draws(numbers, fixed, normals(3, rows), np.array([0, rows]), np.ones(1, bool), rho, drawn)
    for j in range(3):
        old, new = (oracle.residuals(x[:, j].tolist(), fixed.tolist()) for x in (numbers, drawn))
        assert oracle.correlation(old, new) == pytest.approx(rho, abs=1e-12 + rounding(fixed))


def test_without_numbers_or_with_one() -> None:
    for width in (0, 1):
        numbers = normals(2, 12)[:, :width].copy()
        drawn = numbers.copy()
        exact_draws(
            *(numbers, np.empty((12, 0)), normals(3, 12)[:, :width].copy(), np.array([0, 12])),
            *(np.ones(1, bool), 0.0, drawn),
        )
        assert drawn.std(axis=0) == pytest.approx(numbers.std(axis=0))


@pytest.mark.parametrize("given", ["nothing", "a number", "indicators"])
@pytest.mark.parametrize("rows", [511, 512, 513, 1300])
def test_cells_of_several_blocks_are_as_exact(given: str, rows: int) -> None:
    fixed = np.ascontiguousarray(GIVEN[given](normals(1, rows)))
    numbers = 1e4 + normals(2, rows) @ np.array([[1.0, 0.5, 0.0], [0.0, 1.0, 0.3], [0.0, 0.0, 1.0]])
    out = numbers.copy()
    exact_draws(numbers, fixed, normals(3, rows), np.array([0, rows]), np.ones(1, bool), 0.3, out)
    assert out.mean(axis=0) == pytest.approx(numbers.mean(axis=0), rel=1e-13)
    before, after = (np.cov(np.concatenate([x, fixed], axis=1).T) for x in (numbers, out))
    np.testing.assert_allclose(after, before, atol=1e-11)
    assert np.abs(out - numbers).max() > 1

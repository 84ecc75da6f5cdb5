"""Turns of three records and of blocks: orthogonal, exact, inside their boxes, and as free as the boxes let them be."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.techniques.kernels.orthogonal import _narrowed, turn_blocks, turn_threes

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

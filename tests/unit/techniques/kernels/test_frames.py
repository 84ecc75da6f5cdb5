"""Random frames and exact draws: orthonormal, orthogonal to what is given, with the covariances they must have."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.techniques.kernels.orthogonal import DEPENDENT, exact_draws, random_frames
from oracles import correlations as oracle

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

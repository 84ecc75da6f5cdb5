from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.reconstruction.noise_shapes import AddedNoise, own_interval
from oracles.reconstruction import (
    normal_density,
    normal_distribution,
    uniform_density,
    uniform_distribution,
)

EDGES = np.array([0.0, 1.0, 1.5, 4.0])
RELEASED = np.array([-3.0, -0.2, 0.7, 1.25, 3.0, 6.5])


@pytest.mark.parametrize(
    ("noise", "density", "below"),
    [
        (AddedNoise(0.8), normal_density(0.8), normal_distribution(0.8)),
        (AddedNoise(0.8, "uniform"), uniform_density(0.8), uniform_distribution(0.8)),
    ],
)
def test_densities_and_interval_means_as_printed(noise: AddedNoise, density: object, below: object) -> None:
    points = np.array([0.5, 2.0])
    pairs = [[density(w - x) for x in points] for w in RELEASED]  # type: ignore[operator]
    np.testing.assert_allclose(noise.densities(RELEASED, points), pairs, atol=1e-12)
    means = [
        [(below(w - lo) - below(w - hi)) / (hi - lo) for lo, hi in pairwise(EDGES)]  # type: ignore[operator]
        for w in RELEASED
    ]
    np.testing.assert_allclose(noise.over_intervals(RELEASED, EDGES), means, atol=1e-12)


def test_uniform_noise_has_half_its_density_where_it_jumps() -> None:
    noise = AddedNoise(0.3, "uniform")
    middles: NDArray[np.float64] = (
        np.arange(8.0) * 0.1 + 0.05
    )  # differences of 0.3, each rounded in its own way
    given = noise.densities(middles, middles)
    steps = abs(np.arange(8)[:, None] - np.arange(8))
    np.testing.assert_allclose(given, np.select([steps < 3, steps == 3], [1 / 0.6, 1 / 1.2], 0.0))


def test_tails_keep_their_digits_on_both_sides() -> None:
    noise = AddedNoise(1.0)
    far = noise.over_intervals(np.array([20.0, -20.0]), np.array([-1.0, 1.0]))
    assert far[0, 0] > 0
    assert far[0, 0] == pytest.approx(far[1, 0], rel=1e-9)


def test_without_noise_a_value_tells_its_interval() -> None:
    none = AddedNoise(0.0)
    values = np.array([-0.1, 0.0, 1.0, 1.4, 4.0, 4.1])
    held = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    np.testing.assert_array_equal(none.over_intervals(values, EDGES), held / np.diff(EDGES))
    np.testing.assert_array_equal(own_interval(values, EDGES), np.array(held, bool))
    assert none.densities(np.array([1.0, 2.0]), np.array([2.0])).tolist() == [[0.0], [1.0]]
    assert none.entropies(np.zeros(2)).tolist() == [-np.inf, -np.inf]


def test_entropy_of_noise() -> None:
    assert AddedNoise(4.0, "uniform").entropies(np.zeros(1))[0] == pytest.approx(3.0)
    assert AddedNoise(2.0).entropies(np.zeros(3)) == pytest.approx(
        np.full(3, np.log2(2 * np.pi * np.e * 4) / 2)
    )


@pytest.mark.parametrize("noise", [AddedNoise(0.3), AddedNoise(0.3, "uniform")])
def test_points_cover_all_that_can_be_released(noise: AddedNoise) -> None:
    points, room = noise.released_points(EDGES)
    np.testing.assert_allclose(noise.over_intervals(points, EDGES).sum(axis=0) * room, 1.0, rtol=1e-3)


@pytest.mark.parametrize("scale", [-1.0, np.inf, np.nan])
def test_a_scale_is_a_number_from_0_on(scale: float) -> None:
    with pytest.raises(InputError, match="scale of noise"):
        AddedNoise(scale)


def test_unknown_distributions_are_named() -> None:
    with pytest.raises(InputError, match="no distribution 'cauchy'"):
        AddedNoise(1.0, "cauchy")  # type: ignore[arg-type]

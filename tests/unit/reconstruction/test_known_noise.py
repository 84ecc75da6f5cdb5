"""Noise that is added, and noise that stays inside a domain."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.reconstruction.known_noise import AddedNoise, NoiseInside, own_interval
from hushwood.tables.domains import Intervals
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from oracles.reconstruction import (
    normal_density,
    normal_distribution,
    uniform_density,
    uniform_distribution,
    wrapped_kernel,
)
from support.mixed_tables import number

EDGES = np.array([0.0, 1.0, 1.5, 4.0])
RELEASED = np.array([-3.0, -0.2, 0.7, 1.25, 3.0, 6.5])

BOUNDARIES = ("wrap", "reflect", "truncate")
SHAPES = ("normal", "uniform")


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
    middles: Floats = np.arange(8.0) * 0.1 + 0.05  # differences of 0.3, each rounded in its own way
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
    with pytest.raises(InputError, match="scale must be"):
        AddedNoise(scale)


def test_unknown_distributions_are_named() -> None:
    with pytest.raises(InputError, match="normal, uniform, laplace or triangular"):
        AddedNoise(1.0, "cauchy")  # type: ignore[arg-type]


def inside(precision: int | None, low: float = 1, high: float = 12, **parameters: Any) -> NoiseInside:
    return NoiseInside.over_domain(number("x", low, high, precision), NoiseParameters(**parameters))


def test_wrapped_noise_on_a_grid_by_summing_turns() -> None:
    noise = inside(0)
    steps = np.arange(1.0, 13.0)
    expected = [[wrapped_kernel(int(x), int(w), 1, 12, 4.0) for x in steps] for w in steps]
    np.testing.assert_allclose(noise.densities(steps, steps), expected, atol=1e-12)
    means = [[np.mean(row[:5]), np.mean(row[5:])] for row in expected]
    np.testing.assert_allclose(noise.over_intervals(steps, np.array([0.5, 5.5, 12.5])), means, atol=1e-12)


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("distribution", SHAPES)
@pytest.mark.parametrize("precision", [0, 1, None])
def test_what_is_released_is_always_something(
    boundary: str, distribution: str, precision: int | None
) -> None:
    noise = inside(precision, boundary=boundary, distribution=distribution, noise=0.2)
    edges = noise.edges(*noise.domain, 4)
    points, room = noise.released_points(edges)
    totals = noise.over_intervals(points, edges).sum(axis=0) * room
    np.testing.assert_allclose(totals, 1.0, rtol=3e-3)
    assert noise.widths(edges).sum() == pytest.approx({0: 12, 1: 111, None: 11}[precision])


@pytest.mark.parametrize("precision", [0, None])
def test_noise_of_the_value_is_something_too(precision: int | None) -> None:
    noise = inside(precision, noise=0.3, of="value", boundary="truncate")
    edges = noise.edges(*noise.domain, 4)
    points, room = noise.released_points(edges)
    np.testing.assert_allclose(noise.over_intervals(points, edges).sum(axis=0) * room, 1.0, rtol=3e-3)
    assert noise.densities(np.array([1.0]), np.array([1.0])) > noise.densities(
        np.array([9.0]), np.array([9.0])
    )


def test_noise_of_the_value_that_vanishes_near_zero_cannot_be_taken_out_of_reals() -> None:
    with pytest.raises(InputError, match="'x' is a share of the value and vanishes near 0"):
        inside(None, low=-1, noise=0.3, of="value")
    assert inside(0, low=-1, noise=0.3, of="value").densities(np.zeros(1), np.zeros(1)) == 1


def test_intervals_on_a_grid_hold_whole_values() -> None:
    noise = inside(1, low=0.1, high=0.9)
    np.testing.assert_allclose(noise.edges(*noise.domain, 3), [0.05, 0.35, 0.65, 0.95])
    np.testing.assert_allclose(noise.edges(*noise.domain, 4), [0.05, 0.25, 0.45, 0.75, 0.95])
    assert noise.widths(np.array([0.05, 0.25, 0.95])).tolist() == [2, 7]
    assert len(noise.edges(*noise.domain, 100)) == 10


def test_limits_on_grid_values_are_taken_as_histograms_do() -> None:
    noise = inside(0)
    assert noise.widths(np.array([1.0, 4.0, 12.0])).tolist() == [3, 9]
    steps = np.arange(1.0, 13.0)
    given = noise.densities(steps, steps)
    means = np.column_stack([given[:, :3].mean(axis=1), given[:, 3:].mean(axis=1)])
    np.testing.assert_allclose(noise.over_intervals(steps, np.array([1.0, 4.0, 12.0])), means)


def test_intervals_beyond_the_domain_give_nothing() -> None:
    for precision in (0, None):
        kernel = inside(precision).over_intervals(np.array([3.0]), np.array([-10.0, 0.0, 20.0, 30.0]))
        assert kernel[0, 0] == kernel[0, 2] == 0.0
        assert kernel[0, 1] > 0
        np.testing.assert_array_equal(
            inside(precision).widths(np.array([-10.0, 0.0, 20.0, 30.0])) > 0, [False, True, False]
        )


@pytest.mark.parametrize("precision", [0, None])
def test_without_noise_inside_a_domain_a_value_tells_its_interval(precision: int | None) -> None:
    kernel = inside(precision, noise=0.0).over_intervals(np.array([2.0, 7.0]), np.array([0.5, 6.5, 12.5]))
    room = 6.0 if precision == 0 else 5.5
    np.testing.assert_allclose(kernel, [[1 / room, 0.0], [0.0, 1 / room]])


def test_tiny_noise_on_a_fine_column_counts_as_none() -> None:
    noise = inside(None, noise=1e-5)
    assert noise.over_intervals(np.array([2.0]), np.array([1.0, 3.0, 12.0])).tolist() == [[0.5, 0.0]]
    assert noise.entropies(np.array([2.0])).tolist() == [-np.inf]


def test_a_grid_of_very_many_values_is_thinned_out() -> None:
    noise = inside(0, low=0, high=999_999)
    edges = noise.edges(*noise.domain, 10)
    points, room = noise.released_points(edges)
    assert len(points) == 1024
    np.testing.assert_allclose(noise.over_intervals(points, edges).sum(axis=0) * room, 1.0, rtol=1e-3)


def test_entropy_of_complete_and_of_no_noise() -> None:
    steps = np.arange(1.0, 13.0)
    complete = inside(0, noise=100.0).entropies(steps)
    np.testing.assert_allclose(complete, np.log2(12))
    assert not inside(0, noise=0.0).entropies(steps).any()


def test_a_domain_of_one_value() -> None:
    noise = inside(0, low=3, high=3)
    assert noise.domain == (2.5, 3.5)
    assert noise.widths(np.array([0.0, 2.0, 4.0])).tolist() == [0, 1]
    real = NoiseInside(
        NoiseLaw("x", Intervals(np.array([3.0]), np.array([3.0]), None), np.zeros(1), "wrap", "normal", "")
    )
    assert real.widths(np.array([0.0, 2.0, 4.0])).tolist() == [0, 1]


def test_a_segment_that_the_law_does_not_cover_is_refused() -> None:
    ends = Intervals(np.zeros(2), np.full(2, 9.0), 0)
    law = NoiseLaw("x", ends, np.ones(2), "wrap", "normal", "", np.array([True, False]))
    assert NoiseInside(law, 0).domain == (-0.5, 9.5)
    with pytest.raises(InputError, match="does not cover segment 1"):
        NoiseInside(law, 1)

from __future__ import annotations

import numpy as np
import pytest

from hushwood.reconstruction import (
    AddedNoise,
    NoiseInside,
    Reconstruction,
    information_loss,
    privacy,
    privacy_loss,
)
from hushwood.techniques.laws.noise import NoiseParameters
from oracles.reconstruction import entropy, mutual_information, normal_density, wrapped_kernel
from support.mixed_tables import number


def distribution(edges: list[float], probabilities: list[float]) -> Reconstruction:
    return Reconstruction(np.array(edges), np.array(probabilities), np.array([]), True, 1)


def test_privacy_is_the_length_of_an_even_range() -> None:
    assert privacy(distribution([2.0, 5.0], [1.0])) == pytest.approx(3.0)
    assert privacy(distribution([0.0, 1.0, 4.0], [1.0, 0.0])) == pytest.approx(1.0)
    # Half on 1, half on 3: log2 of it is (0 + log2 3) / 2, and one bit for which.
    assert privacy(distribution([0.0, 1.0, 4.0], [0.5, 0.5])) == pytest.approx(2 * 3**0.5)


def test_even_value_and_even_noise_by_hand() -> None:
    """X and noise even on a range of 1: h(X + noise) is half a nat and h(noise) is 0."""
    even = distribution([0.0, 0.25, 1.0], [0.25, 0.75])
    assert privacy_loss(even, AddedNoise(0.5, "uniform")) == pytest.approx(1 - np.exp(-0.5), abs=1e-5)


def test_against_sums_over_cells() -> None:
    edges, probabilities = [0.0, 1.0, 2.0, 4.0], [0.2, 0.7, 0.1]
    bits = mutual_information(probabilities, edges, normal_density(0.8), 6.0, 60)
    assert privacy_loss(distribution(edges, probabilities), AddedNoise(0.8)) == pytest.approx(
        1 - 2**-bits, abs=1e-3
    )


def test_on_a_grid_by_summing_over_values() -> None:
    noise = NoiseInside.over_domain(number("x", 1, 4), NoiseParameters(noise=0.25))
    probabilities = [0.4, 0.3, 0.2, 0.1]
    given = [[wrapped_kernel(x, w, 1, 4, 1.0) for w in range(1, 5)] for x in range(1, 5)]
    mixed = [sum(probabilities[x] * given[x][w] for x in range(4)) for w in range(4)]
    bits = entropy(mixed) - sum(p * entropy(row) for p, row in zip(probabilities, given, strict=True))
    found = distribution([0.5, 1.5, 2.5, 3.5, 4.5], probabilities)
    assert privacy_loss(found, noise) == pytest.approx(1 - 2**-bits, rel=1e-9)


@pytest.mark.parametrize(("small", "large"), [(0.1, 0.5), (0.5, 5.0)])
def test_more_noise_loses_less_privacy(small: float, large: float) -> None:
    found = distribution([0.0, 1.0, 2.0], [0.3, 0.7])
    losses = [privacy_loss(found, AddedNoise(scale)) for scale in (0.0, small, large)]
    assert losses[0] == 1.0
    assert 1 > losses[1] > losses[2] > 0


@pytest.mark.parametrize(("precision", "loss"), [(0, 1 - 1 / 4), (None, 1.0)])
def test_no_noise_inside_a_domain_loses_all_there_is(precision: int | None, loss: float) -> None:
    """One of four equally likely whole numbers has two bits to lose, a real has no end of them."""
    noise = NoiseInside.over_domain(number("x", 1, 4, precision), NoiseParameters(noise=0.0))
    edges = [0.5, 2.5, 4.5] if precision == 0 else [1.0, 2.5, 4.0]
    assert privacy_loss(distribution(edges, [0.5, 0.5]), noise) == pytest.approx(loss)


def test_complete_noise_loses_nothing() -> None:
    noise = NoiseInside.over_domain(number("x", 1, 4), NoiseParameters(noise=50.0))
    assert privacy_loss(distribution([0.5, 2.5, 4.5], [0.9, 0.1]), noise) == pytest.approx(0.0, abs=1e-12)


def test_information_loss_by_hand() -> None:
    found = distribution([0.0, 1.0, 2.0], [0.75, 0.25])
    assert information_loss(found, np.array([0.5, 0.5, 0.5, 1.5])) == 0.0
    assert information_loss(found, np.array([1.5, 1.5])) == pytest.approx(0.75)
    assert information_loss(found, np.array([0.5, 1.5, np.nan])) == pytest.approx(0.25)
    assert information_loss(found, np.array([9.0, 10.0])) == 1.0

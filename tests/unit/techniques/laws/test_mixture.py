from __future__ import annotations

import numpy as np
import pytest

from hushwood.tables.domains import Intervals
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.zhu_liu import MixtureLaw, middles, privacy_of, smallest_spread
from oracles import mixture as oracle


def law(low: float, high: float, components: int, spread: float, precision: int | None = 0) -> MixtureLaw:
    box = Intervals(np.array([low]), np.array([high]), precision)
    return MixtureLaw("x", box, spread * box.width, "truncate", "normal", "M", components=components)


@pytest.mark.parametrize(("low", "high"), [(1, 10), (0, 6), (-3, 3), (5, 6)])
@pytest.mark.parametrize("components", [2, 3, 4, 6, 20])
def test_the_law_equals_the_oracle(low: int, high: int, components: int) -> None:
    values = np.arange(low, high + 1.0)
    for x in values.astype(int).tolist():
        asked = np.full(len(values), float(x))
        found = np.exp(
            law(low, high, components, 0.2).log_prob({"x": asked}, {"x": values}, np.zeros(len(values), int))
        )
        wanted = [oracle.chance(x, y, low, high, components, 0.2) for y in values.astype(int).tolist()]
        assert found == pytest.approx(wanted, abs=1e-12)
        assert found.sum() == pytest.approx(1)


def test_with_a_component_for_every_value_it_is_truncated_noise() -> None:
    mine = law(0, 9, 10, 0.3)
    noise = NoiseLaw("x", mine.intervals, mine.scale, "truncate", "normal", "M")
    x, y = (g.ravel().astype(float) for g in np.meshgrid(np.arange(10), np.arange(10)))
    one, other = (law.log_prob({"x": x}, {"x": y}, np.zeros(100, int)) for law in (mine, noise))
    assert np.array_equal(one, other)


def test_only_the_component_of_a_number_plays_a_part() -> None:
    of_reals = law(0.0, 1.0, 4, 0.1, None)
    y = np.linspace(0, 1, 50)
    one, two, other = (
        of_reals.log_prob({"x": np.full(50, x)}, {"x": y}, np.zeros(50, int)) for x in (0.26, 0.49, 0.51)
    )
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_middles_of_an_even_number_of_values_lie_between_two() -> None:
    assert middles(np.arange(4.0), np.full(4, 4.0), 2).tolist() == [0.5, 0.5, 2.5, 2.5]
    assert middles(np.arange(3.0), np.full(3, 3.0), 50).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("spread", "components"), [(0.05, 4), (0.3, 3), (1.0, 7)])
def test_privacy_equals_the_oracle(spread: float, components: int) -> None:
    assert privacy_of(spread, components) == pytest.approx(
        oracle.privacy(spread, components, 512, 0.95), rel=1e-9
    )


@pytest.mark.parametrize("components", [5, 20])
def test_the_spread_is_the_least_that_is_private_enough(components: int) -> None:
    for wanted in (0.3, 0.6, 0.9):
        spread = smallest_spread(wanted, components)
        assert privacy_of(spread, components) >= wanted
        assert privacy_of(0.99 * spread, components) < wanted

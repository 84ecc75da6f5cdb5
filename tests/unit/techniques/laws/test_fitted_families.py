from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from scipy import stats

from hushwood.arrays import Floats
from hushwood.techniques.laws.fitted_families import FAMILY_NAMES, Fitted, best_fit, distances
from oracles import order_statistics as oracle

SAMPLES = {
    "normal": lambda chance: chance.normal(50, 3, 3000),
    "uniform": lambda chance: chance.random(3000),
    "exponential": lambda chance: 5 + chance.exponential(3, 3000),
    "gamma": lambda chance: chance.gamma(2, 3, 3000),
    "lognormal": lambda chance: np.exp(chance.normal(1, 1, 3000)),
}
FAR = np.array([1e5])


def frozen(name: str, values: Floats) -> stats.rv_continuous:
    """The same distribution by scipy, from the sample's moments."""
    mean, spread = values.mean(), values.std()
    log_spread = np.sqrt(np.log1p((spread / mean) ** 2))
    return {
        "normal": lambda: stats.norm(mean, spread),
        "uniform": lambda: stats.uniform(mean - 3**0.5 * spread, 2 * 3**0.5 * spread),
        "exponential": lambda: stats.expon(mean - spread, spread),
        "gamma": lambda: stats.gamma((mean / spread) ** 2, scale=spread**2 / mean),
        "lognormal": lambda: stats.lognorm(log_spread, scale=mean / np.exp(log_spread**2 / 2)),
    }[name]()


@pytest.mark.parametrize("family", SAMPLES)
def test_every_family_is_recognised(family: str) -> None:
    values = np.sort(SAMPLES[family](np.random.default_rng(1)))
    group = np.zeros(len(values), int)
    found = best_fit(FAMILY_NAMES, values, group, np.zeros(1), FAR, np.array([1e-9]))
    assert FAMILY_NAMES[found.family[0]] == family


@pytest.mark.parametrize("family", FAMILY_NAMES)
@pytest.mark.parametrize("sample", SAMPLES)
def test_distributions_equal_those_of_scipy(family: str, sample: str) -> None:
    values = np.sort(SAMPLES[sample](np.random.default_rng(2)))
    low, high = np.array([values[0]]), np.array([values[-1]])
    group = np.zeros(len(values), int)
    found, wanted = best_fit([family], values, group, low, high, np.zeros(1)), frozen(family, values)
    below, mass = wanted.cdf(low), wanted.cdf(high) - wanted.cdf(low)
    some = values[100:-100:50]
    where = np.zeros(len(some), int)
    np.testing.assert_allclose(
        found.upto(some, where), (wanted.cdf(some) - below) / mass, rtol=1e-7, atol=1e-12
    )
    np.testing.assert_allclose(found.log_density(some, where), wanted.logpdf(some) - np.log(mass), atol=1e-6)
    inside = (found.upto(some, where) > 1e-6) & (found.upto(some, where) < 1 - 1e-6)
    back = found.at(found.upto(some, where), where)
    np.testing.assert_allclose(back[inside], some[inside], rtol=1e-6)


def upto(fitted: Fitted, x: float) -> float:
    return float(fitted.upto(np.array([x]), np.zeros(1, int))[0])


def test_the_distance_equals_the_oracle_on_a_grid() -> None:
    values = np.sort(np.random.default_rng(3).integers(0, 9, 60).astype(float))
    group = np.zeros(60, int)
    ends = np.array([-0.5]), np.array([8.5])
    for family in FAMILY_NAMES:
        fitted = best_fit([family], values, group, *ends, np.array([0.5]))
        found = distances(fitted, values, group, np.array([0.5]))[0]
        wanted = oracle.distance(values.tolist(), partial(upto, fitted), 0.5)
        assert found == pytest.approx(wanted, abs=1e-12)


def test_groups_are_fitted_apart() -> None:
    chance = np.random.default_rng(4)
    parts = [np.sort(chance.exponential(2, 500)), np.sort(chance.normal(9, 1, 500))]
    values, group = np.concatenate(parts), np.repeat([0, 1], 500)
    low, high, half = np.zeros(2), np.full(2, 50.0), np.full(2, 1e-9)
    found = best_fit(FAMILY_NAMES, values, group, low, high, half)
    for place, part in enumerate(parts):
        alone = best_fit(FAMILY_NAMES, part, np.zeros(500, int), low[:1], high[:1], half[:1])
        assert found.family[place] == alone.family[0]
        assert found.shape.second[place] == pytest.approx(alone.shape.second[0])


def test_bounds_that_a_distribution_does_not_reach_have_an_even_one() -> None:
    values, group = np.array([1.0, 2.0, 3.0]), np.zeros(3, int)
    found = best_fit(["normal"], values, group, np.array([500.0]), np.array([600.0]), np.array([0.5]))
    assert found.at(np.array([0.0, 0.25, 1.0]), group).tolist() == [500, 525, 600]


def test_numbers_far_from_zero_and_close_together_keep_their_digits() -> None:
    values = np.sort(np.random.default_rng(5).normal(1e6, 1e-2, 400))
    group = np.zeros(400, int)
    for family in FAMILY_NAMES:
        found = best_fit([family], values, group, values[:1], values[-1:], np.array([1e-9]))
        positions = np.linspace(0.01, 0.99, 400)
        assert np.abs(found.upto(found.at(positions, group), group) - positions).max() < 1e-6

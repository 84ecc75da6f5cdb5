"""Noise in proportion to the value: the paper of 2003 against the thesis' share of the range (errata A8)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from hushwood.random_streams import Streams
from hushwood.tables.domains import Intervals
from hushwood.tables.schema import Attribute
from hushwood.techniques.laws.noise import SHAPES, NoiseLaw, NoiseParameters
from support.law_checks import probabilities
from support.mixed_tables import number
from support.technique_variants import BOUNDARIES

STREAMS = Streams(bytes(range(32)))


def value_law(
    low: float,
    high: float,
    noise: float,
    boundary: str = "wrap",
    shape: str = "normal",
    precision: int | None = 0,
) -> NoiseLaw:
    inside = Intervals(np.array([float(low)]), np.array([float(high)]), precision)
    parameters = NoiseParameters(noise, boundary, shape, "value")  # type: ignore[arg-type]
    return parameters.law("x", inside, "LINNAPT")


def chance(law: NoiseLaw, x: float, *released: float) -> list[float]:
    ids = np.zeros(len(released), int)
    logs = law.log_prob({"x": np.full(len(released), x)}, {"x": np.array(released)}, ids)
    return [float(p) for p in np.exp(logs)]


def sampled(law: NoiseLaw, x: float, count: int = 2000) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return law.sample({"x": np.full(count, x)}, np.zeros(count, int), range(count), STREAMS)["x"]


def test_the_papers_noise_on_whole_numbers_from_1_to_10() -> None:
    """27.6 % of 1 is 0.276, of 10 is 2.76: a 1 hardly ever changes, and a 10 mostly does."""
    law = value_law(1, 10, 0.276)
    stays = [float(norm.cdf(0.5 / (0.276 * x)) - norm.cdf(-0.5 / (0.276 * x))) for x in (1, 4)]
    assert chance(law, 1, 1) + chance(law, 4, 4) == pytest.approx(stays, abs=1e-9)
    turned = sum(
        norm.cdf((11 + 10 * k + 0.5) / 2.76) - norm.cdf((11 + 10 * k - 0.5) / 2.76) for k in range(-5, 5)
    )
    assert chance(law, 10, 1) == pytest.approx([float(turned)], abs=1e-9)
    assert 0.9 < chance(law, 1, 1)[0] < 0.95
    assert chance(law, 10, 10)[0] < 0.15


def test_the_spread_grows_with_the_value_whatever_its_sign() -> None:
    law = value_law(-1000, 1000, 0.1, "truncate")
    for x in (-500, -50, 50, 500):
        assert np.std(sampled(law, x) - x) == pytest.approx(0.1 * abs(x), rel=0.06)
    assert chance(law, -50, -57) == pytest.approx(chance(law, 50, 57))


def test_a_zero_stays_and_a_missing_number_too() -> None:
    law = value_law(-5, 5, 3.0)
    assert chance(law, 0, 0, 1) == [1, 0]
    assert np.unique(sampled(law, 0.0)).tolist() == [0]
    assert np.isnan(sampled(law, float("nan"))).all()
    assert len(np.unique(sampled(law, 1.0))) == 11


def test_decimals_are_measured_in_their_own_unit() -> None:
    cents, whole = value_law(100, 999, 0.05, precision=2), value_law(100, 999, 0.05)
    assert chance(cents, 2.5, 2.6) == pytest.approx(chance(whole, 250, 260))


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_noise_is_larger_than_a_hundred_ranges(boundary: str, shape: str) -> None:
    """A value far from zero in a narrow interval would otherwise lose its low bits, or take forever."""
    law = value_law(1e9, 1e9 + 4, 100.0, boundary, shape)
    assert law.largest_scale().tolist() == [500]
    found = np.bincount((sampled(law, 1e9 + 2, 20_000) - 1e9).astype(int), minlength=5) / 20_000
    np.testing.assert_allclose(chance(law, 1e9 + 2, *(1e9 + np.arange(5))), found, atol=0.02)


@settings(max_examples=100)
@given(
    noise=st.floats(0.0, 100.0),
    boundary=st.sampled_from(BOUNDARIES),
    shape=st.sampled_from(SHAPES),
    precision=st.sampled_from([0, 2]),
    low=st.integers(-50, 50),
    values=st.integers(1, 60),
    share=st.floats(0.0, 1.0),
)
def test_probabilities_sum_to_one(
    noise: float, boundary: str, shape: str, precision: int, low: int, values: int, share: float
) -> None:
    scale = 10.0**precision
    x = np.rint(low + share * values) / scale
    law = value_law(low, low + values, noise, boundary, shape, precision)
    attribute = number("x", low / scale, (low + values) / scale, precision)
    assert probabilities(law, attribute, {"x": np.array([x])}, 0).sum() == pytest.approx(1, abs=1e-9)


def test_on_reals_small_and_large_values_share_one_grid() -> None:
    """Some noise is less than a step of the grid, some a million of them: both must sum to 1."""
    law = value_law(0, 1, 0.1, precision=None)
    step = float(law.intervals.step[0])
    near, far = 3 * step, 0.7
    places = np.arange(12) * step
    assert sum(chance(law, near, *places)) * step == pytest.approx(1, abs=1e-9)
    assert set(np.unique(sampled(law, near) / step)) <= {2.0, 3.0, 4.0}
    middle = (np.arange(20_000) + 0.5) / 20_000
    assert np.mean(chance(law, far, *middle)) == pytest.approx(1, abs=2e-3)
    both = law.log_prob({"x": np.array([near, far])}, {"x": np.array([near, far])}, np.zeros(2, int))
    apart = [np.log(chance(law, near, near)[0]), np.log(chance(law, far, far)[0])]
    assert both.tolist() == pytest.approx(apart, abs=1e-6)


def test_a_column_may_have_noise_of_its_own_and_dates_have_no_zero() -> None:
    noise = NoiseParameters(0.276, of="value", columns={"b": 0.5})
    a, b = noise.for_column(Attribute("a", "numeric")), noise.for_column(Attribute("b", "numeric"))
    assert [(one.noise, one.of) for one in (a, b)] == [(0.276, "value"), (0.5, "value")]
    for storage in ("Date", "Datetime[us]", "Time"):
        assert noise.for_column(Attribute("a", "numeric", storage=storage)).of == "range"
    assert noise.for_column(Attribute("a", "numeric", storage="Duration[us]")).of == "value"
    assert a.says("the range") == "normal noise with a spread of 27.6% of the value itself"
    assert value_law(1, 10, 0.276).described()["of"] == "value"

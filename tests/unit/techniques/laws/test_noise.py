from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.domains import Intervals
from hushwood.techniques.laws.noise import SHAPES, NoiseLaw, NoiseParameters
from support.technique_variants import BOUNDARIES

STREAMS = Streams(bytes(range(32)))


def box(low: float, high: float, precision: int | None = 0) -> Intervals:
    return Intervals(np.array([float(low)]), np.array([float(high)]), precision)


def parameters(noise: float, boundary: str = "wrap", shape: str = "normal") -> NoiseParameters:
    return NoiseParameters(noise, boundary, shape)  # type: ignore[arg-type]


def law_of(inside: Intervals, noise: float, boundary: str = "wrap", shape: str = "normal") -> NoiseLaw:
    return parameters(noise, boundary, shape).law("x", inside, "LINFAPT")


def chance(law: NoiseLaw, x: float, *released: float) -> list[float]:
    original, ids = {"x": np.full(len(released), x)}, np.zeros(len(released), int)
    found = np.exp(law.log_prob(original, {"x": np.array(released)}, ids))
    return [float(p) for p in found]


def sampled(law: NoiseLaw, values: list[float]) -> list[float]:
    found = law.sample({"x": np.array(values)}, np.zeros(len(values), int), range(len(values)), STREAMS)["x"]
    return [float(value) for value in found]


@pytest.mark.parametrize("noise", [-0.1, 100.1, float("nan"), float("inf")])
def test_noise_is_a_share(noise: float) -> None:
    with pytest.raises(InputError, match="between 0 and 100"):
        NoiseParameters(noise)


def test_unknown_choices_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(
        InputError, match=r"boundary must be wrap, .*; 'wrapping' was given\. Did you mean 'wrap'"
    ):
        parameters(0.1, "wrapping")
    with pytest.raises(
        InputError, match="distribution must be normal, uniform, laplace or triangular; 'gauss'"
    ):
        parameters(0.1, "wrap", "gauss")


def test_scale_is_a_share_of_the_number_of_values_or_the_range() -> None:
    assert law_of(box(1, 10), 0.5).scale.tolist() == [5]
    assert law_of(box(1, 10, None), 0.5).scale.tolist() == [4.5]


def test_wrapped_uniform_noise_by_hand() -> None:
    """Ten values, reach 2.5: rounded noise -2 to 2, one fifth each; from 9 up it comes round to 1 and 2."""
    law = law_of(box(1, 10), 0.25, shape="uniform")
    assert chance(law, 9, 7, 8, 9, 10, 1, 2, 6) == pytest.approx([0.2] * 5 + [0, 0])


def test_reflected_uniform_noise_by_hand() -> None:
    """From 9: 11 is mirrored to 10, so 10 is reached twice; 7 and 8 and 9 once."""
    law = law_of(box(1, 10), 0.25, "reflect", "uniform")
    assert chance(law, 9, 7, 8, 9, 10, 1) == pytest.approx([0.2, 0.2, 0.2, 0.4, 0])


def test_truncated_uniform_noise_by_hand() -> None:
    law = law_of(box(1, 10), 0.25, "truncate", "uniform")
    assert chance(law, 9, 6, 7, 8, 9, 10, 1) == pytest.approx([0, 0.25, 0.25, 0.25, 0.25, 0])


def test_wrapped_normal_noise_sums_over_all_turns() -> None:
    """Errata E1, with 200 turns each way instead of the law's few."""
    from scipy.stats import norm

    law = law_of(box(0, 1, None), 0.7)
    wanted = sum(norm.pdf(0.9 - 0.2 + k, scale=0.7) for k in range(-200, 201))
    assert chance(law, 0.2, 0.9) == pytest.approx(
        [wanted], rel=1e-8
    )  # both ends belong to the grid: one step more


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("precision", [0, 2, None])
def test_much_noise_makes_every_value_equally_likely(
    boundary: str, shape: str, precision: int | None
) -> None:
    law = law_of(box(0, 9, precision), 100, boundary, shape)
    step = 10.0 ** (precision or 0)
    found = chance(law, 3 / step, 0.5 if precision is None else 1 / step, 8 / step)
    assert found == pytest.approx([1 / 9 if precision is None else 0.1] * 2, rel=2e-2)


def test_uniform_noise_of_a_whole_turn_is_flat_also_where_turns_meet() -> None:
    law = law_of(box(0, 8, None), 1.0, shape="uniform")
    assert chance(law, 3, 2.5, 5, 0.25) == pytest.approx([1 / 8] * 3)


def test_wrapped_triangular_noise_by_hand() -> None:
    """Ten values, reach 2: a step of noise has 7/16, 1/4 and 1/32 of the triangle, whose height is a half."""
    law = law_of(box(1, 10), 0.2, shape="triangular")
    assert chance(law, 10, 8, 9, 10, 1, 2, 3) == pytest.approx([1 / 32, 1 / 4, 7 / 16, 1 / 4, 1 / 32, 0])


def test_wrapped_laplace_noise_sums_over_all_turns() -> None:
    from scipy.stats import laplace

    law = law_of(box(0, 1, None), 0.7, shape="laplace")
    wanted = sum(laplace.pdf(0.9 - 0.2 + k, scale=0.7 / 2**0.5) for k in range(-200, 201))
    assert chance(law, 0.2, 0.9) == pytest.approx([wanted], rel=1e-8)


def test_far_tails_keep_their_digits() -> None:
    """Noise of 30 standard deviations: no difference of two numbers near 1."""
    law = law_of(box(0, 1000), 0.01, "truncate")
    up, down = chance(law, 500, 800, 200)
    assert 0 < up == pytest.approx(down, rel=1e-9)


def test_outside_the_box_nothing_is_possible() -> None:
    for boundary in BOUNDARIES:
        assert chance(law_of(box(1, 10), 0.5, boundary), 5, 0, 11, float("nan")) == [0, 0, 0]


def test_missing_stays_missing() -> None:
    for boundary in BOUNDARIES:
        law = law_of(box(1, 10), 0.5, boundary)
        assert np.isnan(sampled(law, [float("nan")])).all()
        assert chance(law, float("nan"), float("nan"), 3.0) == [1, 0]


def test_no_width_or_no_noise_is_the_identity() -> None:
    for law in (law_of(box(1, 10), 0), law_of(box(3, 3, None), 1), law_of(box(5, 4), 1)):
        assert sampled(law, [3.0, 3.0]) == [3, 3]
        assert chance(law, 3, 3, 4) == [1, 0]


def test_one_value_on_a_grid_stays() -> None:
    for boundary in BOUNDARIES:
        law = law_of(box(3, 3), 5, boundary)
        assert sampled(law, [3.0] * 9) == [3] * 9
        assert chance(law, 3, 3) == pytest.approx([1])


def test_segments_that_are_not_covered_keep_their_values() -> None:
    inside = Intervals(np.array([0.0, 0.0]), np.array([99.0, 99.0]), 0)
    law = NoiseParameters().law("x", inside, "LINFAPT", np.array([True, False]))
    values, ids = np.full(50, 40.0), np.repeat([0, 1], 25)
    found = law.sample({"x": values}, ids, range(50), STREAMS)["x"]
    assert (found[:25] != 40).any()
    assert (found[25:] == 40).all()
    assert (law.log_prob({"x": values}, {"x": found}, ids)[25:] == 0).all()


@settings(max_examples=300)
@given(
    st.integers(-10_000, 10_000),
    st.integers(0, 500),
    st.floats(0, 1),
    st.floats(0, 100),
    st.sampled_from(BOUNDARIES),
    st.sampled_from(SHAPES),
    st.sampled_from([0, 1, 3, None]),
)
def test_samples_stay_inside_and_on_the_grid(
    low: int, more: int, share: float, noise: float, boundary: str, shape: str, precision: int | None
) -> None:
    scale = 10.0 ** (precision or 0)
    inside = box(low, low + more, precision)
    x = (low + share * more if precision is None else low + round(share * more)) / scale
    for value in sampled(law_of(inside, noise, boundary, shape), [x] * 7):
        assert low / scale <= value <= (low + more) / scale
        assert precision is None or value == round(value, precision)
        if precision is None and value != x:
            step = float(inside.step[0])
            assert value / step == round(value / step)


def test_reports_and_plans_can_say_it() -> None:
    assert parameters(1 / 3).says("it") == "normal noise with a spread of 33% of it"
    assert parameters(0.5, shape="uniform").says("it") == "uniform noise with a reach of 50% of it"
    plain = law_of(box(1, 10), 0.5).described()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["form"] == "wrap normal noise"

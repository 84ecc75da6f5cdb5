"""Noise on grids and inside intervals, by hand and against its own draws.

Shapes of noise against SciPy's distributions of the same name. What an intruder learns from noise in proportion to the
value, by a slow oracle over the law's own probabilities.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import norm

from hushwood.errors import InputError
from hushwood.measures.posterior.evidence import evidence_for
from hushwood.measures.posterior.law_likelihoods import affordable_by_laws, law_evidence
from hushwood.measures.posterior.posteriors import posteriors
from hushwood.random_streams import Streams
from hushwood.releasing.engines.memory import run
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.partition import intersections
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.domain_noise import Linfapt, Linnapt
from hushwood.techniques.laws.noise import NOISE_SHAPES, SHAPES, NoiseLaw, NoiseParameters
from hushwood.techniques.laws.noise_in_parts import NoiseInParts, noise_in_parts
from oracles import reidentification as oracle
from support.law_checks import probabilities
from support.mixed_tables import number, one_tree, table_of, target
from support.table_pairs import STREAMS as PAIR_STREAMS
from support.table_pairs import context_for
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


VALUE_STREAMS = Streams(bytes(range(32)))


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


def chance_noise_of_the_value(law: NoiseLaw, x: float, *released: float) -> list[float]:
    ids = np.zeros(len(released), int)
    logs = law.log_prob({"x": np.full(len(released), x)}, {"x": np.array(released)}, ids)
    return [float(p) for p in np.exp(logs)]


def sampled_noise_of_the_value(
    law: NoiseLaw, x: float, count: int = 2000
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return law.sample({"x": np.full(count, x)}, np.zeros(count, int), range(count), VALUE_STREAMS)["x"]


def test_the_papers_noise_on_whole_numbers_from_1_to_10() -> None:
    """27.6 % of 1 is 0.276, of 10 is 2.76: a 1 hardly ever changes, and a 10 mostly does."""
    law = value_law(1, 10, 0.276)
    stays = [float(norm.cdf(0.5 / (0.276 * x)) - norm.cdf(-0.5 / (0.276 * x))) for x in (1, 4)]
    assert chance_noise_of_the_value(law, 1, 1) + chance_noise_of_the_value(law, 4, 4) == pytest.approx(
        stays, abs=1e-9
    )
    turned = sum(
        norm.cdf((11 + 10 * k + 0.5) / 2.76) - norm.cdf((11 + 10 * k - 0.5) / 2.76) for k in range(-5, 5)
    )
    assert chance_noise_of_the_value(law, 10, 1) == pytest.approx([float(turned)], abs=1e-9)
    assert 0.9 < chance_noise_of_the_value(law, 1, 1)[0] < 0.95
    assert chance_noise_of_the_value(law, 10, 10)[0] < 0.15


def test_the_spread_grows_with_the_value_whatever_its_sign() -> None:
    law = value_law(-1000, 1000, 0.1, "truncate")
    for x in (-500, -50, 50, 500):
        assert np.std(sampled_noise_of_the_value(law, x) - x) == pytest.approx(0.1 * abs(x), rel=0.06)
    assert chance_noise_of_the_value(law, -50, -57) == pytest.approx(chance_noise_of_the_value(law, 50, 57))


def test_a_zero_stays_and_a_missing_number_too() -> None:
    law = value_law(-5, 5, 3.0)
    assert chance_noise_of_the_value(law, 0, 0, 1) == [1, 0]
    assert np.unique(sampled_noise_of_the_value(law, 0.0)).tolist() == [0]
    assert np.isnan(sampled_noise_of_the_value(law, float("nan"))).all()
    assert len(np.unique(sampled_noise_of_the_value(law, 1.0))) == 11


def test_decimals_are_measured_in_their_own_unit() -> None:
    cents, whole = value_law(100, 999, 0.05, precision=2), value_law(100, 999, 0.05)
    assert chance_noise_of_the_value(cents, 2.5, 2.6) == pytest.approx(
        chance_noise_of_the_value(whole, 250, 260)
    )


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_noise_is_larger_than_a_hundred_ranges(boundary: str, shape: str) -> None:
    """A value far from zero in a narrow interval would otherwise lose its low bits, or take forever."""
    law = value_law(1e9, 1e9 + 4, 100.0, boundary, shape)
    assert law.largest_scale().tolist() == [500]
    found = (
        np.bincount((sampled_noise_of_the_value(law, 1e9 + 2, 20_000) - 1e9).astype(int), minlength=5)
        / 20_000
    )
    np.testing.assert_allclose(
        chance_noise_of_the_value(law, 1e9 + 2, *(1e9 + np.arange(5))), found, atol=0.02
    )


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
    assert sum(chance_noise_of_the_value(law, near, *places)) * step == pytest.approx(1, abs=1e-9)
    assert set(np.unique(sampled_noise_of_the_value(law, near) / step)) <= {2.0, 3.0, 4.0}
    middle = (np.arange(20_000) + 0.5) / 20_000
    assert np.mean(chance_noise_of_the_value(law, far, *middle)) == pytest.approx(1, abs=2e-3)
    both = law.log_prob({"x": np.array([near, far])}, {"x": np.array([near, far])}, np.zeros(2, int))
    apart = [
        np.log(chance_noise_of_the_value(law, near, near)[0]),
        np.log(chance_noise_of_the_value(law, far, far)[0]),
    ]
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


THEIRS: dict[str, Any] = {
    "normal": stats.norm(),
    "uniform": stats.uniform(-1, 2),
    "laplace": stats.laplace(scale=2**-0.5),
    "triangular": stats.triang(0.5, -1, 2),
}


def test_every_shape_has_a_law() -> None:
    assert tuple(NOISE_SHAPES) == SHAPES == tuple(THEIRS)


@pytest.mark.parametrize("name", SHAPES)
def test_the_law_is_that_of_the_name(name: str) -> None:
    shape, theirs = NOISE_SHAPES[name], THEIRS[name]
    z = np.array([-40.0, -1.7, -1, -0.999, -0.3, 0, 1e-9, 0.2, 0.8, 1.4, 3])
    inside = z[(z > -1) & (z < 1)]
    assert shape.density(inside) == pytest.approx(theirs.pdf(inside))
    assert shape.upto(z) == pytest.approx(theirs.cdf(z))
    u = np.array([1e-12, 0.1, 0.4, 0.5, 0.6, 0.95, 1 - 1e-9])
    assert shape.at(u) == pytest.approx(theirs.ppf(u), rel=1e-6)
    assert shape.upto(shape.at(u)) == pytest.approx(u, rel=1e-9)
    assert 2 * theirs.sf(shape.reach) < 2e-18
    assert theirs.std() == pytest.approx(1) or (shape.bounded and theirs.support() == (-1, 1))


@pytest.mark.parametrize("name", ["normal", "laplace"])
def test_far_tails_keep_their_digits_noise_shapes(name: str) -> None:
    shape = NOISE_SHAPES[name]
    low, high = np.array([7.0, -7.5]), np.array([7.5, -7.0])
    expected = THEIRS[name].sf(7.0) - THEIRS[name].sf(7.5)
    assert shape.between(low, high) == pytest.approx([expected] * 2, rel=1e-9)


ROWS = 60
SHARE = 0.276
ALL = np.arange(ROWS)


@pytest.fixture(scope="module")
def table() -> Table:
    chance = np.random.default_rng(7)
    size, age = (chance.integers(1, 11, ROWS).astype(float).tolist() for _ in range(2))
    return table_of(
        {
            "size": (number("size", 1, 10), size),
            "age": (number("age", 1, 10), age),
            "k": (target("k", "ab"), chance.integers(0, 2, ROWS).tolist()),
        }
    )


@pytest.fixture(scope="module")
def segments(table: Table) -> Segments:
    """Sizes up to 3, and from 4 on; ages are tested nowhere."""
    test = {"attribute": "size", "threshold": 3}
    nodes = [
        {"id": 0, "test": test, "children": {"le": 1, "gt": 2}, "missing_to": 1, "counts": [2, 2]},
        {"id": 1, "counts": [1, 1]},
        {"id": 2, "counts": [1, 1]},
    ]
    return intersections(
        table, one_tree({"name": "size", "kind": "numeric", "integer": True, "precision": 0}, nodes)
    )


def wrapped(x: int, y: int, low: int, high: int, share: float) -> float:
    """The chance to become y by normal noise of a share of x, rounded and wrapped: turn by turn."""
    if not low <= x <= high:
        return 0.0
    width, spread = high - low + 1, share * x
    ends = [(y - x + turn * width - 0.5, y - x + turn * width + 0.5) for turn in range(-8, 9)]
    return float(sum(norm.cdf(end / spread) - norm.cdf(start / spread) for start, end in ends))


def steps_of(table: Table, segments: Segments, share: float = SHARE) -> tuple[PreparedStep, ...]:
    noise = NoiseParameters(share, of="value")
    return tuple(
        PreparedStep(technique.prepare(table, [name], segments), segments.ids)
        for technique in (Linfapt(noise), Linnapt(noise))
        for name in ("size", "age")
    )


def test_entropies_are_the_oracles(table: Table, segments: Segments) -> None:
    steps = steps_of(table, segments)
    released = table.with_columns(run(table, steps, PAIR_STREAMS))
    evidence = law_evidence(table, released, context_for(table, released, steps=steps), ALL)
    assert evidence is not None
    assert evidence.source == "laws"
    assert "in proportion to the value" in evidence.described["age"]["law"]
    found = posteriors(evidence, np.zeros(ROWS, np.int64), 1)
    x = {name: table.columns[name].astype(int) for name in ("size", "age")}
    y = {name: released.columns[name].astype(int) for name in ("size", "age")}
    for target_row in range(0, ROWS, 3):
        logs = []
        for i in range(ROWS):
            box = (1, 3) if y["size"][i] <= 3 else (4, 10)
            size = wrapped(x["size"][target_row], y["size"][i], *box, SHARE)
            logs.append(oracle.log(size * wrapped(x["age"][target_row], y["age"][i], 1, 10, SHARE)))
        assert found.bits[target_row] == pytest.approx(oracle.entropy(oracle.posterior(logs)), abs=2e-5)


def test_a_wrong_share_gives_other_entropies(table: Table, segments: Segments) -> None:
    released = table.with_columns(run(table, steps_of(table, segments), PAIR_STREAMS))
    bits = []
    for share in (SHARE, 2 * SHARE):
        context = context_for(table, released, steps=steps_of(table, segments, share))
        evidence = law_evidence(table, released, context, ALL)
        assert evidence is not None
        bits.append(posteriors(evidence, np.zeros(ROWS, np.int64), 1).bits)
    assert np.abs(bits[0] - bits[1]).mean() > 0.05


def test_where_no_law_works_the_value_is_copied(table: Table, segments: Segments) -> None:
    """LINFAPT alone leaves the age, which no rule tests."""
    noise = Linfapt(NoiseParameters(SHARE, of="value"))
    steps = tuple(PreparedStep(noise.prepare(table, [n], segments), segments.ids) for n in ("size", "age"))
    released = table.with_columns(run(table, steps, PAIR_STREAMS))
    assert np.array_equal(released.columns["age"], table.columns["age"])
    evidence = law_evidence(table, released, context_for(table, released, steps=steps), ALL)
    assert evidence is not None
    found = posteriors(evidence.knowing(["age"]), np.zeros(ROWS, np.int64), 1)
    alike = [float(np.log2((table.columns["age"] == age).sum())) for age in table.columns["age"]]
    np.testing.assert_allclose(found.bits, alike, atol=1e-5)


def test_segments_with_the_same_law_are_asked_about_once(table: Table, segments: Segments) -> None:
    """The age has one law everywhere: ten values against ten, however many segments there are."""
    steps = steps_of(table, segments)
    released = table.with_columns(run(table, steps, PAIR_STREAMS))
    context = context_for(table, released, steps=steps)
    assert affordable_by_laws(table, released, context, 200) == ROWS
    assert affordable_by_laws(table, released, context, 50) < ROWS


def law(covered: list[bool], low: tuple[float, float] = (0, 0)) -> NoiseLaw:
    inside = Intervals(np.array(low), np.array([9.0, 9.0]), 0)
    return NoiseParameters(0.3, of="value").law("x", inside, "LINFAPT", np.array(covered))


def test_two_laws_that_overlap_or_are_none_of_noise_have_no_common_form() -> None:
    ids, one, other = np.arange(2), np.array([True, False]), np.array([False, True])
    here, there = law([True, False]), law([False, True])
    assert noise_in_parts([here, there], [ids, ids], [one, other]) is not None
    assert noise_in_parts([here, there], [ids, ids], [one, one]) is None
    assert noise_in_parts([here, there], [ids, ids[::-1]], [one, other]) is None
    assert noise_in_parts([here, NoiseInParts((there,), (other,))], [ids, ids], [one, other]) is None


def test_parts_draw_and_weigh_as_their_laws_do() -> None:
    parts = NoiseInParts(
        (law([True, False]), law([False, True])), (np.array([True, False]), np.array([False, True]))
    )
    ids, x = np.array([0, 1, 1]), {"x": np.array([4.0, 4.0, 0.0])}
    drawn = parts.sample(x, ids, range(3), PAIR_STREAMS)
    assert drawn["x"][2] == 0
    assert np.isfinite(parts.log_prob(x, drawn, ids)).all()
    assert parts.described()["form"] == "noise in parts"


def test_two_steps_at_once_are_judged_by_fitted_kernels(table: Table, segments: Segments) -> None:
    steps = steps_of(table, segments)
    released = table.with_columns(run(table, steps, PAIR_STREAMS))
    context = context_for(table, released, steps=steps + steps)
    assert law_evidence(table, released, context, ALL) is None
    evidence = evidence_for(table, released, context, ALL)
    assert evidence is not None
    assert evidence.source == "fitted"

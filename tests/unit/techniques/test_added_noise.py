from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, truncnorm

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.reconstruction.moments import chance_of_error, covariance_without_noise, records_needed
from hushwood.segments.partition import whole_table
from hushwood.tables.domains import Intervals
from hushwood.techniques.added_noise import (
    FactorLaw,
    Kim,
    KimWinkler,
    LogNoise,
    NoiseTechnique,
    Sadp,
    TendickMatloff,
    Traub,
    origins,
)
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.together.correlated_noise import added_noise
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.learnt_groups import LearntGroup
from oracles.normal_chances import rounded
from support.normal_tables import explained, normal_numbers, numbers_table, released_numbers, segments_of

ALL = [Kim, KimWinkler, LogNoise, Sadp, TendickMatloff]


@pytest.mark.parametrize("technique", ALL)
def test_levels_above_zero_are_accepted_and_others_refused_by_their_value(
    technique: type[NoiseTechnique],
) -> None:
    for noise in (1e-6, 0.25):
        assert technique(noise).noise == noise
    for noise in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match=f"noise of {technique.acronym}.*above 0.*; {noise:g} was given"):
            technique(noise)


def test_a_maximum_is_named() -> None:
    with pytest.raises(InputError, match=r"above 0 and at most 0\.25; 0\.3 was given"):
        KimWinkler(0.3)


@pytest.mark.parametrize("technique", ALL)
def test_sentences_say_where_and_how_far(technique: type[NoiseTechnique]) -> None:
    said = {technique(0.2, bounded=bounded).says() for bounded in (True, False)}
    assert len(said) == 2
    assert technique(within="segment").said_where != technique().said_where


ROWS = 60_000


@pytest.mark.parametrize("noise", [0.1, 0.5, 2.0])
def test_variances_grow_covariances_stay_and_correlations_shrink(noise: float) -> None:
    x = normal_numbers(ROWS)
    y = released_numbers(Sadp(noise, bounded=False), numbers_table(x))
    spread = x.std(axis=0)
    assert np.abs((y.mean(axis=0) - x.mean(axis=0)) / spread).max() < 4 * ((1 + noise) / ROWS) ** 0.5
    before = np.cov(x, rowvar=False)
    wanted = before + noise * np.diag(np.diag(before))
    assert np.abs((np.cov(y, rowvar=False) - wanted) / np.outer(spread, spread)).max() < 0.02 * (1 + noise)
    shrunk = np.corrcoef(x[:, 0], x[:, 1])[0, 1] / (1 + noise)
    assert np.corrcoef(y[:, 0], y[:, 1])[0, 1] == pytest.approx(shrunk, abs=0.015)
    for j in range(3):
        assert explained(x[:, j], y[:, j]) == pytest.approx(1 / (1 + noise), abs=0.01)


@pytest.mark.parametrize("precision", [0, None])
def test_bounded_noise_is_the_normal_law_truncated(precision: int | None) -> None:
    """The two forms of law agree: one made for single columns, one for groups."""
    chance = np.random.default_rng(8)
    x = chance.integers(-9, 10, (60, 1)).astype(float)
    table = numbers_table(x, precision, far=10)
    segments = segments_of(table, [0] * 30 + [1] * 29 + [2])
    technique = Sadp(0.6, within="segment")
    (law,) = technique.prepare(table, ["a"], segments).law().laws
    assert isinstance(law, NoiseLaw)
    learnt = LearntGroup.of(table, ["a"], segments, "segment")
    other = learnt.normal_law(added_noise(0.6, learnt.numbers, learnt.cells.known), "SADP")
    y = {"a": chance.integers(-12, 13, 60).astype(float)}
    one, two = (stated.log_prob(table.columns, y, segments.ids) for stated in (law, other))
    # One adds up a density, the other subtracts distribution functions a millionth of a deviation apart.
    np.testing.assert_allclose(one, two, rtol=1e-9 if precision == 0 else 1e-6)
    assert np.isinf(one).any()


def test_only_bounded_numbers_stay_inside() -> None:
    table = numbers_table(np.random.default_rng(3).integers(-2, 3, (500, 1)).astype(float), 0, far=2)
    for bounded in (True, False):
        y = released_numbers(Sadp(2.0, bounded=bounded), table)
        assert bool((np.abs(y) > 2).any()) != bounded
        assert np.array_equal(y, np.rint(y))


def test_a_record_alone_gets_the_noise_of_the_whole_table() -> None:
    x = normal_numbers(40)
    table = numbers_table(x)
    perturber = Sadp(0.5, within="segment").prepare(table, ["a"], segments_of(table, [0] * 39 + [1]))
    (law,) = perturber.law().laws
    assert isinstance(law, NoiseLaw)
    assert law.scale == pytest.approx([(0.5 * x[:39, 0].var(ddof=1)) ** 0.5, (0.5 * x[:, 0].var()) ** 0.5])


def test_a_missing_number_stays_missing_and_counts_for_nothing() -> None:
    x = normal_numbers(50)
    full = numbers_table(x[:40])
    gaps = numbers_table(x)
    gaps.columns["a"][40:] = np.nan
    (one,), (two,) = (Sadp().prepare(t, ["a"], segments_of(t, [0] * t.rows)).law().laws for t in (full, gaps))
    assert one.described() == two.described()
    assert np.isnan(released_numbers(Sadp(), gaps)[40:, 0]).all()


def test_what_keeps_segments_and_what_is_refused() -> None:
    assert Sadp(within="segment").keeps_segment
    assert not Sadp(within="segment", bounded=False).keeps_segment
    with pytest.raises(InputError, match="above 0"):
        Sadp(0.0)


@pytest.mark.parametrize("scale", ["asymptotic", "finite"])
@pytest.mark.parametrize("noise", [0.1, 0.5, 2.0])
def test_means_and_covariances_stay_and_the_security_is_as_stated(noise: float, scale: str) -> None:
    x = normal_numbers(ROWS)
    z = released_numbers(Kim(noise, bounded=False, scale=scale), numbers_table(x))  # type: ignore[arg-type]
    spread = x.std(axis=0)
    assert np.abs((z.mean(axis=0) - x.mean(axis=0)) / spread).max() < 4 / ROWS**0.5
    change = np.cov(z, rowvar=False) - np.cov(x, rowvar=False)
    assert np.abs(change / np.outer(spread, spread)).max() < 0.02
    for j in range(3):
        assert explained(x[:, j], z[:, j]) == pytest.approx(1 / (1 + noise), abs=0.01)


def test_the_finite_factor_is_the_smaller_one_for_few_records() -> None:
    table = numbers_table(normal_numbers(6))
    x = np.stack(list(table.columns.values()), axis=1)
    finite, large = (
        released_numbers(Kim(1.0, bounded=False, scale=scale), table) for scale in ("finite", "asymptotic")
    )
    # The same draws, drawn back further: √(5 / 11) against √(1 / 2).
    away = x.mean(axis=0)
    np.testing.assert_allclose(
        (finite - away) / (large - away), (10 / 11) ** 0.5, rtol=1e-5
    )  # up to the grid


def test_inside_segments_every_segment_keeps_its_own_moments() -> None:
    x = normal_numbers(ROWS)
    ids = np.arange(ROWS) % 2
    x[ids == 1] = x[ids == 1] * 3 + 100
    table = numbers_table(x)
    z = released_numbers(Kim(within="segment", bounded=False), table, segments_of(table, ids.tolist()))
    for segment in (0, 1):
        before, after = (np.cov(m[ids == segment], rowvar=False) for m in (x, z))
        spread = np.sqrt(np.diag(before))
        assert np.abs((after - before) / np.outer(spread, spread)).max() < 0.03


def test_a_record_alone_does_not_go_out_as_it_came() -> None:
    x = normal_numbers(40)
    table = numbers_table(x)
    z = released_numbers(Kim(within="segment"), table, segments_of(table, [0] * 39 + [1]))
    moved = np.abs(z[39] - x[39]) / x.std(axis=0)
    assert ((moved > 1e-4) & (moved < 4)).all()


def test_bounded_numbers_stay_inside_and_unbounded_ones_do_not() -> None:
    x = np.random.default_rng(3).integers(0, 3, (500, 2)).astype(float)
    table = numbers_table(x, precision=0, far=2)
    segments = segments_of(table, [0] * 500)
    for bounded in (True, False):
        z = released_numbers(Kim(2.0, bounded=bounded), table, segments)
        assert bool((np.abs(z) > 2).any()) != bounded
        assert np.array_equal(z, np.rint(z))


def test_what_keeps_segments() -> None:
    assert Kim(within="segment").keeps_segment
    assert not Kim(within="segment", bounded=False).keeps_segment
    assert not Kim().keeps_segment


def test_other_scales_and_levels_are_refused() -> None:
    with pytest.raises(InputError, match="scale"):
        Kim(scale="exact")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="above 0"):
        Kim(0.0)


def law_of(technique: Kim | TendickMatloff) -> JointNormalLaw:
    table = numbers_table(normal_numbers(25))
    perturber = technique.prepare(table, list(table.columns), whole_table(table))
    assert isinstance(perturber, GroupPerturber)
    assert isinstance(perturber.method.stated, JointNormalLaw)
    return perturber.method.stated


def test_it_is_kim_with_the_factor_of_a_large_table() -> None:
    own, asymptotic, finite = (
        law_of(t) for t in (TendickMatloff(0.8), Kim(0.8, scale="asymptotic"), Kim(0.8))
    )
    assert own.described() == asymptotic.described()
    assert own.root[0, 0, 0] > finite.root[0, 0, 0]


def test_the_law_keeps_the_covariance_exactly() -> None:
    x = normal_numbers(25)
    law = law_of(TendickMatloff(0.8))
    covariance = np.cov(x, rowvar=False)
    kept = law.slope[0] @ covariance @ law.slope[0].T + law.root[0] @ law.root[0].T
    np.testing.assert_allclose(kept, covariance, rtol=1e-9)
    np.testing.assert_allclose(law.shift[0] + law.slope[0] @ x.mean(axis=0), x.mean(axis=0))


def test_draws_keep_means_and_covariances_and_have_the_stated_security() -> None:
    x = normal_numbers(ROWS)
    z = released_numbers(TendickMatloff(0.5, bounded=False), numbers_table(x))
    spread = x.std(axis=0)
    assert np.abs((z.mean(axis=0) - x.mean(axis=0)) / spread).max() < 4 / ROWS**0.5
    change = np.cov(z, rowvar=False) - np.cov(x, rowvar=False)
    assert np.abs(change / np.outer(spread, spread)).max() < 0.02
    assert explained(x[:, 2], z[:, 2]) == pytest.approx(2 / 3, abs=0.01)


def test_what_keeps_segments_and_what_is_refused_tendick_matloff() -> None:
    assert TendickMatloff(within="segment").keeps_segment
    assert not TendickMatloff(within="segment", bounded=False).keeps_segment
    with pytest.raises(InputError, match="above 0"):
        TendickMatloff(-0.5)


ROWS_TRAUB = 40_000


def test_the_noise_is_the_most_that_the_error_of_averages_allows() -> None:
    """500 records, a tenth of a standard deviation, one time in ten: d = 500 · 0.01 · 0.1."""
    assert Traub().noise == pytest.approx(0.5)
    assert Traub(50, 0.2, 0.05).noise == pytest.approx(0.1)
    for wanted in (Traub(), Traub(50, 0.2, 0.05), Traub(7, 0.3, 1.0)):
        assert chance_of_error(wanted.noise, wanted.records, wanted.error) == pytest.approx(wanted.risk)
        assert records_needed(wanted.noise, wanted.error, wanted.risk) == wanted.records


def test_averages_keep_the_promise_and_single_numbers_are_hidden() -> None:
    x = normal_numbers(ROWS_TRAUB)
    wanted = Traub(100, 0.2, 0.2)
    y = released_numbers(wanted, numbers_table(x))
    off = (y - x).reshape(-1, wanted.records, 3).mean(axis=1) / x.std(axis=0)
    late = (np.abs(off) > wanted.error).mean(axis=0)
    assert late.max() <= wanted.risk
    # Chebyshev's inequality holds for any noise; for a normal one the chance is that beyond 1 / √risk deviations.
    assert late.max() < 0.05
    assert (y - x).std(axis=0) / x.std(axis=0) == pytest.approx([wanted.noise**0.5] * 3, rel=0.02)


def test_it_is_sadp_with_that_noise() -> None:
    table = numbers_table(normal_numbers(50), 1)
    one, other = (
        t.prepare(table, ["a", "b"], whole_table(table)) for t in (Traub(), Sadp(0.5, bounded=False))
    )
    assert one.law().described() == other.law().described()


@pytest.mark.parametrize("bounded", [True, False])
def test_the_law_equals_the_oracle(bounded: bool) -> None:
    x = np.array([[0.0], [1.0], [2.0], [2.0], [5.0]])
    table = numbers_table(x, 0, far=6)
    law = Traub(200, 0.1, 0.1, bounded=bounded).prepare(table, ["a"], whole_table(table)).law()
    spread = (0.2 * x.var(ddof=1)) ** 0.5
    ends = (-6, 6) if bounded else (-np.inf, np.inf)
    for mean in (0.0, 2.0, 5.0):
        asked = np.arange(-9.0, 12.0)
        found = np.exp(law.log_prob({"a": np.full(21, mean)}, {"a": asked}, np.zeros(21, int)))
        assert found == pytest.approx([rounded(y, mean, spread, *ends) for y in asked], abs=1e-12)


def test_covariances_are_estimated_from_the_release() -> None:
    x = normal_numbers(ROWS_TRAUB)
    y = released_numbers(Traub(), numbers_table(x))
    found, truth = covariance_without_noise(y, Traub().noise), np.cov(x, rowvar=False)
    spread = np.sqrt(np.outer(np.diag(truth), np.diag(truth)))
    assert np.abs((found - truth) / spread).max() < 0.03
    assert np.abs((np.cov(y, rowvar=False) - truth) / spread).max() > 0.4


def test_only_bounded_numbers_stay_inside_traub() -> None:
    table = numbers_table(np.random.default_rng(3).integers(-2, 3, (500, 1)).astype(float), 0, far=2)
    for bounded in (True, False):
        y = released_numbers(Traub(2000, bounded=bounded), table)
        assert bool((np.abs(y) > 2).any()) != bounded
    assert Traub(bounded=True).promise.values == "inside"
    assert Traub().promise.values == "any"


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="1 or more; 0 was given"):
        Traub(0)
    with pytest.raises(InputError, match=r"risk of TRAUB must be above 0 and at most 1; 1\.5 was given"):
        Traub(risk=1.5)
    with pytest.raises(InputError, match="risk must be above 0"):
        records_needed(0.5, 0.1, 0.0)
    with pytest.raises(InputError, match=r"error above 0; 0 and 0\.1 were given"):
        chance_of_error(0.5, 0, 0.1)


def positive_numbers(rows: int) -> Floats:
    """Correlated lognormal columns of quite different sizes."""
    z = normal_numbers(rows) / [2.0, 3.0, 10.0]
    return np.asarray(np.exp(0.6 * (z - z.mean(axis=0)) + [0.0, 3.0, 9.0]))


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.5])
def test_every_number_is_the_mean_of_what_it_becomes(noise: float) -> None:
    x = positive_numbers(ROWS)
    y = released_numbers(LogNoise(noise, bounded=False), numbers_table(x, far=1e12))
    factor = y / x
    assert np.abs((factor.mean(axis=0) - 1) / factor.std(axis=0)).max() < 4 / ROWS**0.5
    assert factor.std(axis=0).min() > 0.05


def test_noise_on_logarithms_has_a_share_of_their_covariance() -> None:
    x = positive_numbers(ROWS)
    y = released_numbers(LogNoise(0.3, bounded=False), numbers_table(x, far=1e12))
    wanted = 0.3 * np.cov(np.log(x), rowvar=False)
    found = np.cov(np.log(y) - np.log(x), rowvar=False)
    assert np.abs((found - wanted) / wanted.max()).max() < 0.02
    # So the logarithms' correlations stay.
    np.testing.assert_allclose(
        np.corrcoef(np.log(y), rowvar=False), np.corrcoef(np.log(x), rowvar=False), atol=0.01
    )


def test_only_columns_with_other_than_positive_numbers_are_moved() -> None:
    numbers = np.array([[1.0, 0.0, -2.0], [3.0, 4.0, 2.0], [np.nan, 2.0, np.nan]])
    assert origins(numbers).tolist() == pytest.approx([0.0, (8 / 3) ** 0.5, 4.0])
    assert origins(np.zeros((3, 1))).tolist() == [1.0]
    assert origins(np.full((2, 1), np.nan)).tolist() == [0.0]


def test_the_move_is_stated_with_the_law() -> None:
    table = numbers_table(np.array([[1.0, -2.0], [3.0, 2.0], [2.0, 0.0]]), 0)
    law = LogNoise().prepare(table, ["a", "b"], whole_table(table)).law()
    assert law.described()["form"] == "joint lognormal"
    assert law.described()["origin"] == pytest.approx([0.0, 2 + (8 / 3) ** 0.5])


def test_zeros_get_noise_too() -> None:
    x = np.array([[0.0], [10.0]] * 2000)
    y = released_numbers(LogNoise(0.5, bounded=False), numbers_table(x))[:, 0]
    assert (y[::2] != 0).all()
    # The zero counts as 5, one standard deviation: nothing falls below -5.
    assert y.min() > -5
    assert y[::2].mean() == pytest.approx(0, abs=4 * y[::2].std() / 2000**0.5)


def test_units_change_nothing() -> None:
    x = positive_numbers(300)
    x[:, 0] -= 1
    one, other = (released_numbers(LogNoise(0.2), numbers_table(m, far=1e9)) for m in (x, 8 * x))
    np.testing.assert_allclose(8 * one, other, rtol=1e-9, atol=1e-9)


def test_a_record_alone_does_not_go_out_as_it_came_log_noise() -> None:
    x = positive_numbers(60)
    table = numbers_table(x, far=1e9)
    y = released_numbers(LogNoise(within="segment"), table, segments_of(table, [0] * 59 + [1]))
    assert (np.abs(y[59] / x[59] - 1) > 1e-3).all()


def test_what_keeps_segments_and_what_is_refused_log_noise() -> None:
    assert LogNoise(within="segment").keeps_segment
    assert not LogNoise(within="segment", bounded=False).keeps_segment
    with pytest.raises(InputError, match="above 0"):
        LogNoise(-1.0)


ROWS_KIM_WINKLER = 100_000


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.25])
def test_means_stay_and_variances_are_as_stated(noise: float) -> None:
    """Var Y = (1 + v) Var X + v (E X)², where cutting at two standard deviations leaves v = 0.774 s²."""
    x = normal_numbers(ROWS_KIM_WINKLER)
    y = released_numbers(KimWinkler(noise, bounded=False), numbers_table(x))
    v = noise * truncnorm(-2, 2).var()
    assert v == pytest.approx(0.774 * noise, rel=1e-3)
    wanted = (1 + v) * x.var(axis=0) + v * x.mean(axis=0) ** 2
    assert (y.var(axis=0) / wanted).tolist() == pytest.approx([1, 1, 1], abs=0.02)
    assert np.abs((y.mean(axis=0) - x.mean(axis=0)) / np.sqrt(wanted)).max() < 4 / ROWS_KIM_WINKLER**0.5


def test_factors_stay_within_two_standard_deviations_of_one() -> None:
    x = normal_numbers(2000)
    factor = released_numbers(KimWinkler(0.04, bounded=False), numbers_table(x)) / x
    assert factor.min() >= 0.6
    assert factor.max() <= 1.4
    assert np.abs(factor - 1).max() > 0.39
    # Columns are multiplied apart.
    assert abs(np.corrcoef(factor[:, 0], factor[:, 1])[0, 1]) < 0.1


def test_signs_and_zeros_stay() -> None:
    x = np.array([[-5.0], [0.0], [3.0]] * 50)
    y = released_numbers(KimWinkler(0.25, bounded=False), numbers_table(x))
    assert np.array_equal(np.sign(x), np.sign(y))
    assert ((x != y) == (x != 0)).all()


def test_a_release_stays_in_the_box_of_its_segment() -> None:
    x = np.full((400, 1), 9.0)
    table = numbers_table(x, far=10)
    segments = segments_of(table, [0] * 200 + [1] * 200)
    segments.intervals["a"].high[1] = 9.5
    y = released_numbers(KimWinkler(0.2, within="segment"), table, segments)[:, 0]
    assert y[:200].max() > 9.5 >= y[200:].max()
    assert y.max() <= 10
    anywhere = released_numbers(KimWinkler(0.2), table, segments)[:, 0]
    assert anywhere[200:].max() > 9.5


def test_what_keeps_segments_and_what_is_refused_kim_winkler() -> None:
    assert KimWinkler(within="segment").keeps_segment
    assert not KimWinkler(within="segment", bounded=False).keeps_segment
    for noise in (0.0, 0.26):
        with pytest.raises(InputError, match=r"at most 0\.25"):
            KimWinkler(noise)
    assert "between 0.8 and 1.2" in KimWinkler(0.01).says()


ONE = np.zeros(1, int)


def law(
    low: float, high: float, precision: int | None = 0, spread: float = 0.1, bounded: bool = True
) -> FactorLaw:
    return FactorLaw(
        "x", Intervals(np.array([low]), np.array([high]), precision), spread, "KIMWINKLER", bounded
    )


def chances(of: FactorLaw, x: float, values: list[float]) -> list[float]:
    n = len(values)
    found = of.log_prob({"x": np.full(n, x)}, {"x": np.array(values)}, np.zeros(n, int))
    return [float(p) for p in np.exp(found)]


def test_probabilities_by_hand() -> None:
    """10 · r with r between 0.8 and 1.2: whole numbers 8 to 12, the outer ones for half a step only."""
    whole = norm.cdf(2) - norm.cdf(-2)
    outer, next_one, middle = (
        (norm.cdf(b) - norm.cdf(a)) / whole for a, b in ((1.5, 2.0), (0.5, 1.5), (-0.5, 0.5))
    )
    wanted = [0, outer, next_one, middle, next_one, outer, 0]
    assert chances(law(0, 100), 10, [7, 8, 9, 10, 11, 12, 13]) == pytest.approx(wanted)


def test_a_negative_number_has_the_mirrored_law() -> None:
    values = [7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0]
    mirrored = chances(law(-100, 0), -10, [-v for v in values])
    assert mirrored == pytest.approx(chances(law(0, 100), 10, values))


def test_a_box_takes_its_part_of_the_law() -> None:
    whole = norm.cdf(1.5) - norm.cdf(-0.5)
    wanted = [0, (norm.cdf(0.5) - norm.cdf(-0.5)) / whole, (norm.cdf(1.5) - norm.cdf(0.5)) / whole, 0]
    assert chances(law(10, 11), 10, [9, 10, 11, 12]) == pytest.approx(wanted)
    assert sum(chances(law(10, 11, bounded=False), 10, [9, 10, 11, 12, 8])) == pytest.approx(1)


def test_reals_have_the_truncated_density() -> None:
    wanted = truncnorm(-2, 1, loc=10, scale=1).pdf([8.5, 10.9])
    assert chances(law(0, 11, None), 10, [8.5, 10.9]) == pytest.approx(wanted.tolist())
    assert chances(law(0, 11, None), 10, [7.9, 11.1]) == [0, 0]


@pytest.mark.parametrize("precision", [0, None])
def test_zero_and_the_only_value_stay(precision: int | None) -> None:
    assert chances(law(-5, 5, precision), 0, [0, 1]) == [1, 0]
    assert chances(law(7, 7, precision), 7, [7, 8]) == [1, 0]
    assert chances(law(7, 7, precision, bounded=False), 7, [7, 8]) == [1, 0]


def test_missing_stays_missing() -> None:
    stated = law(0, 9)
    nan = {"x": np.array([np.nan])}
    one = {"x": np.array([1.0])}
    assert stated.log_prob(nan, nan, ONE).tolist() == [0]
    assert stated.log_prob(nan, one, ONE).tolist() == [-np.inf]
    assert stated.log_prob(one, nan, ONE).tolist() == [-np.inf]


def test_the_described_law_has_its_box_only_if_it_respects_it() -> None:
    assert "low" in law(0, 9).described()
    assert "low" not in law(0, 9, bounded=False).described()

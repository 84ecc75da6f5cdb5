from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.techniques.added_noise import Sadp
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.together.correlated_noise import added_noise
from hushwood.techniques.together.learnt_groups import LearntGroup
from support.normal_tables import explained, normal_numbers, numbers_table, released_numbers, segments_of

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

"""Filters of independent noise against the printed formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Floats
from hushwood.segments.partition import whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Kim, KimWinkler, LogNoise, Sadp, TendickMatloff
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.protocol import Technique, Within
from hushwood.techniques.together.correlated_noise import By, filtered, noisy_group, shrinking
from hushwood.techniques.together.learnt_groups import LearntGroup
from oracles import noise_filters as oracle
from support.mixed_tables import number, table_of
from support.normal_tables import STREAMS, normal_numbers, numbers_table, segments_of


def law_of(
    table: Table, segments: Segments, share: float, scale: float | Floats = 1.0
) -> tuple[JointNormalLaw, Floats]:
    """The law, and the covariance of the noise of every cell."""
    within: Within = "table" if segments.count == 1 else "segment"
    learnt = LearntGroup.of(table, list(table.columns), segments, within)
    stated = noisy_group(learnt, share, scale, "KIM", False).method.stated
    assert isinstance(stated, JointNormalLaw)
    return stated, stated.root @ stated.root.transpose(0, 2, 1)


def test_the_shrinking_of_a_large_table_and_of_a_small_one() -> None:
    assert shrinking(1.0) == pytest.approx(0.5**0.5)
    assert shrinking(1.0, 3) == pytest.approx((2 / 5) ** 0.5)
    assert shrinking(1.0, 10**9) == pytest.approx(float(shrinking(1.0)))
    assert shrinking(0.5, np.array([2, 5])).tolist() == pytest.approx([0.5**0.5, (4 / 6.5) ** 0.5])


def test_noise_is_a_share_of_the_covariance_of_every_cell() -> None:
    numbers = normal_numbers(30)
    table = numbers_table(numbers)
    ids = [0] * 12 + [1] * 18
    law, noise = law_of(table, segments_of(table, ids), 0.3, 0.9)
    for cell, rows in enumerate((slice(0, 12), slice(12, 30))):
        own = np.cov(numbers[rows], rowvar=False)
        np.testing.assert_allclose(noise[cell], 0.9**2 * 0.3 * own, rtol=1e-9)
        np.testing.assert_allclose(law.slope[cell], 0.9 * np.eye(3), atol=1e-12)
        np.testing.assert_allclose(law.shift[cell], 0.1 * numbers[rows].mean(axis=0), rtol=1e-9)


@pytest.mark.parametrize("records", [2, 3, 5, 40])
def test_the_finite_factor_keeps_the_squared_deviations_from_the_original_mean(records: int) -> None:
    """Exactly, on average over the noise: the law knows every record's mean and variance."""
    numbers = normal_numbers(records)
    table = numbers_table(numbers)
    law, noise = law_of(table, whole_table(table), 0.7, shrinking(0.7, records))
    away = law.shift[0] + numbers @ law.slope[0].T - numbers.mean(axis=0)
    wanted = (records - 1) * np.cov(numbers, rowvar=False)
    np.testing.assert_allclose(away.T @ away + records * noise[0], wanted, rtol=1e-9, atol=1e-9)


def test_a_record_alone_takes_the_noise_of_the_whole_table() -> None:
    numbers = normal_numbers(25)
    table = numbers_table(numbers)
    law, noise = law_of(table, segments_of(table, [0] * 24 + [1]), 0.2)
    np.testing.assert_allclose(noise[1], 0.2 * np.cov(numbers, rowvar=False, ddof=0), rtol=1e-9)
    np.testing.assert_allclose(law.shift[1] + law.slope[1] @ numbers[24], numbers[24])


@pytest.mark.parametrize("same", [-20.0, 0.1, 1 / 3, -7.7, -123.456, 1e5 + 0.1])
def test_a_column_without_spread_in_its_segment_takes_the_tables_apart_from_the_others(same: float) -> None:
    """Also where rounding would give equal numbers a variance of 1e-34."""
    numbers = normal_numbers(20)
    numbers[10:, 1] = same
    table = numbers_table(numbers)
    _, noise = law_of(table, segments_of(table, [0] * 10 + [1] * 10), 0.5)
    own = np.cov(numbers[10:], rowvar=False)
    wanted = np.array([[own[0, 0], 0, own[0, 2]], [0, numbers[:, 1].var(), 0], [own[2, 0], 0, own[2, 2]]])
    np.testing.assert_allclose(noise[1], 0.5 * wanted, rtol=1e-9)


def test_a_missing_number_does_not_weaken_the_noise_of_the_others() -> None:
    """A record alone in its cell, of two columns that are nearly the same."""
    numbers = normal_numbers(30)
    numbers[:, 1] = numbers[:, 0] + 0.01 * numbers[:, 1]
    table = numbers_table(numbers)
    table.columns["a"][29] = np.nan
    law, noise = law_of(table, whole_table(table), 0.5)
    alone = int(np.flatnonzero(~law.cells.known[:, 0])[0])
    assert noise[alone, 1, 1] == pytest.approx(0.5 * numbers[:, 1].var())
    assert law.root[alone, 1, 1] == pytest.approx((0.5 * numbers[:, 1].var()) ** 0.5)


WITHIN: tuple[Within, ...] = ("table", "segment")
EVERY: dict[str, Technique] = {
    f"{type(made).__name__} {made.within}": made
    for within in WITHIN
    for made in (
        Sadp(0.4, within),
        Kim(5.0, within),
        TendickMatloff(0.4, within),
        KimWinkler(0.2, within),
        LogNoise(0.4, within),
    )
}


@pytest.mark.parametrize("technique", EVERY.values(), ids=EVERY)
@settings(max_examples=25)
@given(seed=st.integers(0, 2**31), rows=st.integers(1, 40), parts=st.integers(1, 6))
def test_any_table_is_released_inside_its_domain_as_the_law_says(
    technique: Technique, seed: int, rows: int, parts: int
) -> None:
    """Whole numbers, reals, a column that others settle, a constant one, gaps, segments of one record."""
    chance = np.random.default_rng(seed)
    count = chance.integers(-3, 6, rows).astype(float)
    real = chance.lognormal(0, 2, rows)
    columns = {
        "count": (number("count", -4, 8), count),
        "real": (number("real", 0, float(real.max()) + 1, None), real),
        "both": (number("both", -1e4, 1e9, None), 3 * real - count),
        "twice": (number("twice", -30, 30), 2 * count),
        "constant": (number("constant", -9, 9, None), np.full(rows, chance.normal())),
    }
    table = table_of({name: (a, values.tolist()) for name, (a, values) in columns.items()})
    for name in ("count", "real"):
        table.columns[name][chance.random(rows) < 0.2] = np.nan
    segments = segments_of(table, [*chance.integers(0, parts, rows).tolist()])
    perturber = technique.prepare(table, list(table.columns), segments)
    released = {
        **table.columns,
        **perturber.perturb(table.columns, segments.ids, range(rows), STREAMS),
    }
    for name, (attribute, _) in columns.items():
        values = released[name]
        assert np.array_equal(np.isnan(values), np.isnan(table.columns[name]))
        known = values[~np.isnan(values)]
        assert ((known >= (attribute.low or 0)) & (known <= (attribute.high or 0))).all()
    assert isinstance(technique, KimWinkler) or np.array_equal(
        released["constant"], table.columns["constant"]
    )
    assert np.isfinite(perturber.law().log_prob(table.columns, released, segments.ids)).all()


def noisy(seed: int, rows: int = 400) -> tuple[Floats, Floats, Floats]:
    """Five columns that two hidden causes explain, the same with noise, and the deviations of the noise."""
    chance = np.random.default_rng(seed)
    causes = chance.normal(0, 1, (rows, 2)) * (5.0, 2.0)
    true = causes @ chance.normal(0, 1, (2, 5)) + chance.normal(0, 0.3, (rows, 5)) + 100.0
    noise = np.array([0.5, 1.0, 2.0, 0.7, 1.2])
    return true, true + chance.normal(0, 1, (rows, 5)) * noise, noise


def errors(estimates: Floats, true: Floats) -> float:
    return float(np.sqrt(((estimates - true) ** 2).mean()))


@pytest.mark.parametrize("seed", range(5))
def test_kargupta_like_the_oracle(seed: int) -> None:
    _, released, noise = noisy(seed)
    np.testing.assert_allclose(filtered(released, noise, "spectral"), oracle.spectral(released, noise))


@pytest.mark.parametrize("seed", range(5))
def test_principal_components_like_the_oracle(seed: int) -> None:
    _, released, noise = noisy(seed)
    kept = [oracle.principal(released, noise, keep) for keep in range(1, 5)]
    found = filtered(released, noise, "principal")
    assert [np.allclose(found, one) for one in kept].count(True) == 1


def test_principal_components_are_those_with_more_signal_than_noise() -> None:
    kept = set()
    for scale in (0.2, 1.0, 3.0, 5.0, 20.0):
        _, released, noise = noisy(1)
        noise = noise * scale
        eigenvalues = np.linalg.eigvalsh(np.cov((released / noise).T, bias=True))
        keep = int((eigenvalues > 2).sum())
        kept.add(keep)
        expected = oracle.principal(released, noise, keep)
        np.testing.assert_allclose(filtered(released, noise, "principal"), expected)
    assert {0, 1, 2} < kept


@pytest.mark.parametrize("seed", range(5))
def test_bayes_like_the_oracle(seed: int) -> None:
    chance = np.random.default_rng(seed)
    released = chance.normal(0, 1, (200, 4)) @ chance.normal(0, 2, (4, 4)) + 5
    smallest = np.sqrt(np.linalg.eigvalsh(np.cov(released, rowvar=False))[0])
    noise = smallest * np.array([0.9, 0.2, 0.5, 0.7])
    np.testing.assert_allclose(filtered(released, noise, "bayes"), oracle.bayes(released, noise))


def test_one_column_by_hand() -> None:
    """Variance 4 with noise of variance 1 leaves 3 of signal: a number goes a quarter of the way to the mean."""
    released = np.array([[-2.0, 0.0], [2.0, 0.0], [-2.0, 1.0], [2.0, 1.0]]) + 10
    noise = np.array([1.0, 0.5])
    assert filtered(released, noise, "bayes")[:, 0].tolist() == pytest.approx([8.5, 11.5, 8.5, 11.5])
    assert filtered(released, noise, "bayes")[:, 1].tolist() == pytest.approx([10.5] * 4)
    np.testing.assert_allclose(filtered(released, noise, "released"), released)


@pytest.mark.parametrize("by", ["spectral", "principal", "bayes"])
def test_filters_take_noise_out(by: By) -> None:
    true, released, noise = noisy(2, 3000)
    assert errors(filtered(released, noise, by), true) < 0.75 * errors(released, true)


def test_pure_noise_leaves_the_mean() -> None:
    released = np.random.default_rng(1).normal(3, 2, (5000, 4))
    means = np.broadcast_to(released.mean(axis=0), released.shape)
    np.testing.assert_allclose(filtered(released, np.full(4, 2.05), "spectral"), means)

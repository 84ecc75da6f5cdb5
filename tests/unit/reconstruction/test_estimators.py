"""Shares of categories won back from PRAM, Random Categorical and WARNER.

Numbers won back from noise that is a share of their own spread: SADP, KIM, TENDICK and LOGNOISE. Numbers won back from
noise that stays inside ranges, with and without the rules. Numbers won back from random factors. Shares of categories
won back from FRAPP. Noise of a share of every column's variance: filtered out of all columns together, or undone column
by column.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.random_streams import Streams
from hushwood.reconstruction.estimators import (
    by_frequency,
    law_matrix,
    recover_added_noise,
    recover_by_matrix,
    recover_factor_noise,
    recover_log_noise,
    recover_noise_inside,
    recover_shrunk_noise,
    recover_whole_records,
)
from hushwood.reconstruction.frequencies import change_matrix
from hushwood.reconstruction.known_noise import AddedNoise
from hushwood.reconstruction.recovered import MISSING, Estimator, KnownColumn, NotRecovered, Recovered
from hushwood.reconstruction.released_columns import reconstruct_column
from hushwood.releasing.perturb import PerturbOptions, perturb
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import (
    Kim,
    KimWinkler,
    LogNoise,
    NoiseTechnique,
    Sadp,
    TendickMatloff,
    Traub,
)
from hushwood.techniques.domain_noise import Linfapt, Linnapt, Rnat
from hushwood.techniques.frapp import Frapp
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.mask_and_swap import MaskAndSwap
from hushwood.techniques.pram import Pram, RandomCategorical
from hushwood.techniques.protocol import Technique
from hushwood.techniques.sub_attributes import SubAttributes
from hushwood.techniques.warner import Warner
from hushwood.techniques.zhu_liu import ZhuLiu
from support.announced_columns import ages, how_far, known, perturbed
from support.mixed_tables import category, number, table_of, target
from support.shaped_samples import apart, shaped, shares


def answers(*counts: int, gaps: int = 0) -> Table:
    codes = [code for code, count in enumerate(counts) for _ in range(count)] + [-1] * gaps
    return table_of({"said": (category("said", "abcdef"[: len(counts)]), codes)})


def won_back(table: Table, technique: Technique) -> Recovered:
    found = recover_by_matrix(KnownColumn(table, "said", (technique,)))
    assert isinstance(found, Recovered)
    return found


@pytest.mark.parametrize(
    "technique", [Warner(truth=0.8), Warner(truth=0.8, together=True), Pram(probability=0.2)]
)
def test_two_values_by_hand(technique: Technique) -> None:
    """Of 70 and 30, 0.8 · 70 + 0.2 · 30 = 62 are seen on average; the error is that of Warner's formula."""
    found = won_back(answers(62, 38), technique)
    assert found.labels == ("a", "b")
    np.testing.assert_allclose(found.shares, [0.7, 0.3], atol=1e-12)
    assert found.errors is not None
    np.testing.assert_allclose(found.errors, np.sqrt(0.2 * 0.8 / (100 * 0.6**2)), rtol=1e-9)


def test_shares_never_leave_what_is_possible() -> None:
    np.testing.assert_allclose(won_back(answers(10, 90), Warner(truth=0.8)).shares, [0.0, 1.0], atol=1e-12)


def test_missing_is_a_value_of_pram_and_stays_in_warner() -> None:
    found = won_back(answers(50, 30, gaps=20), Pram(probability=0.3))
    assert found.labels == ("a", "b", MISSING)
    np.testing.assert_allclose(found.shares @ change_matrix(0.3, np.ones(3)), [0.5, 0.3, 0.2], atol=1e-12)
    found = won_back(answers(46, 34, gaps=20), Warner(truth=0.75, together=True))
    np.testing.assert_allclose(found.shares, [0.52, 0.28, 0.2], atol=1e-12)


def test_a_given_matrix_and_one_by_frequency() -> None:
    given = ((0.9, 0.1, 0.0), (0.2, 0.7, 0.1), (0.0, 0.0, 1.0))
    technique = Pram(matrix={"said": given}, others="frequency")
    law = technique.prepare(answers(3, 3, 4), ("said",), whole_table(answers(3, 3, 4))).law()
    np.testing.assert_allclose(law_matrix(law, "said", 3, 3), given, atol=1e-12)
    found = won_back(answers(650, 200, 150), technique)
    np.testing.assert_allclose(found.shares @ np.array(given), [0.65, 0.2, 0.15], atol=1e-12)
    matrix, shares = by_frequency(0.2, np.array([0.6, 0.3, 0.1]))
    np.testing.assert_allclose(matrix, change_matrix(0.2, shares), atol=1e-8)
    np.testing.assert_allclose(shares @ matrix, [0.6, 0.3, 0.1], atol=1e-8)


@pytest.mark.parametrize(
    "technique", [Pram(probability=0.4), RandomCategorical(0.4), Pram(probability=0.4, others="frequency")]
)
def test_drawn_values_lead_back_to_the_original_shares(technique: Technique) -> None:
    original = answers(3_000, 1_200, 600, 200)
    found = won_back(perturbed(original, technique), technique)
    assert found.errors is not None
    assert (np.abs(found.shares - np.array([0.6, 0.24, 0.12, 0.04])) < 4 * found.errors).all()
    seen = np.bincount(perturbed(original, technique).columns["said"]) / 5_000
    assert (np.abs(seen - np.array([0.6, 0.24, 0.12, 0.04])) > 4 * found.errors).any()


def test_what_cannot_be_inverted_says_why() -> None:
    for technique, says in (
        (Pram(within="segment"), "segment"),
        (Pram(probability=2 / 3), "cannot be inverted"),
        (Pram(probability=0.6, others="frequency"), "same released ones"),
    ):
        found = recover_by_matrix(KnownColumn(answers(5, 5, 5), "said", (technique,)))
        assert isinstance(found, NotRecovered)
        assert says in found.reason


def test_an_order_of_values_must_be_announced() -> None:
    orders = {"said": {"size": {"a": 1.0, "b": 2.0, "c": 4.0}}}
    technique, original = SubAttributes(numbers=orders), answers(3_000, 1_500, 500)
    found = won_back(perturbed(original, technique), technique)
    assert found.errors is not None
    assert (np.abs(found.shares - np.array([0.6, 0.3, 0.1])) < 4 * found.errors).all()
    secret = recover_by_matrix(KnownColumn(original, "said", (SubAttributes(),)))
    assert isinstance(secret, NotRecovered)
    assert "order" in secret.reason


WAYS = [
    (recover_added_noise, Sadp(noise=0.4)),
    (recover_added_noise, Sadp(noise=0.4, bounded=False)),
    (recover_shrunk_noise, Kim(noise=0.4, bounded=False)),
    (recover_shrunk_noise, TendickMatloff(noise=0.4, bounded=False)),
    (recover_shrunk_noise, MaskAndSwap(noise=0.4, bounded=False)),
    (recover_added_noise, Traub(records=400)),
    (recover_log_noise, LogNoise(noise=0.3, bounded=False)),
]


def won_back_spread_noise(estimator: Estimator, about: KnownColumn) -> tuple[Recovered, Floats]:
    found = estimator(about)
    assert isinstance(found, Recovered)
    assert found.limits is not None
    return found, found.limits


@pytest.mark.parametrize(("estimator", "technique"), WAYS)
def test_two_hills_appear_again(estimator: Estimator, technique: Technique) -> None:
    original = ages()
    released = perturbed(original, technique)
    found, limits = won_back_spread_noise(estimator, known(released, "age", technique))
    before, after = how_far(released.columns["age"], original.columns["age"], limits, found.shares)
    assert after < 0.6 * before
    assert found.shares.sum() == pytest.approx(1.0)
    assert found.rules_out is not None
    assert 0.1 < found.rules_out < 0.9


def test_the_size_of_the_noise_follows_from_the_release() -> None:
    """Bounded or not, within a tenth of what was drawn: √0.4 times the original's standard deviation."""
    original = ages()
    drawn = np.sqrt(0.4) * original.columns["age"].std()
    for bounded in (True, False):
        technique = Sadp(noise=0.4, bounded=bounded)
        found, _ = won_back_spread_noise(
            recover_added_noise, known(perturbed(original, technique), "age", technique)
        )
        noise: Any = found.noise
        scale = noise.scale if isinstance(noise, AddedNoise) else noise.law.scale[0]
        assert scale == pytest.approx(drawn, rel=0.1)


def test_shrunk_numbers_are_stretched_by_hand() -> None:
    """c = 1 / √(1 + 0.5625) = 0.8: two below the mean of 30 was two and a half below."""
    table = ages(size=10).with_columns({"age": np.array([28.0, 32.0] * 5)})
    found, _ = won_back_spread_noise(
        recover_shrunk_noise, known(table, "age", TendickMatloff(noise=0.5625, bounded=False))
    )
    assert found.shrunk == pytest.approx(0.8)
    assert found.values is not None
    np.testing.assert_allclose(found.values, [27.5, 32.5] * 5)
    assert isinstance(found.noise, AddedNoise)
    assert found.noise.scale == pytest.approx(1.5)


def test_limits_of_logarithms_hold_whole_numbers() -> None:
    technique = LogNoise(noise=0.3, bounded=False)
    _, limits = won_back_spread_noise(
        recover_log_noise, known(perturbed(ages(), technique), "age", technique)
    )
    np.testing.assert_allclose(limits % 1, 0.5)
    assert (np.diff(limits) > 0).all()


@pytest.mark.parametrize(
    ("estimator", "technique", "values", "says"),
    [
        (recover_shrunk_noise, Kim(), [1.0, 2.0], "kim.bounded=false"),
        (recover_log_noise, LogNoise(), [1.0, 2.0], "lognoise.bounded=false"),
        (recover_log_noise, LogNoise(bounded=False), [0.0, 2.0], "not announced"),
        (recover_added_noise, Sadp(within="segment"), [1.0, 2.0], "segment"),
        (recover_added_noise, Sadp(), [4.0, 4.0], "two different values"),
        (recover_added_noise, Sadp(), [np.nan, np.nan], "two different values"),
    ],
)
def test_what_is_not_recovered_says_why(
    estimator: Estimator, technique: NoiseTechnique, values: list[float], says: str
) -> None:
    table: Table = ages(size=2).with_columns({"age": np.array(values)})
    found = estimator(known(table, "age", technique))
    assert isinstance(found, NotRecovered)
    assert says in found.reason


NOISE = NoiseParameters(0.2)
BOTH = (Linfapt(NOISE), Linnapt(NOISE))


def test_rules_are_needed_and_used() -> None:
    income = np.rint(100 * shaped("bimodal", 3_000, 2))
    table = table_of(
        {
            "income": (number("income", 0, 100), income.tolist()),
            "rich": (target("rich", ("no", "yes")), (income > 40).astype(int).tolist()),
        }
    )
    done = perturb(table, PerturbOptions(technique="framework", noise=0.2), Streams(bytes(32)))
    found = recover_noise_inside(KnownColumn(done.table, "income", BOTH, done.forest))
    assert isinstance(found, Recovered)
    same = reconstruct_column(done.table, "income", NOISE, forest=done.forest)
    np.testing.assert_allclose(found.shares, same.probabilities)
    blind = recover_noise_inside(KnownColumn(done.table, "income", BOTH))
    assert isinstance(blind, NotRecovered)
    assert "--class" in blind.reason
    copied = recover_noise_inside(KnownColumn(table, "income", (Linnapt(NOISE),), done.forest))
    assert isinstance(copied, Recovered)
    assert copied.limits is not None
    assert (
        apart(copied.shares, shares(income, copied.limits)) < 1e-12
    )  # rules test it everywhere, so it is copied


def test_even_noise_leaves_nothing() -> None:
    found = recover_noise_inside(known(perturbed(ages(), Rnat()), "age", Rnat()))
    assert isinstance(found, NotRecovered)
    assert "say nothing" in found.reason


def test_a_mixture_has_an_interval_for_every_component() -> None:
    technique, original = ZhuLiu(components=10, spread=0.2), ages()
    released = perturbed(original, technique)
    found = recover_noise_inside(known(released, "age", technique))
    assert isinstance(found, Recovered)
    assert found.limits is not None
    assert len(found.shares) == 10
    before, after = how_far(released.columns["age"], original.columns["age"], found.limits, found.shares)
    assert after < 0.6 * before


def test_two_hills_appear_again_factor_noise() -> None:
    technique = KimWinkler(noise=0.06)
    original = ages()
    released = perturbed(original, technique)
    found = recover_factor_noise(known(released, "age", technique))
    assert isinstance(found, Recovered)
    assert found.limits is not None
    before, after = how_far(released.columns["age"], original.columns["age"], found.limits, found.shares)
    assert after < 0.75 * before


def test_ranges_of_segments_are_not_known() -> None:
    found = recover_factor_noise(known(ages(size=20), "age", KimWinkler(within="segment")))
    assert isinstance(found, NotRecovered)
    assert "segments" in found.reason


# γ = 5 on 6 records: one stays with 5/10 and becomes each other with 1/10, so it is kept with 0.4 and else drawn.
TECHNIQUE = Frapp(gamma=5.0)


def test_one_of_two_columns_by_hand() -> None:
    """60 of 100 kept with 0.4, and a half of the 60 drawn: 0.4 · 0.6 + 0.6 / 2 = 0.54."""
    said = {"a": (category("a", "xy"), [0] * 54 + [1] * 46), "b": (category("b", "pqr"), [0, 1, 2, 0] * 25)}
    found = recover_whole_records(KnownColumn(table_of(said), "a", (TECHNIQUE,), together=("a", "b")))
    assert isinstance(found, Recovered)
    assert found.labels == ("x", "y")
    np.testing.assert_allclose(found.shares, [0.6, 0.4], atol=1e-9)


def test_drawn_records_lead_back() -> None:
    codes = [0] * 2_400 + [1] * 600, ([0] * 3 + [-1] * 2) * 600
    original = table_of({"a": (category("a", "xy"), codes[0]), "b": (category("b", "p"), codes[1])})
    released = perturbed(original, TECHNIQUE)
    for name, before in (("a", [0.8, 0.2]), ("b", [0.6, 0.4])):
        found = recover_whole_records(KnownColumn(released, name, (TECHNIQUE,), together=("a", "b")))
        assert isinstance(found, Recovered)
        assert found.errors is not None
        assert (np.abs(found.shares - np.array(before)) < 4 * found.errors).all()
        assert found.labels == (("x", "y") if name == "a" else ("p", MISSING))


FREE = Sadp(noise=1.0, bounded=False)


def recovered(released: Table, name: str, spectral: bool) -> Recovered:
    found = recover_added_noise(
        KnownColumn(released, name, (FREE,), together=tuple(released.columns), spectral=spectral)
    )
    assert isinstance(found, Recovered)
    return found


def table_with(columns: Floats) -> Table:
    return table_of(
        {f"x{j}": (number(f"x{j}", -99, 99, None), column.tolist()) for j, column in enumerate(columns.T)}
    )


def test_columns_of_one_cause_give_it_back() -> None:
    """Six columns are one cause each; noise of its variance averages out over them, but not in one column alone."""
    chance = np.random.default_rng(1)
    cause = chance.choice([-5.0, 5.0], 3_000) + chance.normal(0, 0.3, 3_000)
    true = np.tile(cause[:, None], 6)
    released = true + chance.normal(0, cause.std(), true.shape)
    found = recovered(table_with(released), "x2", spectral=True)
    assert found.way == "spectral filter, 6 columns"
    assert found.limits is not None
    before = np.histogram(cause, found.limits)[0] / len(cause)
    seen = np.histogram(released[:, 2], found.limits)[0] / len(cause)
    assert np.abs(found.shares - before).sum() < 0.85 * np.abs(seen - before).sum()


def test_a_single_column_is_undone_alone() -> None:
    chance = np.random.default_rng(2)
    released = table_with(chance.normal(0, 3, (500, 1)))
    assert recovered(released, "x0", spectral=True).way == recovered(released, "x0", spectral=False).way


def test_missing_numbers_do_not_count() -> None:
    chance = np.random.default_rng(3)
    columns = np.repeat(chance.normal(0, 5, (400, 1)), 3, axis=1) + chance.normal(0, 5, (400, 3))
    columns[:100, 1] = np.nan
    found = recovered(table_with(columns), "x1", spectral=True)
    assert float(found.shares.sum()) == pytest.approx(1)
    assert np.rint(found.shares * 300) == pytest.approx(found.shares * 300)

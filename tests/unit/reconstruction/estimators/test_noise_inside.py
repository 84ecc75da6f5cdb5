"""Numbers won back from noise that stays inside ranges, with and without the rules."""

from __future__ import annotations

import numpy as np

from hushwood.random_streams import Streams
from hushwood.reconstruction.estimators import recover_noise_inside
from hushwood.reconstruction.recovered import Known, NotRecovered, Recovered
from hushwood.reconstruction.released_columns import reconstruct_column
from hushwood.releasing.perturb import PerturbOptions, perturb
from hushwood.techniques.domain_noise import Linfapt, Linnapt, Rnat
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.zhu_liu import ZhuLiu
from support.announced_columns import ages, how_far, known, perturbed
from support.mixed_tables import number, table_of, target
from support.shaped_samples import apart, shaped, shares

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
    found = recover_noise_inside(Known(done.table, "income", BOTH, done.forest))
    assert isinstance(found, Recovered)
    same = reconstruct_column(done.table, "income", NOISE, forest=done.forest)
    np.testing.assert_allclose(found.shares, same.probabilities)
    blind = recover_noise_inside(Known(done.table, "income", BOTH))
    assert isinstance(blind, NotRecovered)
    assert "--class" in blind.reason
    copied = recover_noise_inside(Known(table, "income", (Linnapt(NOISE),), done.forest))
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

from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.techniques.forest_synthesis import ForestSynthesis
from support.dependent_tables import correlation_of, dependent_table, normal_table, synthesised
from support.mixed_tables import category, number, table_of, target


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_a_normal_table_keeps_its_correlation(correlation: float) -> None:
    table = normal_table(correlation)
    before = correlation_of(dict(table.columns), "x", "y")
    assert abs(correlation_of(synthesised(ForestSynthesis(), table), "x", "y") - before) < 0.05


def test_leaves_do_not_mix_what_never_goes_together() -> None:
    """By hand: ages of two towns lie far apart, and a leaf that is cut between them draws from one side only."""
    ages = [20, 21, 22, 23] * 30 + [60, 61, 62, 63] * 30
    table = table_of(
        {
            "town": (category("town", "ab"), [0] * 120 + [1] * 120),
            "age": (number("age", 18, 90), ages),
            "ill": (target("ill", ("no", "yes")), [0] * 120 + [1] * 120),
        }
    )
    new = synthesised(ForestSynthesis(), table)
    old = new["age"] > 41.5
    assert (new["town"] == old).mean() > 0.95
    assert (new["ill"] == old).mean() > 0.95


def test_a_number_that_many_share_stays_and_one_of_a_single_person_does_not() -> None:
    """Most records have 0; leaves of a single record must not give its number away."""
    chance = np.random.default_rng(8)
    x = np.where(chance.random(1000) < 0.9, 0.0, np.exp(chance.normal(5, 1, 1000)))
    table = table_of(
        {
            "x": (number("x", 0, float(x.max()), None), x.tolist()),
            "k": (target("k", "ab"), (x > 0).astype(int).tolist()),
        }
    )
    new = synthesised(ForestSynthesis(min_node=1), table)
    assert 0.7 < (new["x"] == 0).mean() < 0.97
    assert not np.isin(new["x"], x[x > 0]).any()


def test_no_rounds_is_a_forest_that_saw_permuted_columns_only() -> None:
    table = dependent_table(600)
    assert correlation_of(synthesised(ForestSynthesis(rounds=0), table), "x", "y") > 0.8
    assert correlation_of(synthesised(ForestSynthesis(rounds=0, delta=0.5), table), "x", "y") > 0.8


def test_parameters_are_checked() -> None:
    for wrong in ({"trees": 0}, {"min_node": 0}, {"rounds": -1}, {"delta": 0.7}):
        with pytest.raises(InputError):
            ForestSynthesis(**wrong)

"""The leaves of a forest: their members, their shares, and the bounds that tests leave a column."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.techniques.forest_synthesis import ForestSynthesis, Leaves, adversarial_leaves
from hushwood.techniques.synthesis.synthesis import SynthesisSource
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


# A tree of two tests (column 0 up to 4.5, then column 1 up to 2.5) and one that is a single leaf.
TWO_TREES = Leaves(
    leaf=np.array([[3, 3, 4, 2], [5, 5, 5, 5]]),
    members=np.array([3, 0, 1, 2, 0, 1, 2, 3]),
    start=np.array([0, 0, 0, 1, 3, 4, 8]),
    feature=np.array([0, 1, -1, -1, -1, -1]),
    threshold=np.array([4.5, 2.5, 0, 0, 0, 0]),
    left=np.array([1, 3, -1, -1, -1, -1]),
    right=np.array([2, 4, -1, -1, -1, -1]),
)


def test_bounds_follow_the_tests() -> None:
    low, high = TWO_TREES.bounds(0, 9)
    assert low.tolist() == [-1, -1, 4.5, -1, -1, -1]
    assert high.tolist() == [9, 4.5, 9, 4.5, 4.5, 9]
    low, high = TWO_TREES.bounds(1, 7)
    assert low.tolist() == [-1, -1, -1, -1, 2.5, -1]
    assert high.tolist() == [7, 7, 7, 2.5, 7, 7]


def test_leaves_are_drawn_by_the_records_they_hold() -> None:
    u = (np.arange(8000) + 0.5) / 8000
    first, second = np.meshgrid(u[::80], u[::80])
    drawn = TWO_TREES.of_new(first.ravel(), second.ravel())
    shares = np.bincount(drawn, minlength=6) / drawn.size
    np.testing.assert_allclose(shares, [0, 0, 1 / 8, 2 / 8, 1 / 8, 4 / 8], atol=0.01)


def test_members_of_a_leaf_are_drawn_evenly() -> None:
    u = (np.arange(1000) + 0.5) / 1000
    assert np.bincount(TWO_TREES.member(np.full(1000, 3), u)).tolist() == [500, 500]
    assert set(TWO_TREES.member(np.full(1000, 4), u).tolist()) == {2}


def test_every_record_is_in_one_leaf_of_every_tree_and_inside_its_bounds() -> None:
    table = dependent_table(300)
    source = SynthesisSource.of(
        table.schema, list(table.columns), table.columns, range(300), Streams(bytes(32)), "T"
    )
    columns = source.led
    leaves = adversarial_leaves(source, columns, trees=4, min_node=5, rounds=2, delta=0.0)
    assert leaves.leaf.shape == (4, 300)
    assert leaves.sizes.sum() == 4 * 300
    for place, column in enumerate(columns):
        low, high = leaves.bounds(place, column.levels - 1)
        for tree in leaves.leaf:
            assert ((column.codes > low[tree]) & (column.codes <= high[tree])).all()

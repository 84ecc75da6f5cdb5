from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.reconstruction import AddedNoise, noisy_tree
from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each
from support.mixed_tables import category, number, table_of, target


def clinic(size: int, seed: int) -> tuple[Table, AddedNoise]:
    """A dose that helps one city above 6 and the other below 4."""
    chance = np.random.default_rng(seed)
    dose, city = chance.uniform(0, 10, size), chance.integers(0, 2, size)
    helped = np.where(city == 0, dose > 6, dose < 4).astype(int)
    noise = AddedNoise(2.0, domain=(0, 10))
    noisy = dose + chance.normal(0, noise.scale, size)
    table = table_of(
        {
            "dose": (number("dose", -9, 19, None), noisy.tolist()),
            "city": (category("city", ("Arm", "Mel")), city.tolist()),
            "helped": (target("helped", ("no", "yes")), helped.tolist()),
        }
    )
    return table, noise


def test_every_city_has_its_own_distribution() -> None:
    """Over the whole table both classes look alike; inside a city they do not."""
    table, noise = clinic(8000, 1)
    options = GrowOptions(min_leaf=100)
    local = noisy_tree(table, {"dose": noise}, strategy="local", intervals=10, options=options).trees[0]
    assert [local.attribute[0], *local.attribute[local.branches_of(0)]] == [1, 0, 0]
    np.testing.assert_allclose(local.threshold[local.branches_of(0)], [6.0, 4.0], atol=1.0)


def test_counts_are_those_of_the_records() -> None:
    table, noise = clinic(2000, 2)
    forest = noisy_tree(
        table, {"dose": noise}, strategy="local", intervals=10, options=GrowOptions(min_leaf=20, prune=False)
    )
    tree = forest.trees[0]
    np.testing.assert_array_equal(tree.counts[0], np.bincount(table.columns["helped"]))
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        np.testing.assert_array_equal(tree.counts[tree.branches_of(node)].sum(axis=0), tree.counts[node])
    reached = leaf_of_each(tree, forest, table.columns)
    assert set(reached.tolist()) <= set(tree.leaves.tolist())


def test_depth_is_limited() -> None:
    table, noise = clinic(2000, 2)
    for depth in (0, 1):
        options = GrowOptions(min_leaf=20, prune=False, max_depth=depth)
        tree = noisy_tree(table, {"dose": noise}, strategy="local", options=options).trees[0]
        assert len(tree) == 1 + 2 * depth


def test_records_without_a_class_are_left_out_and_gaps_refused() -> None:
    table, noise = clinic(500, 3)
    helped = table.columns["helped"].copy()
    helped[:100] = -1
    some = table.with_columns({"helped": helped})
    tree = noisy_tree(some, {"dose": noise}, strategy="local").trees[0]
    assert tree.counts[0].sum() == 400
    dose = table.columns["dose"].copy()
    dose[3] = np.nan
    with pytest.raises(
        InputError, match=r"complete records, but these have missing values: 'dose'\. Use 'byclass'"
    ):
        noisy_tree(table.with_columns({"dose": dose}), {"dose": noise}, strategy="local")

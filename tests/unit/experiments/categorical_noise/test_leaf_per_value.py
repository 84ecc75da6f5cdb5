"""See5's shared leaves taken apart: the same predictions, one leaf a value, records counted where they are."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.experiments.categorical_noise.leaf_per_value import leaf_per_value
from hushwood.experiments.synthetic_tables import credit_risk, customer_status
from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood.value_clusters.detective import ValueClusters, detective
from mixed_tables import category, table_of, target

SEE5 = GrowOptions(variant="see5")


def grown(table: Table, name: str, options: GrowOptions = SEE5) -> ValueClusters:
    found = detective(table, name, options)
    assert found is not None
    return found


def small() -> Table:
    """x decides: p and r are mostly a, q is b; See5 lets p and r share a leaf."""
    x = [0] * 10 + [1] * 10 + [2] * 10
    k = [0] * 9 + [1] + [1] * 10 + [0] * 8 + [1] * 2
    return table_of({"x": (category("x", "pqr"), x), "k": (target("k", "ab"), k)})


def test_a_shared_leaf_becomes_one_for_each_value() -> None:
    table = small()
    shared = grown(table, "k")
    assert shared.tree.branches.tolist() == [1, 2, 1]
    apart = leaf_per_value(shared, table)
    assert apart.tree.branches.tolist() == [1, 2, 3]
    assert apart.tree.counts.tolist() == [[17, 13], [9, 1], [0, 10], [8, 2]]
    assert apart.tree.label.tolist()[1:] == [0, 1, 0]
    assert apart.siblings == {1: (2, 3), 2: (1, 3), 3: (1, 2)}
    assert apart.tree.missing_to.tolist() == [1, LEAF, LEAF, LEAF]


def test_trees_without_shared_leaves_stay() -> None:
    table = small()
    clusters = grown(table, "k", GrowOptions(variant="j48"))
    assert leaf_per_value(clusters, table) is clusters


@pytest.mark.parametrize("key", range(6))
def test_every_record_is_predicted_as_before(key: int) -> None:
    """On both generated tables, for every category."""
    secret = bytes([key]) * 32
    for table in (customer_status(399, secret), credit_risk(399, secret)):
        for name in (a.name for a in table.schema.attributes if a.kind == "categorical"):
            shared = grown(table, name)
            apart = leaf_per_value(shared, table)
            before, after = (leaf_of_each(c.tree, c.forest, table.columns) for c in (shared, apart))
            assert np.array_equal(shared.tree.label[before], apart.tree.label[after])
            assert np.array_equal(shared.tree.counts[0], apart.tree.counts[0])
            children = [child for _, child in apart.tree.edges()]
            assert len(children) == len(set(children)) == len(apart.tree.branches)
            for leaf in apart.tree.leaves.tolist():
                there = np.bincount(table.columns[name][after == leaf], minlength=apart.tree.counts.shape[1])
                assert apart.tree.counts[leaf].tolist() == there.tolist()

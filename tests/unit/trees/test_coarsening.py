from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.table import Table
from hushwood.trees.coarsening import merged_small_leaves
from hushwood.trees.forest import Forest
from hushwood.trees.grow import GrowOptions, grow_tree
from hushwood.trees.model_file import forest_from_json
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.training import TrainingSet
from support.mixed_tables import mixed_table

COLORS = ["blue", "green", "red", "white"]


def color_forest(*sizes: int) -> tuple[Forest, np.ndarray]:
    """One test of four colors, and the leaf of every record; color i has sizes[i] records."""
    nodes: list[dict[str, Any]] = [
        {
            "id": 0,
            "test": {"attribute": "color"},
            "children": {color: i + 1 for i, color in enumerate(COLORS)},
            "missing_to": 1,
            "counts": [sum(sizes), 10],
        }
    ]
    nodes += [{"id": i + 1, "counts": [size, i]} for i, size in enumerate(sizes)]
    model = {
        "format": "hushwood-forest",
        "version": 1,
        "class": "k",
        "classes": ["no", "yes"],
        "grown": {},
        "attributes": [{"name": "color", "kind": "categorical", "values": COLORS}],
        "trees": [{"nodes": nodes}],
    }
    return forest_from_json(model), np.repeat(np.arange(1, 5, dtype=np.int32), sizes)


def test_small_branches_are_merged_with_each_other() -> None:
    forest, leaf = color_forest(50, 6, 40, 5)
    tree = merged_small_leaves(forest.trees[0], leaf, 10)
    assert len(tree) == 4
    branches = tree.branches_of(0)
    assert branches[1] == branches[3]
    assert len(set(branches.tolist())) == 3
    assert tree.counts[branches[1]].tolist() == [11.0, 4.0]
    assert tree.label[branches[1]] == 0
    assert tree.missing_to[0] == branches[0]


def test_a_small_branch_alone_joins_the_smallest_sibling() -> None:
    forest, leaf = color_forest(50, 6, 40, 30)
    branches = merged_small_leaves(forest.trees[0], leaf, 10).branches_of(0)
    assert branches[1] == branches[3]
    assert len(set(branches.tolist())) == 3


def test_a_test_that_leads_to_one_place_becomes_a_leaf() -> None:
    forest, leaf = color_forest(50, 1, 1, 1)
    tree = merged_small_leaves(forest.trees[0], leaf, 10)
    assert len(tree) == 1
    assert tree.counts.tolist() == [[53.0, 10.0]]


def test_large_leaves_stay() -> None:
    forest, leaf = color_forest(50, 20, 40, 30)
    tree = merged_small_leaves(forest.trees[0], leaf, 10)
    assert np.array_equal(tree.branches, forest.trees[0].branches)
    assert np.array_equal(tree.counts, forest.trees[0].counts)


def columns_of(table: Table) -> dict[str, np.ndarray]:
    return {name: np.asarray(values) for name, values in table.columns.items()}


@given(st.integers(0, 500), st.integers(2, 60))
def test_every_leaf_holds_enough_and_no_record_crosses_a_kept_test(seed: int, least: int) -> None:
    table = mixed_table(seed, 300)
    training = TrainingSet.from_table(table)
    tree = grow_tree(training, GrowOptions(min_leaf=2))
    forest = Forest("risk", training.classes, training.attributes, (tree,))
    before = leaf_of_each(tree, forest, columns_of(table))
    new = merged_small_leaves(tree, before, least)
    after = leaf_of_each(new, forest, columns_of(table))
    sizes = np.bincount(after, minlength=len(new))[new.leaves]
    assert sizes.min() >= min(least, table.rows)
    # Records of one old leaf stay together.
    assert all(len(set(after[before == leaf].tolist())) == 1 for leaf in set(before.tolist()))
    assert new.counts[0].tolist() == tree.counts[0].tolist()

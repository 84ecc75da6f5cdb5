"""Trees cut at a depth: the nodes above stay as they were, and the leaves below are counted."""

from __future__ import annotations

import pytest

from hushwood.reports.release.cut_trees import DEPTH, cut
from hushwood.trees.forest import LEAF, Forest, describe, rules_of
from support.small_trees import income_forest


@pytest.fixture
def forest() -> Forest:
    return income_forest()


def test_a_tree_that_fits_stays_whole(forest: Forest) -> None:
    for tree in forest.trees:
        found = cut(tree, DEPTH)
        assert found.below == {}
        assert found.places == {node: node for node in range(len(tree))}
        assert [describe(rule) for rule in rules_of(found.tree, forest)] == [
            describe(rule) for rule in rules_of(tree, forest)
        ]


def test_a_root_alone_stands_for_all_leaves(forest: Forest) -> None:
    tree = forest.trees[0]
    found = cut(tree, 0)

    assert found.tree.attribute.tolist() == [LEAF]
    assert found.below == {0: tuple(tree.leaves.tolist())}
    assert found.tree.counts.tolist() == [tree.counts[0].tolist()]


def test_ends_stand_for_the_leaves_below_them(forest: Forest) -> None:
    # Nodes 0 and 3 test the age, node 1 the sex; 2, 4, 5 and 6 are leaves.
    found = cut(forest.trees[0], 2)

    assert found.places == {0: 0, 1: 1, 2: 2, 3: 3, 6: 4}
    assert found.below == {3: (4, 5)}
    assert found.tree.leaves.tolist() == [2, 3, 4]
    assert found.tree.counts[3].tolist() == [5, 9]
    assert [describe(rule) for rule in rules_of(found.tree, forest)][2] == "age > 27 → high"

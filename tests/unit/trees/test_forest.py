"""What a tree says about its own shape."""

from __future__ import annotations

from small_trees import income_forest, stump


def test_leaves_are_the_nodes_without_a_test() -> None:
    first, second = income_forest().trees
    assert (len(first), first.leaves.tolist()) == (7, [2, 4, 5, 6])
    assert (len(second), second.leaves.tolist()) == (5, [1, 3, 4])


def test_branches_repeat_a_shared_child() -> None:
    tree = income_forest().trees[0]
    assert tree.branches_of(0).tolist() == [1, 6]
    assert tree.branches_of(1).tolist() == [2, 3, 3]
    assert tree.branches_of(2).tolist() == []


def test_edges_name_a_shared_child_once() -> None:
    tree = income_forest().trees[0]
    assert list(tree.edges()) == [(0, 1), (0, 6), (1, 2), (1, 3), (3, 4), (3, 5)]


def test_a_single_leaf_has_no_edges() -> None:
    tree = stump().trees[0]
    assert (tree.leaves.tolist(), list(tree.edges())) == ([0], [])

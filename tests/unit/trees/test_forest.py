"""What a tree says about its own shape."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.errors import InternalFault
from hushwood.trees.forest import LEAF, joined
from hushwood.trees.model_file import forest_from_json, forest_to_json
from support.small_trees import income_forest, stump


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


@pytest.mark.parametrize(
    ("field", "place", "value"),
    [
        ("branches", 0, 0),  # back to the root: a loop without end
        ("branches", 1, 7),  # beyond the last node
        ("missing_to", 1, 1),
        ("missing_to", 3, 9),
        ("branch_start", 1, 1),  # a numeric test with one branch
        ("branch_start", -1, 9),
    ],
)
def test_ways_that_end_in_no_leaf_are_refused(field: str, place: int, value: int) -> None:
    tree = income_forest().trees[0]
    wrong = getattr(tree, field).copy()
    wrong[place] = value
    with pytest.raises(InternalFault, match="please report this"):
        replace(tree, **{field: wrong})


def test_a_tree_has_a_root() -> None:
    whole, tree = np.empty(0, np.int32), stump().trees[0]
    with pytest.raises(InternalFault):
        replace(tree, attribute=whole, threshold=np.empty(0), missing_to=whole, counts=np.empty((0, 2)))


def test_forests_that_predict_different_columns_are_joined_and_taken_apart_again() -> None:
    first = income_forest()
    tree = first.trees[0]
    turned = replace(
        tree, attribute=np.where(tree.attribute == LEAF, LEAF, 1 - tree.attribute).astype(np.int32)
    )
    other = replace(first, class_name="other", attributes=first.attributes[::-1], trees=(turned,))
    both = joined([first, other])
    assert [target.name for target in both.predicts] == [first.class_name] * 2 + ["other"]
    assert both.attributes == first.attributes
    assert both.trees[2].attribute.tolist() == tree.attribute.tolist()
    income, again = both.parts
    assert (income.class_name, len(income.trees), again.class_name, len(again.trees)) == (
        *(first.class_name, 2),
        *("other", 1),
    )
    assert joined([first]) is first
    assert first.parts == (first,)
    back = forest_from_json(forest_to_json(both))
    assert back.predicts == both.predicts
    assert forest_from_json(forest_to_json(first)).targets == ()

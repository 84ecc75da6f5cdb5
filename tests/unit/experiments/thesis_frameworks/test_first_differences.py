"""Where two trees part: the topmost tests that are not the same, with the records below them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hushwood.experiments.thesis_frameworks.first_differences import Difference, first_differences
from hushwood.trees.forest import Forest
from small_trees import income_forest, stump


def age_tree(**changed: Any) -> Forest:
    """The first tree of the small forest (age ≤ 27, then sex, then age ≤ 20), with other thresholds."""
    forest = income_forest()
    tree = replace(forest.trees[0], **changed)
    return replace(forest, trees=(tree,))


def thresholds(node: int, value: float) -> dict[str, Any]:
    known = income_forest().trees[0].threshold.copy()
    known[node] = value
    return {"threshold": known}


def test_a_tree_does_not_differ_from_itself() -> None:
    assert first_differences(age_tree(), age_tree()) == []


def test_a_root_that_moved_takes_all_records_with_it() -> None:
    assert first_differences(age_tree(), age_tree(**thresholds(0, 28))) == [Difference(0, "age", True, 1.0)]


def test_a_test_further_down_takes_those_below_it() -> None:
    found = first_differences(age_tree(), age_tree(**thresholds(3, 19)))
    assert [(f.depth, f.attribute, f.moved) for f in found] == [(2, "age", True)]
    assert found[0].share == pytest.approx(14 / 24)


def test_categories_that_are_grouped_otherwise_part_the_trees() -> None:
    forest = age_tree()
    tree = forest.trees[0]
    branches = tree.branches.copy()
    start = int(tree.branch_start[1])
    branches[start : start + 3] = [2, 3, 2]
    found = first_differences(forest, age_tree(branches=branches))
    assert [(f.depth, f.attribute, f.moved) for f in found] == [(1, "sex", True)]


def test_a_leaf_in_place_of_a_test_is_a_difference_of_its_own() -> None:
    found = first_differences(age_tree(), stump())
    assert found == [Difference(0, "age", False, 1.0)]
    back = first_differences(stump(), age_tree())
    assert back == [Difference(0, "age", False, 1.0)]
    assert isinstance(back[0].share, float)
    assert np.isfinite(back[0].share)

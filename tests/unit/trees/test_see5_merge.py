"""Leaves of one label below a categorical test become one leaf."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.see5_merge import merge_leaves


def wide_tree(counts: list[list[float]], labels: list[int], threshold: float = np.nan) -> Tree:
    """A root with a leaf for each pair of class weights."""
    size = len(counts)
    return Tree(
        np.array([0, *[LEAF] * size], np.int32),
        np.array([threshold, *[np.nan] * size]),
        np.array([0, *[size] * (size + 1)], np.int64),
        np.arange(1, size + 1, dtype=np.int32),
        np.array([1, *[LEAF] * size], np.int32),
        np.array([np.sum(counts, axis=0), *counts], np.float64),
        np.array([0, *labels], np.int32),
    )


def test_values_share_a_leaf_and_its_counts_are_the_sums() -> None:
    tree = merge_leaves(wide_tree([[5, 1], [0, 8], [4, 0], [0, 0], [0, 0]], [0, 1, 0, 0, 0]), set(), 1e-9)
    assert tree.branches.tolist() == [1, 2, 1, 3, 3]
    assert tree.counts.tolist() == [[9, 9], [9, 1], [0, 8], [0, 0]]
    assert (tree.label.tolist(), tree.missing_to.tolist()) == ([0, 0, 1, 0], [1, LEAF, LEAF, LEAF])
    assert tree.branch_start.tolist() == [0, 5, 5, 5, 5]


@pytest.mark.parametrize("counts", [[[5, 1], [4, 0]], [[5, 1], [0, 4], [0, 0]]])
def test_two_values_or_nothing_in_common(counts: list[list[float]]) -> None:
    given = wide_tree(counts, [0, 0] if len(counts) == 2 else [0, 1, 1])
    assert merge_leaves(given, set(), 1e-9) is given


def test_leaves_of_prescribed_tests_stay_apart() -> None:
    given = wide_tree([[5, 1], [4, 0], [3, 0]], [0, 0, 0])
    assert merge_leaves(given, {0}, 1e-9) is given


def test_an_inner_child_stays_where_it_is() -> None:
    tree = Tree(
        np.array([0, LEAF, 1, LEAF, LEAF, LEAF], np.int32),
        np.array([np.nan, np.nan, 0.5, np.nan, np.nan, np.nan]),
        np.array([0, 3, 3, 5, 5, 5, 5], np.int64),
        np.array([1, 2, 5, 3, 4], np.int32),
        np.array([1, LEAF, 3, LEAF, LEAF, LEAF], np.int32),
        np.array([[9, 3], [4, 0], [2, 3], [2, 0], [0, 3], [3, 0]], np.float64),
        np.array([0, 0, 1, 0, 1, 0], np.int32),
    )
    merged = merge_leaves(tree, set(), 1e-9)
    assert merged.branches.tolist() == [1, 2, 1, 3, 4]
    assert merged.counts[:3].tolist() == [[9, 3], [7, 0], [2, 3]]
    assert merged.threshold[2] == 0.5

from __future__ import annotations

from collections import Counter
from math import log2

import numpy as np
import pytest

from hushwood.sklearn import C45Classifier, SysForClassifier
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.grow import importances, information_won


def entropy(labels: list[int]) -> float:
    """Bits, of all labels together."""
    counts = Counter(labels).values()
    return -sum(count * log2(count / len(labels)) for count in counts)


def won_by_hand(tree: Tree, rows: list[list[float]], labels: list[int]) -> list[float]:
    """Every record walks down; at every node the bits before and after its test are compared."""
    at: dict[int, list[int]] = {}
    for row, label in zip(rows, labels, strict=True):
        node = 0
        at.setdefault(0, []).append(label)
        while tree.attribute[node] != LEAF:
            below, above = tree.branches_of(node).tolist()
            node = below if row[tree.attribute[node]] <= tree.threshold[node] else above
            at.setdefault(node, []).append(label)
    won = [0.0] * len(rows[0])
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        children = {child for child in tree.branches_of(node).tolist() if child in at}
        won[tree.attribute[node]] += entropy(at[node]) - sum(entropy(at[child]) for child in children)
    return won


@pytest.mark.parametrize("seed", range(5))
def test_information_is_that_of_the_records_at_every_node(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 6, (80, 3)).astype(float).tolist()
    labels = rng.integers(0, 3, 80).tolist()
    tree = C45Classifier(prune=False, min_leaf=1).fit(rows, labels).forest_.trees[0]
    assert information_won(tree, 3) == pytest.approx(won_by_hand(tree, rows, labels), abs=1e-9)


def test_the_only_feature_that_matters_has_all_of_it() -> None:
    rows = [[1, 5], [2, 5], [3, 5], [4, 5]]
    assert C45Classifier().fit(rows, [0, 0, 1, 1]).feature_importances_.tolist() == [1.0, 0.0]


def test_trees_count_alike_and_shares_sum_to_1() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(300, 4))
    forest = SysForClassifier(trees=3).fit(rows, rows[:, 0] + rows[:, 1] > 0).forest_
    apart = [information_won(tree, 4) for tree in forest.trees]
    expected = np.mean([one / one.sum() for one in apart], axis=0)
    assert importances(forest) == pytest.approx(expected)
    assert importances(forest).sum() == pytest.approx(1)


def test_a_tree_without_a_test_gives_no_shares() -> None:
    assert C45Classifier().fit([[1], [1]], [0, 1]).feature_importances_.tolist() == [0.0]

"""Trees cut back to a weight: by hand, and properties on grown trees."""

from __future__ import annotations

from itertools import pairwise
from math import log2

import numpy as np
import pytest
from numpy.typing import NDArray

from hushwood.trees.forest import Tree
from hushwood.trees.grow import GrowOptions
from hushwood.value_clusters.detective import detective
from hushwood.value_clusters.weighted_trees import leaves_at
from mixed_tables import mixed_table, one_tree


def tree_of_two_tests() -> Tree:
    """The root tells apart 8 a from 8 b but for one of each; below, one of two tests finds one of them."""
    number = {"attribute": "x", "threshold": 1.0}
    return one_tree(
        {"name": "x", "kind": "numeric"},
        [
            {"id": 0, "test": number, "children": {"le": 1, "gt": 4}, "missing_to": 1, "counts": [8, 8]},
            {"id": 1, "test": number, "children": {"le": 2, "gt": 3}, "missing_to": 2, "counts": [7, 1]},
            {"id": 2, "counts": [7, 0]},
            {"id": 3, "counts": [0, 1]},
            {"id": 4, "counts": [1, 7]},
        ],
    ).trees[0]


def test_by_hand() -> None:
    """The lower test explains 8 bits times the entropy of 1 in 8, 4.35 of 16 - 4.35 bits in all: 37 %."""
    tree = tree_of_two_tests()
    below = 8 * (-7 / 8 * log2(7 / 8) - 1 / 8 * log2(1 / 8))
    share = 1 - below / (16 - below)
    assert share == pytest.approx(0.627, abs=1e-3)
    assert leaves_at(tree, 1).tolist() == [0, 1, 2, 3, 4]
    assert leaves_at(tree, share + 1e-6).tolist() == [0, 1, 2, 3, 4]
    assert leaves_at(tree, share - 1e-6).tolist() == [0, 1, 1, 1, 4]
    assert leaves_at(tree, 1e-6).tolist() == [0, 1, 1, 1, 4]
    assert leaves_at(tree, 0).tolist() == [0] * 5


def explained(tree: Tree, at: NDArray[np.int64]) -> float:
    """Bits that the leaves after a cut explain, by plain loops."""

    def bits(counts: list[float]) -> float:
        return -sum(c * log2(c / sum(counts)) for c in counts if c > 0)

    leaves = {int(at[leaf]) for leaf in tree.leaves.tolist()}
    return bits(tree.counts[0].tolist()) - sum(bits(tree.counts[leaf].tolist()) for leaf in leaves)


@pytest.mark.parametrize("seed", range(4))
def test_less_weight_joins_leaves_and_keeps_its_share(seed: int) -> None:
    clusters = detective(mixed_table(seed, 400), "job", GrowOptions(min_leaf=3))
    assert clusters is not None
    tree = clusters.tree
    weights = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0]
    cuts = [leaves_at(tree, weight) for weight in weights]
    assert set(cuts[0].tolist()) == {0}
    assert cuts[-1].tolist() == list(range(len(tree)))
    whole = explained(tree, cuts[-1])
    sizes = [len(set(cut[tree.leaves].tolist())) for cut in cuts]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 4
    for weight, cut in zip(weights, cuts, strict=True):
        assert explained(tree, cut) >= weight * whole - 1e-6
    for coarse, fine in pairwise(cuts):
        together = {
            (int(f), int(c)) for f, c in zip(fine, coarse, strict=True) if f in set(fine[tree.leaves])
        }
        assert len(together) == len({f for f, _ in together})


def test_a_tree_of_one_leaf() -> None:
    tree = one_tree({"name": "x", "kind": "numeric"}, [{"id": 0, "counts": [3, 1]}]).trees[0]
    assert leaves_at(tree, 0.5).tolist() == [0]

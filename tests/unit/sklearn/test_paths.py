from __future__ import annotations

import numpy as np

from hushwood.trees.routing import depths, path_matrix
from support.small_trees import income_forest


def test_ways_of_a_small_tree_by_hand() -> None:
    tree = income_forest().trees[0]
    found = path_matrix(tree, tree.leaves.astype(np.int32))
    parents = {below: above for above, below in tree.edges()}
    for row, leaf in enumerate(tree.leaves.tolist()):
        way = [leaf]
        while way[-1] in parents:
            way.append(parents[way[-1]])
        assert found[row].indices.tolist() == way[::-1]
        assert depths(tree)[leaf] == len(way) - 1

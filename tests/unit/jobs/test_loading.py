from __future__ import annotations

import numpy as np

from hushwood.jobs.loading import load_kernels
from hushwood.normal_quantile import normals_from_words
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.routing_kernels import route
from small_trees import income_forest


def test_the_kernels_are_ready_for_the_types_that_a_release_uses() -> None:
    thread = load_kernels()
    thread.join()
    ready = len(normals_from_words.signatures), len(route.signatures)
    assert all(ready)
    normals_from_words(np.zeros(3, np.uint64), np.zeros(3))
    forest = income_forest()
    columns = {a.name: np.zeros(2, float if a.kind == "numeric" else np.int32) for a in forest.attributes}
    for tree in forest.trees:
        leaf_of_each(tree, forest, columns)
    assert (len(normals_from_words.signatures), len(route.signatures)) == ready

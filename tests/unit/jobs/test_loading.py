from __future__ import annotations

from pathlib import Path

import numpy as np

from hushwood.jobs.loading import WORTH_IT, load_kernels_for
from hushwood.normal_quantile import normals_from_words
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.routing_kernels import route
from small_trees import income_forest


def test_small_and_absent_files_are_not_worth_a_thread(tmp_path: Path) -> None:
    assert load_kernels_for(tmp_path / "nothing.csv") is None
    (tmp_path / "small.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert load_kernels_for(tmp_path / "small.csv") is None


def test_the_kernels_are_ready_for_the_types_that_a_release_uses(tmp_path: Path) -> None:
    (tmp_path / "large.csv").write_bytes(bytes(WORTH_IT))
    thread = load_kernels_for(tmp_path / "large.csv")
    assert thread is not None
    thread.join()
    ready = len(normals_from_words.signatures), len(route.signatures)
    assert all(ready)
    normals_from_words(np.zeros(3, np.uint64), np.zeros(3))
    forest = income_forest()
    columns = {a.name: np.zeros(2, float if a.kind == "numeric" else np.int32) for a in forest.attributes}
    for tree in forest.trees:
        leaf_of_each(tree, forest, columns)
    assert (len(normals_from_words.signatures), len(route.signatures)) == ready

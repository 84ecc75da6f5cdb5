"""Releases of Wine, which scikit-learn has: what is told of them, and who is alone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hushwood.experiments.alone_and_linked import alone_segments, names
from hushwood.experiments.alone_and_linked.alone_and_linked import EXPERIMENT, SMALL, tasks, ways_of
from hushwood.experiments.alone_and_linked.alone_segments import alone_by_trees
from hushwood.experiments.alone_and_linked.linked_releases import Scene, released_and_measured
from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import Size
from hushwood.frameworks.perturb import PerturbOptions
from hushwood.measures.grown import Grown
from hushwood.trees.routing import leaf_of_each


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene.of("wine", PaperTables())


def test_a_fifth_is_kept_apart(scene: Scene) -> None:
    assert (scene.table.rows, scene.unseen.rows) == (143, 35)
    again = Scene.of("wine", PaperTables())
    assert all(
        np.array_equal(again.table.columns[name], scene.table.columns[name]) for name in scene.table.columns
    )


def test_smallest_leaves(scene: Scene) -> None:
    assert [scene.min_leaf(leaves) for leaves in ("release", "paper", "smallest")] == [10, 10, 2]


def test_the_untouched_table_is_linked_whole(scene: Scene) -> None:
    found = released_and_measured(scene, names.UNTOUCHED, 1)
    assert found[names.LINKED] == found[names.SAME_RECORDS] == found[names.SAME_CELLS] == 100
    assert found[names.EDUDS] == pytest.approx(1)
    assert found[names.RI] == pytest.approx(0, abs=1e-9)
    assert names.ALONE not in found


def test_the_same_run_gives_the_same_numbers(scene: Scene) -> None:
    one, same, other = (released_and_measured(scene, names.F, run) for run in (1, 1, 2))
    assert one == same
    assert one[names.SAME_CELLS] != other[names.SAME_CELLS]
    assert one[names.LINKED] == max(one[what] for what in names.LINKAGES.values())
    assert one[names.ALONE] == 0


def test_alone_is_who_shares_no_combination_of_leaves(scene: Scene) -> None:
    """Counted one record at a time."""
    found = alone_by_trees(scene)
    grown = Grown(scene.table, PerturbOptions(min_leaf=2).grow_options(scene.table.rows))
    leaves = [leaf_of_each(tree, grown.forest, scene.table.columns).tolist() for tree in grown.forest.trees]
    for trees in (1, 3):
        together = list(zip(*leaves[:trees], strict=True))
        counts = Counter(together)
        alone = sum(counts[leaf] == 1 for leaf in together)
        assert found[alone_segments.key("wine", "smallest", trees)] == pytest.approx(100 * alone / 143)
        assert found[alone_segments.count_key("wine", "smallest", trees)] == len(counts)


def test_what_is_run_at_full_size() -> None:
    full = tasks(EXPERIMENT.full)
    assert len(full) == 6 + 6 * 10
    assert len({task.name for task in full}) == len(full)
    assert names.UNTOUCHED in ways_of("wine", 1)
    assert names.UNTOUCHED not in ways_of("wine", 2)
    assert names.PAPER_FF not in ways_of(names.ADULT, 1)


def test_a_small_run_has_some_tables_and_a_single_one_has_all() -> None:
    assert [task.settings.get("ways") for task in tasks(EXPERIMENT.small)] == [
        *map(list, SMALL.values()),
        None,
    ]
    assert len(tasks(Size(repeats=2, small=True))) == 2 * len(SMALL) + 1
    assert len(tasks(Size(repeats=1))) == 6 + 6

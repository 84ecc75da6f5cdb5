"""Releases of Wine, which scikit-learn has: what is told of them, and who is alone."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hushwood.measures.models.grown import Grown
from hushwood.releasing.perturb import PerturbOptions
from hushwood.trees.routing import leaf_of_each
from hushwood_papers.alone_and_linked import releases
from hushwood_papers.alone_and_linked.alone_and_linked import EXPERIMENT, SMALL, tasks, ways_of
from hushwood_papers.alone_and_linked.releases import Scene, alone_by_trees, released_and_measured
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Size


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
    found = released_and_measured(scene, releases.UNTOUCHED, 1)
    assert found[releases.LINKED] == found[releases.SAME_RECORDS] == found[releases.SAME_CELLS] == 100
    assert found[releases.EDUDS] == pytest.approx(1)
    assert found[releases.RI] == pytest.approx(0, abs=1e-9)
    assert releases.ALONE not in found


def test_the_same_run_gives_the_same_numbers(scene: Scene) -> None:
    one, same, other = (released_and_measured(scene, releases.F, run) for run in (1, 1, 2))
    assert one == same
    assert one[releases.SAME_CELLS] != other[releases.SAME_CELLS]
    assert one[releases.LINKED] == max(one[what] for what in releases.LINKAGES.values())
    assert one[releases.ALONE] == 0


def test_alone_is_who_shares_no_combination_of_leaves(scene: Scene) -> None:
    """Counted one record at a time."""
    found = alone_by_trees(scene)
    grown = Grown(scene.table, PerturbOptions("forest-framework", min_leaf=2).builder(scene.table.rows))
    leaves = [leaf_of_each(tree, grown.forest, scene.table.columns).tolist() for tree in grown.forest.trees]
    for trees in (1, 3):
        together = list(zip(*leaves[:trees], strict=True))
        counts = Counter(together)
        alone = sum(counts[leaf] == 1 for leaf in together)
        assert found[releases.alone_key("wine", "smallest", trees)] == pytest.approx(100 * alone / 143)
        assert found[releases.count_key("wine", "smallest", trees)] == len(counts)


def test_what_is_run_at_full_size() -> None:
    full = tasks(EXPERIMENT.full)
    assert len(full) == 6 + 6 * 10
    assert len({task.name for task in full}) == len(full)
    assert releases.UNTOUCHED in ways_of("wine", 1)
    assert releases.UNTOUCHED not in ways_of("wine", 2)
    assert releases.PAPER_FF not in ways_of(releases.ADULT, 1)


def test_a_small_run_has_some_tables_and_a_single_one_has_all() -> None:
    assert [task.settings.get("ways") for task in tasks(EXPERIMENT.small)] == [
        *map(list, SMALL.values()),
        None,
    ]
    assert len(tasks(Size(repeats=2, small=True))) == 2 * len(SMALL) + 1
    assert len(tasks(Size(repeats=1))) == 6 + 6

"""How many intersections there are and who is alone in one, by the number of trees and the smallest leaf; no noise.

`linked_releases` counts the same in releases, together with what linkage finds there.
"""

from __future__ import annotations

from dataclasses import replace

from hushwood.experiments.alone_and_linked import names
from hushwood.experiments.alone_and_linked.linked_releases import Scene
from hushwood.frameworks.perturb import PerturbOptions
from hushwood.measures.grown import Grown
from hushwood.segments.partition import intersections
from hushwood.trees.sysfor import SysForOptions

TREES = (1, 2, 3, 5, 8)
LEAVES: tuple[names.Leaves, ...] = ("release", "paper", "smallest")
LEAF_WORDS = {
    "release": "the release's leaves",
    "paper": "the paper's leaves",
    "smallest": f"leaves of {names.SMALLEST}",
}


def key(table: str, leaves: str, trees: int) -> str:
    """What a share goes by.

    >>> key("wine", "paper", 3)
    "Wine, 3 trees with the paper's leaves: % of records alone in their segment"
    """
    return f"{_forest(table, leaves, trees)}: {names.ALONE}"


def count_key(table: str, leaves: str, trees: int) -> str:
    """What a number of intersections goes by.

    >>> count_key("wine", "release", 1)
    "Wine, 1 tree with the release's leaves: intersections"
    """
    return f"{_forest(table, leaves, trees)}: intersections"


def _forest(table: str, leaves: str, trees: int) -> str:
    many = "1 tree" if trees == 1 else f"{trees} trees"
    return f"{names.LABELS[table]}, {many} with {LEAF_WORDS[leaves]}"


def alone_by_trees(scene: Scene) -> dict[str, float]:
    """Intersections and shares by key: the first trees of one forest make the smaller ones, if it has as many."""
    found: dict[str, float] = {}
    for leaves in LEAVES:
        if leaves == "paper" and scene.name not in names.PAPER_LEAVES:
            continue
        options = PerturbOptions(min_leaf=scene.min_leaf(leaves), threads=1)
        grown = Grown(scene.table, options.grow_options(scene.table.rows), SysForOptions(trees=max(TREES)))
        forest = grown.forest
        for trees in TREES:
            if trees <= len(forest.trees):
                sizes = intersections(scene.table, replace(forest, trees=forest.trees[:trees]), 1).sizes
                found[count_key(scene.name, leaves, trees)] = float(len(sizes))
                found[key(scene.name, leaves, trees)] = 100.0 * float((sizes == 1).sum()) / scene.table.rows
    return found

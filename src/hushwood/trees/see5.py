"""See5's single tree (C5.0 without boosting, rules and value subsets), from coded records to a finished Tree.

`see5_growth` grows, `see5_prune` and `see5_global` cut back, `see5_merge` finishes (algorithms 1.6). `grow` calls
this for the variant "see5" and does the other two.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.grown_nodes import ForcedTests, GrownNodes, Split
from hushwood.trees.levels import grow_with
from hushwood.trees.numbering import finished_tree, preorder
from hushwood.trees.options import GrowOptions
from hushwood.trees.prune import collapse
from hushwood.trees.see5_global import prune_globally
from hushwood.trees.see5_growth import Part, See5Grower, grow_under
from hushwood.trees.see5_merge import merge_leaves
from hushwood.trees.see5_prune import prune_see5
from hushwood.trees.training import TrainingSet


def grow_see5(
    training: TrainingSet, options: GrowOptions, threads: int, forced: ForcedTests | None = None
) -> Tree:
    """Grow and prune a tree on all records; forced tests are neither pruned nor are their leaves merged."""
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        grower = See5Grower(training, options, threads, pool)
        grower.begin(forced)
        nodes = _collapsed(grow_with(grower), training, options)

        def regrow(split: Split, part: Part, depth: int) -> GrownNodes:
            return _collapsed(grow_under(grower, split, part, depth), training, options)

        if options.prune:
            nodes = prune_see5(nodes, training, options, regrow)
    tree, order = finished_tree(nodes, training.branches, options), preorder(nodes, training.branches)[0]
    if options.prune and options.global_pruning:
        nodes = prune_globally(nodes, tree, order, training)
        tree, order = finished_tree(nodes, training.branches, options), preorder(nodes, training.branches)[0]
    kept = set(np.flatnonzero(nodes.forced[order]).tolist())
    return merge_leaves(tree, kept, options.constants.slack)


def _collapsed(nodes: GrownNodes, training: TrainingSet, options: GrowOptions) -> GrownNodes:
    branches = np.where(nodes.attribute == LEAF, 0, training.branches[nodes.attribute])
    return collapse(nodes, branches, options)

"""One decision tree of any variant, from coded records to a finished Tree.

C4.5 release 8 and J48 are made here from the steps in `c45`; See5 is in `see5`, credal trees in `credal`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushwood.parameters import available_threads
from hushwood.trees.c45.growth import grow_levels
from hushwood.trees.c45.nodes import ForcedTests, finished_tree
from hushwood.trees.c45.prune import collapse, prune
from hushwood.trees.credal.growth import grow_credal
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.see5.tree import grow_see5
from hushwood.trees.training import TrainingSet

__all__ = ["GrowOptions", "available_threads", "grow_tree", "grow_whole_tree"]


def grow_tree(
    training: TrainingSet, options: GrowOptions, threads: int | None = None, forced: ForcedTests | None = None
) -> Tree:
    """Grow, collapse and prune a tree on all records of the training set."""
    threads = available_threads() if threads is None else threads
    if options.variant == "see5":
        return grow_see5(training, options, threads, forced)
    if options.variant == "credal":
        return grow_credal(training, options, threads, forced)
    nodes = grow_levels(training, options, threads, forced)
    branches = np.where(nodes.attribute == LEAF, 0, training.branches[nodes.attribute])
    nodes = collapse(nodes, branches, options)
    if options.prune:
        nodes = prune(nodes, branches, training, options, threads)
    return in_table_weights(finished_tree(nodes, training.branches, options), training)


def grow_whole_tree(training: TrainingSet, options: GrowOptions, threads: int | None = None) -> Tree:
    """A tree with all its tests, also those that save no errors; C4.5's in place of See5's and credal ones."""
    if options.variant in ("see5", "credal"):
        options = replace(options, variant="c45")
    nodes = grow_levels(training, options, available_threads() if threads is None else threads)
    return in_table_weights(finished_tree(nodes, training.branches, options), training)


def in_table_weights(tree: Tree, training: TrainingSet) -> Tree:
    """The tree with the sums of its table's own weights as counts."""
    return tree if training.weights is None else replace(tree, counts=tree.counts * training.scale)

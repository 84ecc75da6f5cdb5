"""One decision tree of any variant, from coded records to a finished Tree.

C4.5 release 8 and J48 are done here: `levels` grows, `prune` cuts back, `numbering` finishes. See5 is in `see5`.
"""

from __future__ import annotations

import os

import numpy as np

from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.grown_nodes import ForcedTests
from hushwood.trees.levels import grow_levels
from hushwood.trees.numbering import finished_tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.prune import collapse, prune
from hushwood.trees.see5 import grow_see5
from hushwood.trees.training import TrainingSet

__all__ = ["GrowOptions", "available_threads", "grow_tree"]


def available_threads() -> int:
    """How many threads tree growing uses unless told otherwise."""
    return min(os.cpu_count() or 1, 8)


def grow_tree(
    training: TrainingSet, options: GrowOptions, threads: int | None = None, forced: ForcedTests | None = None
) -> Tree:
    """Grow, collapse and prune a tree on all records of the training set."""
    threads = available_threads() if threads is None else threads
    if options.variant == "see5":
        return grow_see5(training, options, threads, forced)
    nodes = grow_levels(training, options, threads, forced)
    branches = np.where(nodes.attribute == LEAF, 0, training.branches[nodes.attribute])
    nodes = collapse(nodes, branches, options)
    if options.prune:
        nodes = prune(nodes, branches, training, options, threads)
    return finished_tree(nodes, training.branches, options)

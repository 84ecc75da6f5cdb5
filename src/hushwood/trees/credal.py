"""A credal tree (Abellán and Moral 2003), grown in C4.5's levels by imprecise information gain.

The class of a node's records has, by the imprecise Dirichlet model, not one distribution but a set of them; its upper
entropy is the highest in the set. A node tests the attribute that lowers it most, numbers cut by the same measure, and
is a leaf as soon as nothing lowers it. That is the only brake: nothing is pruned. Missing values are C4.5's: a record
goes down all branches in shares, and a gain counts for the share of records with a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.trees.c45.growth import Grower, Order, grow_with
from hushwood.trees.c45.nodes import ForcedTests, Split, finished_tree, first_best
from hushwood.trees.forest import Tree
from hushwood.trees.kernels import scan as kernels
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import TrainingSet

TIE_DIGITS = 10  # gains that differ by less are equal: rounding must not decide which root comes first


class CredalGrower(Grower):
    """The steps of one level, scored by imprecise information gain."""

    def scan_cuts(self, a: int, order: Order, level: Any, found: Any) -> None:
        """The best cut of a numeric attribute in every node."""
        kernels.scan_cuts(*order, level, self.training.values[a], self.reach_bits[a], self.rule, found)

    def scan_values(self, a: int, skip: Flags, level: Any, found: Any) -> None:
        """The gain of a categorical attribute in every node."""
        codes, branches = self.training.codes[a], self.training.branches[a]
        kernels.scan_values(codes, branches, skip, level, self.rule, found)

    def choose(self, gain: Floats, info: Floats, level: Any) -> Integers:
        """The attribute with the highest gain above 0; a later one must be better by more than rounding."""
        return first_best(gain, gain > 0, self.options)


def grow_credal(
    training: TrainingSet, options: GrowOptions, threads: int, forced: ForcedTests | None = None
) -> Tree:
    """Grow a tree on all records."""
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        nodes = grow_with(CredalGrower(training, options, forced, threads, pool))
    return finished_tree(nodes, training.branches, options)


def credal_roots(training: TrainingSet, options: GrowOptions) -> Iterator[ForcedTests]:
    """The roots of a credal forest: the best test of every attribute that gains, in descending gain.

    After Abellán and Masegosa (2010): tree i starts with the i-th best attribute and then grows freely.
    """
    with ThreadPoolExecutor(1) as pool:
        grower = CredalGrower(training, options, None, 1, pool)
        gain, _, below, above = (found[:, 0] for found in grower.scores(grower.root()))
    for a in np.argsort(-gain.round(TIE_DIGITS), kind="stable").tolist():
        if gain[a] > options.constants.improvement:
            yield ForcedTests(Split(a, int(below[a]), int(above[a])), {})

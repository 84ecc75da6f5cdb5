"""An attribute and what could predict it: the tree that does, and whether it is related to anything at all.

CAPT calls an attribute unrelated if nothing explains it (thesis 6.5). Pruning does not find that out: of thirty even
values C4.5 keeps large trees, because in a small leaf one value always leads by chance, and of a value that nine of ten
records share it keeps none. An attribute is related if chance does not explain its relation to one other column, or if
its tree makes fewer errors than the majority value (errata C12). Where the builder's pessimistic estimate leaves no
doubt of that, no other tree is grown; otherwise records that were held back decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Codes, Integers
from hushwood.tables.schema import Attribute
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.grow import GrowOptions, grow_tree, grow_whole_tree
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.training import TrainingSet
from hushwood.value_clusters.grouping.related_inputs import related_to_any

NO_DOUBT = 1e-3  # that a leaf makes more errors than estimated; C4.5 prunes with 0.25
CHANCE = 0.1  # that a tree which knows nothing seems better than the majority
FEWEST = 50  # of fewer records too few can be held back; the tree stays
FOLDS, SPLIT = 5, 3
MOST_FOLDED = 2_500  # of more records every third is held back once: they are enough
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True, slots=True)
class PredictedAttribute:
    """An attribute, the attributes that a tree may test, and their columns as trees see them."""

    attribute: Attribute
    inputs: tuple[Attribute, ...]
    columns: Mapping[str, Array]

    @property
    def codes(self) -> Integers:
        """The values to predict, -1 where missing."""
        return np.asarray(self.columns[self.attribute.name])

    def training(self, rows: Integers | None = None) -> TrainingSet:
        """All records or some, as a tree learns from them."""
        names = [self.attribute.name, *(a.name for a in self.inputs)]
        codes, *columns = [self.columns[n] if rows is None else self.columns[n][rows] for n in names]
        return TrainingSet.from_columns(self.inputs, columns, codes, self.attribute.categories)

    def tree(self, options: GrowOptions, rows: Integers | None = None, threads: int | None = None) -> Tree:
        """The tree grown on all records or on some."""
        return grow_tree(self.training(rows), options, threads)

    def related_tree(
        self, options: GrowOptions, rows: Integers | None = None, threads: int | None = None
    ) -> Tree | None:
        """The tree if the attribute is related to any input, else None.

        Where only the root would be left, because no test saves errors, nothing is taken out of the tree.
        """
        training = self.training(rows)
        tree = grow_tree(training, options, threads)
        if training.records >= FEWEST and related_to_any(training):
            return tree if len(tree) > 1 else grow_whole_tree(training, options, threads)
        return tree if self.explained_by(tree, options, rows, threads) else None

    def leaf_of(self, tree: Tree, rows: Integers | None = None) -> Codes:
        """The leaf that every record, or some, arrives in."""
        names = [a.name for a in self.inputs]
        columns = {n: self.columns[n] if rows is None else self.columns[n][rows] for n in names}
        forest = Forest(self.attribute.name, self.attribute.categories, self.inputs, (tree,))
        return leaf_of_each(tree, forest, columns)

    def explained_by(
        self, tree: Tree, options: GrowOptions, rows: Integers | None = None, threads: int | None = None
    ) -> bool:
        """Whether the tree, grown on all records or on some, makes fewer errors than the majority value."""
        if len(tree) == 1 or not self.inputs:
            return False
        records = tree.counts[0].sum()
        if records < FEWEST or _sure_errors(tree) < records - tree.counts[0].max():
            return True
        from scipy.special import betainc

        better, worse = self._held_out(tree, options, rows, threads)
        return better > 0 and float(betainc(better, worse + 1, 0.5)) <= CHANCE

    def _held_out(
        self, tree: Tree, options: GrowOptions, rows: Integers | None, threads: int | None
    ) -> tuple[int, int]:
        """Records held back that only trees predict, and those that only the majority of all records predicts."""
        codes = self.codes
        known = np.flatnonzero(codes >= 0) if rows is None else rows[codes[rows] >= 0]
        majority = int(np.argmax(tree.counts[0]))
        better = worse = 0
        for growing, tried in _parts(known):
            fewer = replace(options, min_leaf=max(1.0, options.min_leaf * len(growing) / len(known)))
            other = self.tree(fewer, growing, threads)
            found = other.label[self.leaf_of(other, tried)] == codes[tried]
            usual = codes[tried] == majority
            better += int((found & ~usual).sum())
            worse += int((usual & ~found).sum())
        return better, worse


def _parts(rows: Integers) -> Iterator[tuple[Integers, Integers]]:
    """The records to grow on and to try on: every fold once, or one split of a long table.

    The folds follow multiples of the golden ratio, so each gets its share of any stretch of a sorted table.
    """
    mixed = rows[np.argsort(np.modf(np.arange(len(rows)) * _GOLDEN)[0], kind="stable")]
    folds = np.array_split(mixed, FOLDS if len(rows) <= MOST_FOLDED else SPLIT)
    for tried in folds if len(rows) <= MOST_FOLDED else folds[:1]:
        others = [fold for fold in folds if fold is not tried]
        if len(tried):
            yield np.sort(np.concatenate(others)), tried


def _sure_errors(tree: Tree) -> float:
    """The errors of all leaves by C4.5's pessimistic estimate, at a confidence that chance does not reach."""
    from scipy.special import betaincinv

    counts = tree.counts[tree.leaves]
    weight = counts.sum(axis=1)
    right = counts.max(axis=1)
    weight, right = weight[right > 0], right[right > 0]
    return float((weight * betaincinv(weight - right + 1, right, 1 - NO_DOUBT)).sum())

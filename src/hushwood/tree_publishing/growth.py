"""The search for the best binary split, with which published trees grow and are rebuilt.

Nothing here knows about privacy: `publish` decides which leaf is split next and which stays closed. The growth loop
itself is `trees.binary.growth`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hushwood.arrays import Bytes, Floats
from hushwood.tree_publishing.kernels import splits as kernels
from hushwood.tree_publishing.options import CRITERIA
from hushwood.tree_publishing.records import Records
from hushwood.trees.binary import BinaryGrowth, Node, for_each
from hushwood.trees.c45.nodes import x_log_x

# A smaller gain (bits, Gini, or share of the squared range of the response) is rounding, not knowledge.
LEAST_GAIN = 1e-9


class BinarySplit(NamedTuple):
    """A binary test of an attribute and what each record gains by it.

    Of numbers, `below` and `above` are the ranks around the cut and `middle` that of the largest value of the whole
    column up to the midpoint; of categories, `sides` says where each goes, and those the node lacks go with the larger
    part.
    """

    attribute: int
    gain: float
    below: int = -1
    above: int = -1
    middle: int = -1
    midpoint: float = np.nan
    sides: Bytes | None = None


class PublishedGrowth(BinaryGrowth[BinarySplit]):
    """A tree over coded records whose splits are scored by one criterion."""

    def __init__(
        self,
        records: Records,
        criterion: str,
        columns: Sequence[int],
        *,
        min_leaf: int = 1,
        max_depth: int | None = None,
        fixed_order: bool = False,
        threads: int = 1,
    ) -> None:
        self.records, self.columns = records, columns
        self.criterion, self.min_leaf, self.max_depth = CRITERIA.index(criterion), min_leaf, max_depth
        self.ordered = {a: records.ordered(a) for a in columns if records.values[a] is not None}
        self.x_log_x = x_log_x(records.rows) if self.criterion <= kernels.GAIN_RATIO else np.empty(0)
        self.fixed = {a: self._keys(a, fixed_order) for a in columns if records.values[a] is None}
        super().__init__([np.arange(records.rows, dtype=np.int32), *self.ordered.values()], threads)

    def total(self, node: Node[BinarySplit]) -> Floats:
        """A node's records per class, or the sum of its responses."""
        total = np.zeros(max(len(self.records.classes), 1))
        kernels.node_total(self.rows(node), self.records.response, self.criterion, total)
        return total

    def mark(self, node: Node[BinarySplit], split: BinarySplit) -> int:
        """Say where the split sends every row of the node."""
        rows, codes = self.rows(node), self.records.codes[split.attribute]
        if split.sides is None:
            return int(kernels.mark_numbers(rows, codes, split.below, self.goes_left))
        return int(kernels.mark_values(rows, codes, split.sides, self.goes_left))

    def best_split(self, node: Node[BinarySplit]) -> tuple[float, BinarySplit] | None:
        """The first best split over all attributes and cuts; None if none is allowed or worth it."""
        deep = self.max_depth is not None and node.depth >= self.max_depth
        if deep or node.size < 2 * self.min_leaf or node.size < 2:
            return None
        total = self.total(node)
        if self.records.classes and total.max() == node.size:
            return None
        found = for_each(
            self.columns, lambda a: self._best_of(node, total, a), node.size, threads=self.threads
        )
        score, split = max(found, key=lambda one: one[0], default=(-np.inf, None))
        if split is None or score == -np.inf or split.gain <= self._least_gain():
            return None
        return node.size * split.gain, split

    def _best_of(self, node: Node[BinarySplit], total: Floats, a: int) -> tuple[float, BinarySplit]:
        values = self.records.values[a]
        rule = self.records.response, total, self.min_leaf, self.criterion, self.x_log_x
        if values is not None:
            ordered = self.ordered[a][node.start : node.stop]
            score, below, above = kernels.scan_numbers(ordered, *rule)
            if below < 0:
                return -np.inf, BinarySplit(a, 0.0)
            middle = midpoint(float(values[below]), float(values[above]))
            at = int(np.searchsorted(values, middle, side="right")) - 1
            gain = self._gain(score, node.size, total)
            return score, BinarySplit(a, gain, int(below), int(above), at, middle)
        sides = np.empty(len(self.records.attributes[a].categories), np.uint8)
        codes, fixed = self.records.codes[a], self.fixed[a]
        score, left = kernels.scan_values(self.rows(node), codes, fixed, *rule, sides)
        sides[sides == kernels.ABSENT] = kernels.LEFT if 2 * left >= node.size else kernels.RIGHT
        return score, BinarySplit(a, self._gain(score, node.size, total), sides=sides)

    def _gain(self, score: float, n: int, total: Floats) -> float:
        """What one record gains by a split of this score.

        Of a ratio it is the ratio: fewer candidates can only lower the best one's, so that leaves which were not worth
        splitting in the original are not in a release either. The gain of the best ratio could rise.
        """
        if score == -np.inf:
            return 0.0
        table = self.x_log_x
        if self.criterion == kernels.GAIN_RATIO:
            return float(score)
        if self.criterion == kernels.INFORMATION_GAIN:
            return float((score - table[total.astype(np.int64)].sum() + table[n]) / n)
        return float((score - (total * total).sum() / n) / n)

    def _least_gain(self) -> float:
        if self.criterion != kernels.VARIANCE:
            return LEAST_GAIN
        return LEAST_GAIN * float(np.ptp(self.records.response)) ** 2

    def _keys(self, a: int, fixed_order: bool) -> Floats:
        """What puts an attribute's categories in one order for all nodes: their share of the most frequent class, or
        their mean response."""
        if not fixed_order:
            return np.empty(0)
        measured, codes = self.records.response, self.records.codes[a]
        if self.records.classes:
            measured = measured == np.argmax(np.bincount(measured.astype(np.int64)))
        width = len(self.records.attributes[a].categories)
        sizes = np.bincount(codes, minlength=width)
        return np.asarray(np.bincount(codes, measured, minlength=width) / np.maximum(sizes, 1))


def threshold_of(split: BinarySplit, records: Records, thresholds: str) -> float:
    """The number that a test compares with: the midpoint, or the largest value of the column up to it."""
    values = records.values[split.attribute]
    if values is None:
        return np.nan
    return split.midpoint if thresholds == "midpoint" else float(values[split.middle])


def needs_fixed_order(criteria: Sequence[str], classes: int, min_leaf: int) -> bool:
    """Whether trees of these criteria take categories in one order at all nodes instead of each node's own.

    A node's own order gives the best of all subsets for two classes or the variance, so merging categories offers
    nothing better. For a ratio, more classes, or leaves of a least size it need not; then one order for all trees
    leaves a release no partition that the original did not have, as merged categories are neighbours in it.
    """
    return "gain_ratio" in criteria or classes > 2 or min_leaf > 1


def midpoint(low: float, high: float) -> float:
    """Halfway between two values; the lower one if nothing fits between them.

    >>> midpoint(1.0, 2.0), midpoint(1.0, 1.0 + 2**-52)
    (1.5, 1.0)
    """
    middle = (low + high) / 2
    return middle if low <= middle < high else low

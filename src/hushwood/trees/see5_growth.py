"""See5's tree before pruning (algorithms 1.6.1-1.6.4): the levels of `levels`, scored and chosen in See5's way.

A subtree can also be grown on some records, under a given test, as See5's pruning asks for.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.trees import scan_kernels, see5_scan_kernels
from hushwood.trees.choice import NONE
from hushwood.trees.forest import LEAF
from hushwood.trees.grown_nodes import ForcedTests, GrownNodes, Split
from hushwood.trees.levels import Grower, Order, Work, grow_with
from hushwood.trees.options import GrowOptions
from hushwood.trees.see5_choice import choose_see5
from hushwood.trees.training import TrainingSet

PURE = 0.999  # share of one class from which on a node is a leaf
# Of so many records, more than half without a value of so many, those of little weight are lost.
LOSE_FROM, LOSE_VALUES, LOSE_BELOW = 1000, 9, 0.1
LARGEST = float(np.finfo(np.float32).max) / 4


@dataclass(frozen=True)
class Part:
    """Some records with their weights (none: all 1, complete data)."""

    rows: NDArray[np.int32]
    weights: NDArray[np.float64]


class See5Grower(Grower):
    """The steps of one level, See5's; `begin` says on what the next tree is grown."""

    def __init__(
        self, training: TrainingSet, options: GrowOptions, threads: int, pool: ThreadPoolExecutor
    ) -> None:
        super().__init__(training, options, None, threads, pool)
        self.part: Part | None = None
        self.most_depth = options.max_depth
        self.reach_bits = [0] * len(training.values)
        self.singles = [None if v is None else single_values(v) for v in training.values]

    def begin(self, forced: ForcedTests | None, part: Part | None = None, depth: int = 0) -> None:
        """Be ready for a tree on a part of the records (or all) whose root lies at a depth."""
        self.forced, self.part, self.spare = forced, part, []
        most = self.options.max_depth
        self.most_depth = None if most is None else most - depth

    def root(self) -> Work:
        """All records, or those of the part."""
        if self.part is None:
            return super().root()
        training, rows = self.training, self.part.rows
        classes = training.class_codes[rows]
        weights = self.part.weights if len(self.part.weights) else None
        counts = np.bincount(classes, weights, len(training.classes)).astype(np.float64)[None, :]
        level = scan_kernels.Level(
            np.array([0, len(rows)]), rows, self.part.weights, classes, counts, counts.sum(axis=1)
        )
        orders = [None if v is None else self.order_of(a, rows) for a, v in enumerate(training.values)]
        return Work(level, orders, np.zeros((1, len(orders)), bool), np.array([NONE]))

    def order_of(self, a: int, rows: NDArray[np.int32]) -> Order:
        """The order of a numeric attribute over some records."""
        codes = self.training.codes[a]
        own = codes[rows]
        entries = np.argsort(own, kind="stable")[int((own < 0).sum()) :]
        named = rows[entries].astype(np.int64) if self.whole else entries
        order = np.empty(len(entries), np.int64)
        see5_scan_kernels.pack_order(
            rows[entries], named, codes, self.training.class_codes, self.rule.class_bits, order
        )
        return order[:], np.array([0, len(entries)])

    def scan_cuts(self, a: int, order: Order, level: Any, found: Any) -> None:
        """The best cut of a numeric attribute in every node."""
        see5_scan_kernels.scan_cuts(*order, level, self.singles[a], self.table, self.rule, found)

    def choose(self, gain: NDArray[np.float64], info: NDArray[np.float64], level: Any) -> NDArray[np.int64]:
        """The attribute that every node tests."""
        return choose_see5(gain, info, level.total, self.training)

    def lost_below(self, attribute: NDArray[np.int64], level: Any) -> NDArray[np.float64]:
        """The weight below which a node's records with an unknown value are lost."""
        least = np.zeros(len(attribute))
        if self.training.complete:
            return least
        wide = (attribute != LEAF) & (self.training.branches[attribute] >= LOSE_VALUES)
        for node in np.flatnonzero(wide & (np.diff(level.start) > LOSE_FROM)).tolist():
            rows = level.rows[level.start[node] : level.start[node + 1]]
            if 2 * int((self.training.codes[attribute[node], rows] < 0).sum()) > len(rows):
                least[node] = LOSE_BELOW
        return least

    def open(self, counts: NDArray[np.float64], depth: int) -> NDArray[np.bool_]:
        """Which nodes may be split: mixed, heavy enough and not too deep."""
        if self.most_depth is not None and depth >= self.most_depth:
            return np.zeros(len(counts), bool)
        slack, total = self.options.constants.slack, counts.sum(axis=1)
        mixed = counts.max(axis=1) < PURE * total - slack
        return np.asarray(mixed & (total >= 2 * self.options.min_leaf - slack))

    def thresholds(
        self, attribute: Any, below: Any, above: Any
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Rank and value of every numeric test's threshold: midpoints in single precision (algorithms 1.6.2, 1.6.7)."""
        cut, threshold = np.full(len(attribute), NONE, np.int64), np.full(len(attribute), np.nan)
        for a in np.unique(attribute[attribute != LEAF]).tolist():
            values, singles = self.training.values[a], self.singles[a]
            if values is None or singles is None:
                continue
            at = np.flatnonzero(attribute == a)
            low, high = singles[below[at]], singles[above[at]]
            middle = (low + high) / np.float32(2)
            middle = np.where(middle >= high, low, middle)
            cut[at] = np.minimum(np.searchsorted(singles, middle, side="right"), above[at]) - 1
            threshold[at] = values[cut[at]]
            if self.options.thresholds == "midpoint":
                # A value that only double precision puts above the midpoint was on its lower side.
                threshold[at] = np.maximum(threshold[at], middle)
        return cut, threshold


def single_values(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Values as See5 keeps them; so large ones that sums of them would overflow are made smaller."""
    return np.clip(values, -LARGEST, LARGEST).astype(np.float32)


def grow_under(grower: See5Grower, split: Split, part: Part, depth: int) -> GrownNodes:
    """A subtree of some records whose root, at that depth, has a given test."""
    grower.begin(ForcedTests(split, {}), part, depth)
    grown = grow_with(grower)
    return replace(grown, forced=np.zeros(len(grown.forced), bool))

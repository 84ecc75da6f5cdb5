"""One binary tree while it grows: its nodes, the best split of each, and the records dealt to their children.

Nothing here knows about privacy: `publish` decides which leaf is split next and which stays closed, and `rebuild`
walks a published tree with the same search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from hushwood.tree_publishing import split_kernels as kernels
from hushwood.tree_publishing.options import CRITERIA
from hushwood.tree_publishing.records import Records
from hushwood.trees.levels import CELLS_FOR_THREADS, x_log_x

# Less gain than this (bits, Gini, or of the squared range of the response) is rounding, not knowledge.
LEAST_GAIN = 1e-9

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class Split(NamedTuple):
    """A binary test of an attribute and what each record gains by it.

    Of numbers, `below` and `above` are the ranks beside the cut and `middle` that of the largest value of the whole
    column up to the midpoint; of categories, `sides` says where each goes, and those the node lacks go with the larger
    part.
    """

    attribute: int
    gain: float
    below: int = -1
    above: int = -1
    middle: int = -1
    midpoint: float = np.nan
    sides: NDArray[np.uint8] | None = None


@dataclass(slots=True)
class Node:
    """A node: its stretch of the dealt records, what it holds, and its test once it is split."""

    start: int
    stop: int
    depth: int
    total: NDArray[np.float64]
    best: Split | None = None
    split: Split | None = None
    children: tuple[int, int] = (-1, -1)
    closed: bool = False

    @property
    def size(self) -> int:
        """How many records it holds."""
        return self.stop - self.start

    @property
    def worth(self) -> float:
        """What all its records together gain by the best split."""
        return self.size * self.best.gain if self.best is not None else 0.0


class Growth:
    """A tree that starts as one leaf; `nodes` are numbered in the order they were made."""

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
        self.records, self.columns, self.threads = records, columns, threads
        self.criterion, self.min_leaf, self.max_depth = CRITERIA.index(criterion), min_leaf, max_depth
        self.rows = np.arange(records.rows, dtype=np.int32)
        self.ordered = {a: records.ordered(a) for a in columns if records.values[a] is not None}
        self.x_log_x = x_log_x(records.rows) if self.criterion <= kernels.GAIN_RATIO else np.empty(0)
        self.fixed = {a: self._keys(a, fixed_order) for a in columns if records.values[a] is None}
        self.goes_left = np.empty(records.rows, bool)
        self.nodes: list[Node] = []
        self._waiting: list[tuple[float, int]] = []  # a heap: what is worth most comes first
        self._add(0, records.rows, 0)

    def split_node(self, number: int, split: Split) -> tuple[Node, Node]:
        """Make a node's split real: deal its records to two children and search these."""
        node, a, goes_left = self.nodes[number], split.attribute, self.goes_left
        where = self.rows, node.start, node.stop, self.records.codes[a]
        if split.sides is None:
            left = kernels.mark_numbers(*where, split.below, goes_left)
        else:
            left = kernels.mark_values(*where, split.sides, goes_left)
        middle = node.start + int(left)

        def deal(order: NDArray[Any]) -> None:
            kernels.deal(order, node.start, node.stop, goes_left, np.empty(node.size, order.dtype))

        orders: list[NDArray[Any]] = [self.rows, *self.ordered.values()]
        self._for_each(orders, deal, node.size)
        node.split, node.children = split, (len(self.nodes), len(self.nodes) + 1)
        self._add(node.start, middle, node.depth + 1)
        self._add(middle, node.stop, node.depth + 1)
        return self.nodes[-2], self.nodes[-1]

    @property
    def leaf_count(self) -> int:
        """How many leaves the tree has: one more than inner nodes."""
        return len(self.nodes) // 2 + 1

    def leaves(self) -> list[int]:
        """Numbers of the leaves."""
        return [number for number, node in enumerate(self.nodes) if node.split is None]

    def next_leaf(self) -> int | None:
        """The open leaf whose split is worth most; the first made of equal ones."""
        while self._waiting:
            number = self._waiting[0][1]
            if self.nodes[number].split is None and not self.nodes[number].closed:
                return number
            heappop(self._waiting)
        return None

    def _add(self, start: int, stop: int, depth: int) -> None:
        width = max(len(self.records.classes), 1)
        total = np.zeros(width)
        kernels.node_total(self.rows, start, stop, self.records.response, self.criterion, total)
        node = Node(start, stop, depth, total)
        self.nodes.append(node)
        node.best = self._search(node)
        if node.best is not None:
            heappush(self._waiting, (-node.worth, len(self.nodes) - 1))

    def _search(self, node: Node) -> Split | None:
        """The first best split over all attributes and cuts; None if none is allowed or worth it."""
        deep = self.max_depth is not None and node.depth >= self.max_depth
        pure = bool(self.records.classes) and node.total.max() == node.size
        if deep or pure or node.size < 2 * self.min_leaf or node.size < 2:
            return None
        found = self._for_each(list(self.columns), lambda a: self._best_of(node, a), node.size)
        score, split = max(found, key=lambda one: one[0], default=(-np.inf, None))
        if split is None or score == -np.inf:
            return None
        return split if split.gain > self._least_gain() else None

    def _best_of(self, node: Node, a: int) -> tuple[float, Split]:
        values, codes, response = self.records.values[a], self.records.codes[a], self.records.response
        rule = response, node.total, self.min_leaf, self.criterion, self.x_log_x
        if values is not None:
            score, below, above = kernels.scan_numbers(self.ordered[a], node.start, node.stop, *rule)
            if below < 0:
                return -np.inf, Split(a, 0.0)
            middle = midpoint(float(values[below]), float(values[above]))
            at = int(np.searchsorted(values, middle, side="right")) - 1
            return score, Split(a, self._gain(score, node), int(below), int(above), at, middle)
        sides = np.empty(len(self.records.attributes[a].categories), np.uint8)
        score, left = kernels.scan_values(
            self.rows, node.start, node.stop, codes, self.fixed[a], *rule, sides
        )
        sides[sides == kernels.ABSENT] = kernels.LEFT if 2 * left >= node.size else kernels.RIGHT
        return score, Split(a, self._gain(score, node), sides=sides)

    def _gain(self, score: float, node: Node) -> float:
        """What one record gains by a split of this score.

        Of a ratio it is the ratio: fewer candidates can only lower the best one's, so that leaves which were not worth
        splitting in the original are not in a release either. The gain of the best ratio could rise.
        """
        if score == -np.inf:
            return 0.0
        n, total, table = node.size, node.total, self.x_log_x
        if self.criterion == kernels.GAIN_RATIO:
            return float(score)
        if self.criterion == kernels.INFORMATION_GAIN:
            return float((score - table[total.astype(np.int64)].sum() + table[n]) / n)
        return float((score - (total * total).sum() / n) / n)

    def _least_gain(self) -> float:
        if self.criterion != kernels.VARIANCE:
            return LEAST_GAIN
        return LEAST_GAIN * float(np.ptp(self.records.response)) ** 2

    def _keys(self, a: int, fixed_order: bool) -> NDArray[np.float64]:
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

    def _for_each(
        self, parts: Sequence[Piece], work: Callable[[Piece], Result], records: int
    ) -> list[Result]:
        """Do the work for every part, on several threads if the node is large enough."""
        if self.threads > 1 and records * len(parts) > CELLS_FOR_THREADS:
            with ThreadPoolExecutor(self.threads) as pool:
                return list(pool.map(work, parts))
        return [work(part) for part in parts]


def threshold_of(split: Split, records: Records, thresholds: str) -> float:
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

"""A tree grown level by level: score all attributes in all open nodes, split, deal the records to the children.

The result is unpruned and numbered level by level; `grow` collapses, prunes and turns it into a Tree.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InternalFault
from hushwood.trees import deal_kernels, scan_kernels
from hushwood.trees.choice import NONE, choose
from hushwood.trees.forest import LEAF
from hushwood.trees.grown_nodes import ForcedTests, GrownNodes, Split, gathered
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import TrainingSet

MANY_VALUES = 0.3  # share of the records above which a categorical attribute is left out of the average gain
# Below this many (entry, attribute) cells a level is cheaper on one thread than handed to two.
CELLS_FOR_THREADS = 200_000

Order = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass
class Work:
    """One level while it is worked on: entries by node, and the order of every numeric attribute."""

    level: Any
    orders: list[Order | None]
    tested: NDArray[np.bool_]
    branch: NDArray[np.int64]


class _Children(NamedTuple):
    """Class weights of all children, which of them are open, and the work on those (None: all are leaves)."""

    counts: NDArray[np.float64]
    opened: NDArray[np.bool_]
    work: Work | None


class Grower:
    """The steps of one level, with what stays the same over all levels."""

    def __init__(
        self,
        training: TrainingSet,
        options: GrowOptions,
        forced: ForcedTests | None,
        threads: int,
        pool: ThreadPoolExecutor,
    ) -> None:
        self.training, self.options, self.forced = training, options, forced
        self.threads, self.pool = threads, pool
        # Whole: weights are counts and the fast scan applies; otherwise every entry carries its weight.
        self.whole = training.complete and options.criterion != "gini"
        self.table = x_log_x(training.records) if self.whole else np.empty(0)
        widest = int(training.branches.max(initial=2))
        self.branch_of = np.empty(
            training.records if self.whole else 0, np.uint8 if widest <= 256 else np.uint16
        )
        self.spare: list[NDArray[np.int64]] = []
        self.reach_bits = [0 if v is None else training.reach_bits(len(v)) for v in training.values]
        many = np.array(
            [
                v is None and n >= MANY_VALUES * training.records
                for v, n in zip(training.values, training.branches, strict=True)
            ]
        )
        self.averaged = ~many | many.all()
        self.rule = split_rule(options, training)

    def parallel(self, work: Callable[[int], Any], entries: int, parts: int | None = None) -> None:
        """Do the work for every attribute (or part), on several threads if the level is large enough."""
        pieces = range(len(self.training.attributes) if parts is None else parts)
        if self.threads > 1 and entries * len(self.training.attributes) > CELLS_FOR_THREADS:
            list(self.pool.map(work, pieces))
        else:
            for piece in pieces:
                work(piece)

    def root(self) -> Work:
        """The level that is the root alone, with all records."""
        training = self.training
        counts = np.bincount(training.class_codes, minlength=len(training.classes)).astype(np.float64)[
            None, :
        ]
        weights = np.empty(0) if self.whole else np.ones(training.records)
        start = np.array([0, training.records])
        level = scan_kernels.Level(
            start,
            np.arange(training.records, dtype=np.int32),
            weights,
            training.class_codes,
            counts,
            counts.sum(axis=1),
        )
        orders: list[Any] = [None] * len(training.attributes)

        def sort(a: int) -> None:
            values, rows = training.values[a], training.sorted_rows[a]
            if values is not None and rows is not None:
                order, bits = np.empty(training.records, np.int64), self.reach_bits[a]
                reach = scan_kernels.reach_of_ranks(values, (1 << bits) - 1)
                scan_kernels.pack_order(
                    rows, training.codes[a], training.class_codes, self.rule.class_bits, reach, bits, order
                )
                orders[a] = order[: len(rows)], np.array([0, len(rows)])

        self.parallel(sort, training.records)
        return Work(level, orders, np.zeros((1, len(orders)), bool), np.array([NONE]))

    def search(
        self, work: Work, depth: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Attribute and the ranks beside the cut that every node of the level splits on."""
        shape = (len(self.training.attributes), len(work.level.total))
        gain, info = np.full(shape, -1.0), np.zeros(shape)
        below, above = np.full(shape, NONE, np.int64), np.full(shape, NONE, np.int64)

        def scan(a: int) -> None:
            found = scan_kernels.Found(gain[a], info[a], below[a], above[a])
            order = work.orders[a]
            if order is not None:
                self.scan_cuts(a, order, work.level, found)
            else:
                skip, branches = np.ascontiguousarray(work.tested[:, a]), self.training.branches[a]
                scan_kernels.scan_categorical(
                    self.training.codes[a], branches, skip, work.level, self.table, self.rule, found
                )

        self.parallel(scan, len(work.level.rows))
        winner = self.choose(gain, info, work.level)
        nodes = np.arange(shape[1])
        chosen_below, chosen_above = below[winner, nodes], above[winner, nodes]
        for node, split in self.forced_splits(work, depth):
            winner[node], chosen_below[node], chosen_above[node] = split
        return winner, chosen_below, chosen_above

    def scan_cuts(self, a: int, order: Order, level: Any, found: Any) -> None:
        """The best cut of a numeric attribute in every node."""
        scan = scan_kernels.scan_complete if self.whole else scan_kernels.scan_numeric
        scan(*order, level, self.training.values[a], self.reach_bits[a], self.table, self.rule, found)

    def choose(self, gain: NDArray[np.float64], info: NDArray[np.float64], level: Any) -> NDArray[np.int64]:
        """The attribute that every node tests."""
        return choose(gain, info, self.averaged, self.options)

    def lost_below(self, attribute: NDArray[np.int64], level: Any) -> NDArray[np.float64]:
        """The weight below which a node's records with an unknown value are lost."""
        return np.zeros(len(attribute))

    def forced_splits(self, work: Work, depth: int) -> list[tuple[int, Split]]:
        """The prescribed tests of this level, by node."""
        if self.forced is None or depth > 1:
            return []
        if depth == 0:
            return [(0, self.forced.root)]
        return [
            (i, self.forced.children[b])
            for i, b in enumerate(work.branch.tolist())
            if b in self.forced.children
        ]

    def divide(
        self, work: Work, attribute: NDArray[np.int64], cut: NDArray[np.int64], depth: int
    ) -> _Children:
        """Deal the level's records to the children of its split nodes."""
        level, training = work.level, self.training
        branches = np.where(attribute == LEAF, 0, training.branches[attribute])
        child_start = np.concatenate([[0], np.cumsum(branches)])
        parent = np.repeat(np.arange(len(attribute)), branches)
        target = self.branch_of if self.whole else np.empty(len(level.rows), np.int64)
        known, unknown = np.zeros(len(parent), np.int64), np.zeros(len(attribute), np.int64)
        counts = np.zeros((len(parent), len(training.classes)))
        ranges, least = _halves(level.start, self.threads), self.lost_below(attribute, level)

        def deal_some(part: int) -> None:
            deal_kernels.deal_entries(
                ranges[part],
                training.codes,
                attribute,
                cut,
                child_start,
                level,
                self.share_slack,
                least,
                target,
                known,
                unknown,
                counts,
            )

        self.parallel(deal_some, len(level.rows), len(ranges))
        branch = np.arange(len(parent)) - child_start[parent]
        total = counts.sum(axis=1)
        counts[total < self.options.constants.least_branch] = 0.0
        opened = self.open(counts, depth + 1)
        if self.forced is not None and depth == 0:
            opened |= np.isin(branch, list(self.forced.children)) & (known > 0)
        if not opened.any():
            return _Children(counts, opened, None)
        share = np.zeros(len(parent))
        if not training.complete:
            of_parent = np.bincount(parent, total, minlength=len(attribute))[parent]
            np.divide(total, of_parent, out=share, where=(unknown[parent] > 0) & (of_parent > 0))
            share[share <= self.share_slack] = 0.0
        size = (known + np.where(share > 0, unknown[parent], 0))[opened]
        begin = np.concatenate([[0], np.cumsum(size)])
        place = np.where(opened, np.cumsum(opened) - 1, deal_kernels.CLOSED)
        deal = deal_kernels.Deal(child_start, target, place, share, begin, known)
        rows, classes = np.empty(begin[-1], np.int32), np.empty(begin[-1], training.class_codes.dtype)
        weights = np.empty(0 if self.whole else begin[-1])

        def place_some(part: int) -> None:
            deal_kernels.place_entries(ranges[part], level, deal, rows, weights, classes)

        self.parallel(place_some, len(level.rows), len(ranges))
        following = scan_kernels.Level(begin, rows, weights, classes, counts[opened], total[opened])
        parent = parent[opened]
        tested = work.tested[parent]
        at = np.flatnonzero(cut[parent] == NONE)
        tested[at, attribute[parent[at]]] = True
        return _Children(
            counts, opened, Work(following, self.deal_orders(work, deal), tested, branch[opened])
        )

    def deal_orders(self, work: Work, deal: Any) -> list[Any]:
        """The order of every numeric attribute in the next level; the present ones are given up on the way."""
        orders: list[Any] = [None] * len(work.orders)

        def one(a: int) -> None:
            numeric = work.orders[a]
            if numeric is None:
                return
            order, start = numeric
            first = deal.begin
            if self.whole:
                # Orders only shrink, so what the last attribute has left behind is room for this one.
                room = self.spare.pop() if self.spare else np.empty(self.training.records, np.int64)
                out = room[: first[-1]]
                deal_kernels.deal_complete(order, start, deal, first.copy(), out)
                self.spare.append(np.asarray(order.base))
            else:
                size = np.zeros(len(first) - 1, np.int64)
                deal_kernels.count_order(order, start, deal, size)
                first = np.concatenate([[0], np.cumsum(size)])
                out = np.empty(first[-1], np.int64)
                deal_kernels.deal_order(order, start, deal, first.copy(), out)
            work.orders[a] = None
            orders[a] = out, first

        self.parallel(one, len(work.level.rows))
        return orders

    @property
    def share_slack(self) -> float:
        """A branch with no more than this share of the known weight gets no unknown records."""
        return self.options.constants.slack if self.options.variant == "j48" else 0.0

    def open(self, counts: NDArray[np.float64], depth: int) -> NDArray[np.bool_]:
        """Which nodes may be split: mixed, heavy enough and not too deep."""
        if self.options.max_depth is not None and depth >= self.options.max_depth:
            return np.zeros(len(counts), bool)
        slack = self.options.constants.slack
        total = counts.sum(axis=1)
        mixed = total - counts.max(axis=1) > slack
        return np.asarray(mixed & (total >= 2 * self.options.min_leaf - slack))

    def thresholds(
        self, attribute: Any, below: Any, above: Any
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Rank and value of every numeric test's threshold (algorithms 1.2, step 6)."""
        cut, threshold = np.full(len(attribute), NONE, np.int64), np.full(len(attribute), np.nan)
        for a in np.unique(attribute[attribute != LEAF]).tolist():
            values = self.training.values[a]
            if values is None:
                continue
            at = np.flatnonzero(attribute == a)
            low, high = values[below[at]], values[above[at]]
            middle = (low + high) / 2
            middle = np.where(middle >= high, low, middle)
            cut[at] = np.searchsorted(values, middle, side="right") - 1
            threshold[at] = middle if self.options.thresholds == "midpoint" else values[cut[at]]
        return cut, threshold


def grow_levels(
    training: TrainingSet, options: GrowOptions, threads: int, forced: ForcedTests | None = None
) -> GrownNodes:
    """Grow without pruning, on all records of the training set."""
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        return grow_with(Grower(training, options, forced, threads, pool))


def _halves(start: NDArray[np.int64], threads: int) -> list[tuple[int, int]]:
    """Ranges of nodes with about the same number of entries each, one per thread."""
    wanted = np.linspace(0, start[-1], threads + 1)
    limits = np.searchsorted(start, wanted)
    limits[0], limits[-1] = 0, len(start) - 1
    return [(int(low), int(high)) for low, high in pairwise(limits) if high > low]


def grow_with(grower: Grower) -> GrownNodes:
    """Grow level by level in the grower's way, without pruning."""
    first = grower.root()
    counts = [first.level.counts]
    open_root = bool(grower.open(first.level.counts, 0)[0]) or grower.forced is not None
    work = first if open_root else None
    nodes: list[tuple[NDArray[Any], ...]] = []
    # Nodes are numbered level by level; `at` are the numbers of the nodes that the present work is about.
    at, numbered, depth = np.array([0]), 1, 0
    while work is not None:
        attribute, below, above = grower.search(work, depth)
        cut, threshold = grower.thresholds(attribute, below, above)
        _check_cuts(attribute, below, cut, above)
        children = grower.divide(work, attribute, cut, depth)
        branches = np.where(attribute == LEAF, 0, grower.training.branches[attribute])
        first_child = numbered + np.concatenate([[0], np.cumsum(branches)[:-1]])
        forced = np.zeros(len(attribute), bool)
        forced[[node for node, _ in grower.forced_splits(work, depth)]] = True
        nodes.append((at, attribute, cut, threshold, first_child, forced))
        counts.append(children.counts)
        at = numbered + np.flatnonzero(children.opened)
        numbered += len(children.counts)
        work, depth = children.work, depth + 1
    return gathered(nodes, np.concatenate(counts))


def _check_cuts(
    attribute: NDArray[np.int64], below: NDArray[np.int64], cut: NDArray[np.int64], above: NDArray[np.int64]
) -> None:
    """Refuse a cut outside the ranks around it: below 0 the loops would take its test for a categorical one."""
    numeric = (attribute != LEAF) & (below != NONE)
    if np.any((cut < below) | (cut >= above), where=numeric):
        raise InternalFault("A threshold does not lie between the values it parts; please report this.")


def split_rule(options: GrowOptions, training: TrainingSet) -> Any:
    """The options as the kernels read them."""
    constants = options.constants
    return scan_kernels.Rule(
        float(options.min_leaf),
        constants.slack,
        constants.improvement,
        constants.both_sides,
        options.criterion == "gini",
        training.class_bits,
    )


def x_log_x(records: int) -> NDArray[np.float64]:
    """x·log2(x) for all whole weights up to the number of records."""
    whole = np.arange(records + 1, dtype=np.float64)
    return whole * np.log2(np.maximum(whole, 1.0))

"""A tree grown level by level: score all attributes in all open nodes, split, send the records to the children.

The result is unpruned and numbered level by level; `trees.grow` collapses, prunes and turns it into a Tree.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.errors import InputError, InternalFault
from hushwood.trees.binary import CELLS_FOR_THREADS
from hushwood.trees.c45.nodes import (
    NONE,
    ForcedTests,
    GrownNodes,
    Split,
    choose,
    counts_in_average,
    gathered,
    split_rule,
    x_log_x,
)
from hushwood.trees.forest import LEAF
from hushwood.trees.kernels import divide as divide_kernels
from hushwood.trees.kernels import scan as scan_kernels
from hushwood.trees.kernels.scan_counts import scan_complete
from hushwood.trees.options import NAMES, NOT_WEIGHTED, GrowOptions
from hushwood.trees.training import TrainingSet, room_for

Order = tuple[Integers, Integers]


@dataclass
class Work:
    """One level while it is worked on: entries by node, and the order of every numeric attribute."""

    level: Any
    orders: list[Order | None]
    tested: Flags
    branch: Integers


class _Tests(NamedTuple):
    """The attribute of every node of a level (LEAF: none), the rank of its cut, and where its children begin."""

    attribute: Integers
    cut: Integers
    child_start: Integers

    @property
    def parent(self) -> Integers:
        """The node of every child."""
        return np.repeat(np.arange(len(self.attribute)), np.diff(self.child_start))


class _Sent(NamedTuple):
    """Where each entry goes; entries of every child with a known value, of every node without; the children's class
    weights, and their totals before too light children were emptied."""

    target: Array
    known: Integers
    unknown: Integers
    counts: Floats
    total: Floats


class _Children(NamedTuple):
    """Class weights of all children, which children are open, and the work on those (None: all are leaves)."""

    counts: Floats
    opened: Flags
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
        self.threads, self.pool, self.most_depth = threads, pool, options.max_depth
        # Whole: weights are counts and the fast scan applies; otherwise every entry carries its weight.
        if training.weights is not None and options.variant in NOT_WEIGHTED:
            raise InputError(
                f"Trees of {NAMES[options.variant]} take no weights. Use --variant c45 or j48, or leave the weights "
                "out."
            )
        self.whole = training.complete and options.criterion != "gini" and training.weights is None
        self.table = x_log_x(training.records) if self.whole else np.empty(0)
        narrow = int(training.branches.max(initial=2)) <= 256
        self.branch_of = np.empty(training.records if self.whole else 0, np.uint8 if narrow else np.uint16)
        self.room = room_for(training.records)
        self.reach_bits = [0 if v is None else training.reach_bits(len(v)) for v in training.values]
        self.averaged = counts_in_average(training)
        self.rule = split_rule(options, training)
        # A branch with no more than this share of the known weight gets no unknown records.
        self.share_slack = options.constants.slack if options.variant == "j48" else 0.0

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
        training, records = self.training, self.training.records
        given = training.weights
        counts = np.bincount(training.class_codes, given, minlength=len(training.classes))
        counts = counts[None, :].astype(float)
        weights, rows = np.empty(0) if self.whole else np.ones(records), np.arange(records, dtype=np.int32)
        weights = weights if given is None else given
        level = scan_kernels.Level(
            np.array([0, records]),
            rows,
            weights,
            training.class_codes,
            counts,
            counts.sum(axis=1),
            self.shares_of(rows, weights),
        )
        orders: list[Any] = [None] * len(training.attributes)

        def sort(a: int) -> None:
            values, rows = training.values[a], training.sorted_rows[a]
            if values is not None and rows is not None:
                order, bits = np.empty(records, np.int64), self.reach_bits[a]
                reach = scan_kernels.reach_of_ranks(values, (1 << bits) - 1)
                scan_kernels.pack_order(
                    rows, training.codes[a], training.class_codes, self.rule.class_bits, reach, bits, order
                )
                orders[a] = order[: len(rows)], np.array([0, len(rows)])

        self.parallel(sort, records)
        return Work(level, orders, np.zeros((1, len(orders)), bool), np.array([NONE]))

    def scores(self, work: Work) -> tuple[Floats, Floats, Integers, Integers]:
        """As [attribute, node]: gain (-1: barred), split information, and the ranks on both sides of the best cut."""
        shape = (len(self.training.attributes), len(work.level.total))
        gain, info = np.full(shape, -1.0), np.zeros(shape)
        below, above = np.full(shape, NONE, np.int64), np.full(shape, NONE, np.int64)

        def scan(a: int) -> None:
            found = scan_kernels.Found(gain[a], info[a], below[a], above[a])
            order = work.orders[a]
            if order is not None:
                self.scan_cuts(a, order, work.level, found)
            else:
                self.scan_values(a, np.ascontiguousarray(work.tested[:, a]), work.level, found)

        self.parallel(scan, len(work.level.rows))
        return gain, info, below, above

    def search(self, work: Work, depth: int) -> tuple[Integers, Integers, Integers]:
        """Attribute and the ranks on both sides of the cut that every node of the level splits on."""
        gain, info, below, above = self.scores(work)
        winner = self.choose(gain, info, work.level)
        nodes = np.arange(len(winner))
        chosen_below, chosen_above = below[winner, nodes], above[winner, nodes]
        for node, split in self.forced_splits(work, depth):
            winner[node], chosen_below[node], chosen_above[node] = split
        return winner, chosen_below, chosen_above

    def scan_cuts(self, a: int, order: Order, level: Any, found: Any) -> None:
        """The best cut of a numeric attribute in every node."""
        scan = scan_complete if self.whole else scan_kernels.scan_numeric
        scan(*order, level, self.training.values[a], self.reach_bits[a], self.table, self.rule, found)

    def scan_values(self, a: int, skip: Flags, level: Any, found: Any) -> None:
        """The worth of a categorical attribute in every node that does not skip it."""
        codes, branches = self.training.codes[a], self.training.branches[a]
        scan_kernels.scan_categorical(codes, branches, skip, level, self.table, self.rule, found)

    def choose(self, gain: Floats, info: Floats, level: Any) -> Integers:
        """The attribute that every node tests."""
        return choose(gain, info, self.averaged, self.options)

    def lost_below(self, attribute: Integers, level: Any) -> Floats:
        """The weight below which a node's records with an unknown value are lost."""
        return np.zeros(len(attribute))

    def forced_splits(self, work: Work, depth: int) -> list[tuple[int, Split]]:
        """The prescribed tests of this level, by node."""
        if self.forced is None or depth > 1:
            return []
        if depth == 0:
            return [(0, self.forced.root)]
        children = self.forced.children
        return [(i, children[b]) for i, b in enumerate(work.branch.tolist()) if b in children]

    def divide(self, work: Work, attribute: Integers, cut: Integers, depth: int) -> _Children:
        """Send the level's records to the children of its split nodes."""
        level, training = work.level, self.training
        branches = np.where(attribute == LEAF, 0, training.branches[attribute])
        tests = _Tests(attribute, cut, np.concatenate([[0], np.cumsum(branches)]))
        target = self.branch_of if self.whole else np.empty(len(level.rows), np.int64)
        known, unknown = np.zeros(tests.child_start[-1], np.int64), np.zeros(len(attribute), np.int64)
        counts = np.zeros((len(known), len(training.classes)))
        ranges, least = _ranges(level.start, self.threads), self.lost_below(attribute, level)

        def send_some(part: int) -> None:
            divide_kernels.send_entries(
                ranges[part],
                training.codes,
                *tests,
                level,
                self.share_slack,
                least,
                target,
                known,
                unknown,
                counts,
            )

        self.parallel(send_some, len(level.rows), len(ranges))
        total = counts.sum(axis=1)
        counts[total < self.options.constants.least_branch] = 0.0
        people = self.people(level, tests, target, total) if training.counts_people else total
        opened = self.open(counts, depth + 1, people)
        if self.forced is not None and depth == 0:
            opened |= np.isin(np.arange(len(known)), list(self.forced.children)) & (known > 0)
        if not opened.any():
            return _Children(counts, opened, None)
        sent = _Sent(target, known, unknown, counts, total)
        return _Children(counts, opened, self.next_level(work, tests, sent, opened))

    def next_level(self, work: Work, tests: _Tests, sent: _Sent, opened: Flags) -> Work:
        """The work on the open children: their entries and orders."""
        level, parent = work.level, tests.parent
        target, known, unknown, counts, total = sent
        share = np.zeros(len(parent))
        if not self.training.complete:
            of_parent = np.bincount(parent, total, minlength=len(unknown))[parent]
            np.divide(total, of_parent, out=share, where=(unknown[parent] > 0) & (of_parent > 0))
            share[share <= self.share_slack] = 0.0
        size = (known + np.where(share > 0, unknown[parent], 0))[opened]
        begin = np.concatenate([[0], np.cumsum(size)])
        place = np.where(opened, np.cumsum(opened) - 1, divide_kernels.CLOSED)
        upper = np.packbits(target, bitorder="little") if self.whole else np.empty(0, np.uint8)
        division = divide_kernels.Division(tests.child_start, target, upper, place, share, begin, known)
        rows, classes = np.empty(begin[-1], np.int32), np.empty(begin[-1], level.classes.dtype)
        weights = np.empty(0 if self.whole else begin[-1])
        ranges = _ranges(level.start, self.threads)

        def place_some(part: int) -> None:
            divide_kernels.place_entries(ranges[part], level, division, rows, weights, classes)

        self.parallel(place_some, len(level.rows), len(ranges))
        following = scan_kernels.Level(
            begin, rows, weights, classes, counts[opened], total[opened], self.shares_of(rows, weights)
        )
        branch = (np.arange(len(parent)) - tests.child_start[parent])[opened]
        parent = parent[opened]
        tested = work.tested[parent]
        at = np.flatnonzero(tests.cut[parent] == NONE)
        tested[at, tests.attribute[parent[at]]] = True
        return Work(following, self.divide_orders(work, division), tested, branch)

    def divide_orders(self, work: Work, division: Any) -> list[Any]:
        """The order of every numeric attribute in the next level; the present ones are given up on the way."""
        orders: list[Any] = [None] * len(work.orders)

        def one(a: int) -> None:
            numeric = work.orders[a]
            if numeric is None:
                return
            order, start = numeric
            first = division.begin
            if self.whole:
                out = self.room.take()[: first[-1]]
                divide_kernels.divide_complete(order, start, division, first.copy(), out)
                self.room.give_back(np.asarray(order.base))
            else:
                size = np.zeros(len(first) - 1, np.int64)
                divide_kernels.count_order(order, start, division, size)
                first = np.concatenate([[0], np.cumsum(size)])
                out = np.empty(first[-1], np.int64)
                divide_kernels.divide_order(order, start, division, first.copy(), out)
            work.orders[a] = None
            orders[a] = out, first

        self.parallel(one, len(work.level.rows))
        return orders

    def shares_of(self, rows: Codes, weights: Floats) -> Floats:
        """How much of its record every entry is, where records have survey weights."""
        given = self.training.weights
        if given is None or not self.training.counts_people:
            return np.empty(0)
        return np.asarray(weights / given[rows])

    def people(self, level: Any, tests: _Tests, target: Array, total: Floats) -> Floats:
        """How many people every child holds, where records have survey weights; unknown ones in shares."""
        node = np.repeat(np.arange(len(tests.attribute)), np.diff(level.start))
        split = tests.attribute[node] != LEAF
        known, stray = split & (target >= 0), split & (target == divide_kernels.UNKNOWN)
        parent = tests.parent
        found = np.bincount(
            tests.child_start[node[known]] + target[known], level.shares[known], minlength=len(parent)
        )
        unknown = np.bincount(node[stray], level.shares[stray], minlength=len(tests.attribute))
        of_parent = np.bincount(parent, total, minlength=len(tests.attribute))[parent]
        share = np.divide(total, of_parent, out=np.zeros(len(parent)), where=of_parent > 0)
        return np.asarray(found + share * unknown[parent])

    def open(self, counts: Floats, depth: int, people: Floats | None = None) -> Flags:
        """Which nodes may be split: mixed, with enough people and not too deep."""
        if self.most_depth is not None and depth >= self.most_depth:
            return np.zeros(len(counts), bool)
        slack, total = self.options.constants.slack, counts.sum(axis=1)
        enough = (total if people is None else people) >= 2 * self.options.min_leaf - slack
        return np.asarray(self.mixed(counts, total) & enough)

    def mixed(self, counts: Floats, total: Floats) -> Flags:
        """Which nodes have records of more than one class."""
        return np.asarray(total - counts.max(axis=1) > self.options.constants.slack)

    def thresholds(self, attribute: Any, below: Any, above: Any) -> tuple[Integers, Floats]:
        """Rank and value of every numeric test's threshold."""
        cut, threshold = np.full(len(attribute), NONE, np.int64), np.full(len(attribute), np.nan)
        for a in np.unique(attribute[attribute != LEAF]).tolist():
            values, at = self.training.values[a], np.flatnonzero(attribute == a)
            if values is not None:
                cut[at], threshold[at] = self.cuts_between(a, values, below[at], above[at])
        return cut, threshold

    def cuts_between(self, a: int, values: Floats, below: Any, above: Any) -> tuple[Integers, Floats]:
        """Rank and value of the thresholds between these ranks of an attribute (docs/trees.md)."""
        low, high = values[below], values[above]
        middle = (low + high) / 2
        middle = np.where(middle >= high, low, middle)
        cut = np.searchsorted(values, middle, side="right") - 1
        return cut, middle if self.options.thresholds == "midpoint" else values[cut]


def grow_levels(
    training: TrainingSet, options: GrowOptions, threads: int, forced: ForcedTests | None = None
) -> GrownNodes:
    """Grow without pruning, on all records of the training set."""
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        return grow_with(Grower(training, options, forced, threads, pool))


def _ranges(start: Integers, threads: int) -> list[tuple[int, int]]:
    """Ranges of nodes with about the same number of entries each, one per thread."""
    wanted = np.linspace(0, start[-1], threads + 1)
    limits = np.searchsorted(start, wanted)
    limits[0], limits[-1] = 0, len(start) - 1
    return [(int(low), int(high)) for low, high in pairwise(limits) if high > low]


def grow_with(grower: Grower) -> GrownNodes:
    """Grow level by level in the grower's way, without pruning."""
    first = grower.root()
    counts = [first.level.counts]
    everyone = np.array([grower.training.records]) if grower.training.counts_people else None
    open_root = bool(grower.open(first.level.counts, 0, everyone)[0]) or grower.forced is not None
    work = first if open_root else None
    nodes: list[tuple[Array, ...]] = []
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


def _check_cuts(attribute: Integers, below: Integers, cut: Integers, above: Integers) -> None:
    """Refuse a cut outside the ranks around it: below 0 the loops would treat its test as a categorical one."""
    numeric = (attribute != LEAF) & (below != NONE)
    if np.any((cut < below) | (cut >= above), where=numeric):
        raise InternalFault("A threshold does not lie between the values it separates; please report this.")

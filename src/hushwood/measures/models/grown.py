"""Trees and forests, grown on a table when a measure first asks for them, and trees forced on the records of another
one.

EDUSC forces the original's trees on the release: gain ratios of all attributes in all nodes of a given tree, for
records that the tree need not have grown on. Information gain and the gain of Gini's index can take the place of the
ratio, each as a share of the most that the number of classes allows (errata G16). A record without a value follows
`missing_to`, so every record is in one node of a level. The node's own test keeps its cut; any other numeric attribute
is judged by the cut that gains most in these records, as the builder's kernels find it but without the price of the
threshold (errata G5).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Codes, Floats, Integers
from hushwood.random_streams import group_order
from hushwood.releasing.forest_for import with_large_leaves
from hushwood.tables.table import Table, class_labels
from hushwood.trees.c45.nodes import NONE, split_rule, x_log_x
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.grow import class_forest, regression_forest
from hushwood.trees.options import Builder, Criterion, GrowOptions, default_min_leaf
from hushwood.trees.regression import RegressionSet
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.see5.growth import single_values
from hushwood.trees.training import TrainingSet


@dataclass(frozen=True)
class Grown:
    """A table and the models learnt from it; the table must have a class."""

    table: Table
    builder: Builder
    threads: int = 1

    @cached_property
    def training(self) -> TrainingSet:
        """The table as trees see it."""
        return TrainingSet.from_table(self.table, None, self.threads)

    @property
    def response(self) -> bool:
        """Whether the class is a number, which regression trees predict."""
        target = self.table.schema.class_attribute
        return target is not None and target.response

    @cached_property
    def tree(self) -> Forest:
        """One tree, as a forest of one."""
        return self._learnt(self.builder.with_trees(1))

    @cached_property
    def forest(self) -> Forest:
        """The builder's forest: one plain tree if that is what it grows, or if the table has no good splits."""
        return self.tree if self.builder.sysfor.trees == 1 else self._learnt(self.builder)

    @cached_property
    def weighed(self) -> tuple[ForcedTree, ...]:
        """Every tree of the forest with the gain ratios of all attributes in its own table."""

        return tuple(force_tree(tree, self.forest, self, self.threads) for tree in self.forest.trees)

    def _learnt(self, builder: Builder) -> Forest:
        target = self.table.schema.class_attribute
        name = target.name if target else ""
        if self.response:
            forest = regression_forest(name, RegressionSet.from_table(self.table), builder)
        else:
            forest = class_forest(name, self.training, builder, self.threads)
        return with_large_leaves(forest, self.table, builder.smallest_segment)[0]


def builder_for(records: int) -> Builder:
    """Three trees of C4.5 with the minimum leaf size of a release of this many records: the yardstick of a table."""
    return Builder(GrowOptions(min_leaf=default_min_leaf(records)))


@dataclass(frozen=True, slots=True)
class ForcedTree:
    """Records with a class in every node, and the gain ratios as [attribute, node] (0: no admissible split).

    With another criterion, `ratios` are its scores, which lie between 0 and 1 too.
    """

    records: Integers
    ratios: Floats


def force_tree(
    tree: Tree, forest: Forest, grown: Grown, threads: int = 1, criterion: Criterion = "gain_ratio"
) -> ForcedTree:
    """Send a table's records through a tree and weigh every attribute in every node."""
    training, options = grown.training, replace(grown.builder.grow, criterion="gain_ratio")
    gini = criterion == "gini"
    see5 = options.variant == "see5" and not gini  # See5 has no Gini; C4.5's cuts are tried then
    rule = split_rule(options, training)._replace(gini=gini)
    table = x_log_x(training.records) if training.complete else np.empty(0)
    trained, weights = class_labels(grown.table)[0] >= 0, grown.table.weights
    trained &= True if weights is None else weights > 0
    columns = {a.name: grown.table.columns[a.name][trained] for a in training.attributes}
    leaf = leaf_of_each(tree, forest, columns)
    above = _ancestors(tree)
    records = np.zeros(len(tree), np.int64)
    ratios = np.zeros((len(training.attributes), len(tree)))
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        for depth, ancestor in enumerate(above):
            grouped = _grouped(training, ancestor[leaf], len(tree))
            level = _Level(training, see5, criterion, table, rule, *grouped)
            records += level.records
            ratios[:, level.nodes] = list(pool.map(level.best_ratios, range(len(ratios))))
            if depth + 1 < len(above):
                own = _own_ratios(tree, training, level, above[depth + 1][leaf])
                tests = level.nodes[tree.attribute[level.nodes] != LEAF]
                ratios[tree.attribute[tests], tests] = own[tests]
    return ForcedTree(records, ratios)


def split_ratios(
    counts: Floats, owner: Integers, total: Floats, criterion: Criterion = "gain_ratio"
) -> Floats:
    """Gain ratio of the split of every owner, given the class counts of its parts; unknown values are its rest.

    >>> split_ratios(np.array([[4.0, 0.0], [0.0, 4.0]]), np.array([0, 0]), np.array([8.0])).tolist()
    [1.0]
    """
    from scipy.special import xlogy

    size, weight = len(total), counts.sum(axis=1)
    known = np.zeros((size, counts.shape[1]))
    np.add.at(known, owner, counts)
    if criterion == "gini":
        gain = _mixed_pairs(known) - np.bincount(owner, _mixed_pairs(counts), minlength=size)
        return _scores(gain, total, most_gain(counts.shape[1], criterion))
    mass_of_parts = np.bincount(owner, xlogy(weight, weight), minlength=size)
    mixed_parts = mass_of_parts - np.bincount(owner, xlogy(counts, counts).sum(axis=1), minlength=size)
    together = known.sum(axis=1)
    mixed = xlogy(together, together) - xlogy(known, known).sum(axis=1)
    if criterion == "information_gain":
        most = most_gain(counts.shape[1], criterion) * np.log(2)
        return _scores(mixed - mixed_parts, total, most)
    rest = np.maximum(total - together, 0.0)
    spread = xlogy(total, total) - xlogy(rest, rest) - mass_of_parts
    ratio = np.divide(mixed - mixed_parts, spread, out=np.zeros(size), where=spread > 0)
    return np.asarray(np.clip(ratio, 0.0, 1.0))


def most_gain(classes: int, criterion: Criterion) -> float:
    """The most that a split can gain: log2 of the number of classes, or Gini's index of equally frequent ones.

    >>> most_gain(4, "information_gain"), most_gain(4, "gini")
    (2.0, 0.75)
    """
    classes = max(classes, 2)
    return 1 - 1 / classes if criterion == "gini" else float(np.log2(classes))


def _mixed_pairs(counts: Floats) -> Floats:
    """Weight times Gini's index of every row of class counts."""
    weight = counts.sum(axis=1)
    squares = (counts * counts).sum(axis=1)
    return np.asarray(weight - np.divide(squares, weight, out=np.zeros(len(weight)), where=weight > 0))


def _scores(gain: Floats, total: Floats, most: float) -> Floats:
    """Gains that are weighted by records, as shares of the most possible."""
    share = np.divide(gain, total * most, out=np.zeros(len(total)), where=total > 0)
    return np.asarray(np.clip(share, 0.0, 1.0))


def _ancestors(tree: Tree) -> list[Integers]:
    """For every depth the node of that depth above (or at) each node, NONE for shallower ones."""
    depth = np.zeros(len(tree), np.int64)
    parent = np.full(len(tree), NONE, np.int64)
    for node, child in tree.edges():
        depth[child], parent[child] = depth[node] + 1, node
    levels = [np.where(depth == d, np.arange(len(tree)), NONE) for d in range(int(depth.max()) + 1)]
    for d, level in enumerate(levels):
        for node in np.flatnonzero(depth > d).tolist():  # parents come before their children
            level[node] = level[parent[node]]
    return levels


@dataclass(frozen=True)
class _Level:
    """The records of one level: in which node each is (NONE: in none), and what the kernels need."""

    training: TrainingSet
    see5: bool
    criterion: Criterion
    table: Floats
    rule: Any
    nodes: Integers
    place: Codes
    records: Integers
    kernel_level: Any

    def best_ratios(self, attribute: int) -> Floats:
        """The gain ratio of an attribute's best split in every node of the level."""
        from hushwood.trees.kernels import scan as scan_kernels

        size = len(self.nodes)
        found = scan_kernels.Found(
            np.full(size, -1.0), np.zeros(size), np.full(size, NONE), np.full(size, NONE)
        )
        values, ascending = self.training.values[attribute], self.training.sorted_rows[attribute]
        if values is not None and ascending is not None:
            self._scan_numeric(attribute, values, self._by_node(ascending), found)
            return self._ratios_at(attribute, found.below)
        branches = int(self.training.branches[attribute])
        codes, skip = self.training.codes[attribute], np.zeros(size, bool)
        scan_kernels.scan_categorical(codes, branches, skip, self.kernel_level, self.table, self.rule, found)
        allowed = (found.gain > 0) & (found.info > 0)
        most = found.info
        if self.criterion != "gain_ratio":
            most = np.full(size, most_gain(len(self.training.classes), self.criterion))
        ratio = np.divide(found.gain, most, out=np.zeros(size), where=allowed)
        return np.asarray(np.minimum(ratio, 1.0))

    def _by_node(self, ascending: Codes) -> Codes:
        """The rows of the level node by node, each node's in ascending order of their values."""
        rows = ascending[self.place[ascending] >= 0]
        return np.asarray(rows[group_order(self.place[rows])])

    def _scan_numeric(self, attribute: int, values: Floats, rows: Codes, found: Any) -> None:
        """Find the best cut of every node as the builder does."""
        from hushwood.trees.kernels import scan as scan_kernels
        from hushwood.trees.kernels import see5 as see5_kernels
        from hushwood.trees.kernels.scan_counts import scan_complete

        training, rule = self.training, self.rule
        start = np.searchsorted(self.place[rows], np.arange(len(self.nodes) + 1))
        codes, classes = training.codes[attribute], training.class_codes
        order = np.empty(len(rows), np.int64)
        if self.see5:
            named = rows.astype(np.int64)
            see5_kernels.pack_order(rows, named, codes, classes, rule.class_bits, order)
            singles = single_values(values)
            see5_kernels.scan_cuts(order, start, self.kernel_level, singles, self.table, rule, found)
            return
        bits = training.reach_bits(len(values))
        reach = scan_kernels.reach_of_ranks(values, (1 << bits) - 1)
        scan_kernels.pack_order(rows, codes, classes, rule.class_bits, reach, bits, order)
        by_counts = training.complete and not rule.gini
        scan = scan_complete if by_counts else scan_kernels.scan_numeric
        scan(order, start, self.kernel_level, values, bits, self.table, rule, found)

    def _ratios_at(self, attribute: int, cut: Integers) -> Floats:
        """Gain ratios of the cuts above these ranks; 0 where there is none."""
        codes = self.training.codes[attribute]
        rows = np.flatnonzero((self.place >= 0) & (codes >= 0))
        at = self.place[rows]
        part = 2 * at.astype(np.int64) + (codes[rows] > cut[at])
        counts = _class_counts(self.training, rows, part, 2 * len(self.nodes))
        total = self.records[self.nodes].astype(np.float64)
        ratio = split_ratios(counts, np.arange(len(counts)) // 2, total, self.criterion)
        return np.where(cut == NONE, 0.0, ratio)


def _grouped(training: TrainingSet, at: Integers, nodes: int) -> tuple[Integers, Codes, Integers, Any]:
    """The nodes that hold records, each record's place among them, records by node, and the level for kernels."""
    from hushwood.trees.kernels import scan as scan_kernels

    records = np.bincount(at[at >= 0], minlength=nodes)
    here = np.flatnonzero(records)
    of_node = np.full(nodes + 1, NONE, np.int32)  # the last place answers for NONE
    of_node[here] = np.arange(len(here))
    place = of_node[at]
    rows = np.flatnonzero(place >= 0)
    rows = rows[group_order(place[rows])].astype(np.int32)
    start = np.concatenate([[0], np.cumsum(records[here])])
    counts = _class_counts(training, rows, place[rows].astype(np.int64), len(here))
    weights, total = np.ones(training.records), records[here].astype(np.float64)
    level = scan_kernels.Level(start, rows, weights, training.class_codes[rows], counts, total)
    return here, place, records, level


def _class_counts(training: TrainingSet, rows: NDArray[np.integer], part: Integers, parts: int) -> Floats:
    """Records per part and class."""
    classes = len(training.classes)
    cells = part * classes + training.class_codes[rows]
    return np.bincount(cells, minlength=parts * classes).reshape(parts, classes).astype(np.float64)


def _own_ratios(tree: Tree, training: TrainingSet, level: _Level, child: Integers) -> Floats:
    """Gain ratio of every node's own test, whatever its parts weigh; by node of the tree."""
    rows = np.flatnonzero(child != NONE)
    parent = level.nodes[level.place[rows]]
    known = training.codes[tree.attribute[parent], rows] >= 0
    rows = rows[known]
    counts = _class_counts(training, rows, child[rows], len(tree))
    owner = np.zeros(len(tree), np.int64)
    for node, below in tree.edges():
        owner[below] = node
    return split_ratios(counts, owner, level.records.astype(np.float64), level.criterion)

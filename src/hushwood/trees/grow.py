"""Trees and forests for the class of a table, from coded records to the finished Forest.

C4.5 release 8 and J48 are made here from the steps in `c45`; See5 is in `see5`, credal trees in `credal`, regression
trees for a response in `regression`. SysFor is a forest whose trees start from different good splits (docs/trees.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.parameters import available_threads
from hushwood.tables.table import Table
from hushwood.trees.c45.growth import Grower, Order, grow_levels, grow_with
from hushwood.trees.c45.nodes import NONE, ForcedTests, Split, collapse, finished_tree, first_best, prune
from hushwood.trees.forest import LEAF, Forest, Tree, same_tests
from hushwood.trees.kernels import scan as kernels
from hushwood.trees.kernels.records import cut_ratios
from hushwood.trees.options import Builder, GrowOptions, SysForOptions
from hushwood.trees.regression import RegressionSet, grow_regression_forest, grow_regression_tree
from hushwood.trees.see5.growth import grow_see5
from hushwood.trees.training import RecordPart, TrainingSet

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


class GoodSplit(NamedTuple):
    """A split worth starting a tree from, and its gain ratio."""

    split: Split
    ratio: float


def grow_trees(training: TrainingSet, builder: Builder, threads: int | None = None) -> tuple[Tree, ...]:
    """The builder's trees: a plain tree if it wants one, or if the table has no good splits."""
    wanted = builder.sysfor.trees > 1
    trees = grow_forest(training, builder.grow, builder.sysfor, threads) if wanted else ()
    return trees or (grow_tree(training, builder.grow, threads),)


def grow_forest(
    training: TrainingSet, grow: GrowOptions, sysfor: SysForOptions, threads: int | None = None
) -> tuple[Tree, ...]:
    """As many trees as asked for, or as there are good splits; with credal trees, a credal forest of as many."""
    threads = available_threads() if threads is None else threads
    credal = grow.variant == "credal"
    prescribed = credal_roots(training, grow) if credal else _prescriptions(training, grow, sysfor)
    trees: list[Tree] = []
    for forced in prescribed:
        tree = grow_tree(training, grow, threads, forced)
        if sysfor.deduplicate and any(same_tests(tree, other) for other in trees):
            continue
        trees.append(tree)
        if len(trees) == sysfor.trees:
            break
    return tuple(trees)


def _prescriptions(training: TrainingSet, grow: GrowOptions, sysfor: SysForOptions) -> Iterator[ForcedTests]:
    """The forced tests of every tree, level 0 first, then level 1."""
    ones, weights = np.ones(training.records), training.weights
    rows = np.arange(training.records, dtype=np.int32)
    counted = ones if weights is None else weights
    everything = RecordPart(rows, counted, ones if training.counts_people else None)
    roots = good_splits(training, everything, grow, sysfor)
    for good in roots:
        yield ForcedTests(good.split, {})
    for good in roots:
        parts = _parts(training, everything, good.split)
        goods = [good_splits(training, part, grow, sysfor) for part in parts]
        weight = np.array([part.weights.sum() for part in parts])
        possible = int(
            np.floor(sum(len(g) * w for g, w in zip(goods, weight, strict=True)) / weight.sum() + TIE)
        )
        for x in range(possible):
            children = {branch: _pick(own, x + 1) for branch, own in enumerate(goods)}
            yield ForcedTests(good.split, children)


def _pick(goods: list[GoodSplit], index: int) -> Split:
    if not goods:
        return Split(LEAF)
    return goods[index].split if index < len(goods) else goods[0].split


def good_splits(
    training: TrainingSet, part: RecordPart, grow: GrowOptions, sysfor: SysForOptions
) -> list[GoodSplit]:
    """Splits of these records in descending gain ratio, numeric cuts well apart (docs/trees.md)."""
    found: list[GoodSplit] = []
    for a, values in enumerate(training.values):
        if values is None:
            found += _categorical_split(training, part, a, grow)
        elif len(values) > 1:
            found += _numeric_splits(training, part, a, values, grow, sysfor)
    found = [good for good in found if good.ratio >= sysfor.minimum_gain_ratio]
    found.sort(key=lambda good: -round(good.ratio, TIE_DIGITS))
    return [good for good in found if found[0].ratio - good.ratio <= sysfor.goodness + TIE]


def _categorical_split(training: TrainingSet, part: RecordPart, a: int, grow: GrowOptions) -> list[GoodSplit]:
    codes, classes = training.codes[a, part.rows], training.class_codes[part.rows]
    known = codes >= 0
    width, class_count = int(training.branches[a]), len(training.classes)
    cells = codes[known].astype(np.int64) * class_count + classes[known]
    counts = np.bincount(cells, part.weights[known], minlength=width * class_count).reshape(
        width, class_count
    )
    weight, total = counts.sum(axis=1), float(part.weights.sum())
    people = np.bincount(codes[known], part.people[known], minlength=width)
    if (people >= grow.min_leaf - grow.constants.slack).sum() < 2:
        return []
    gain = (_spread(counts.sum(axis=0)) - sum(_spread(row) for row in counts[weight > 0])) / total
    info = _spread(np.append(weight, max(total - weight.sum(), 0.0))) / total
    return [GoodSplit(Split(a), gain / info)] if info > 0 else []


def _spread(weights: Floats) -> float:
    """T of the papers: total weight times the entropy of the parts."""
    positive = weights[weights > 0]
    total = float(positive.sum())
    return total * float(np.log2(total)) - float(positive @ np.log2(positive)) if total > 0 else 0.0


def _numeric_splits(
    training: TrainingSet,
    part: RecordPart,
    a: int,
    values: Floats,
    grow: GrowOptions,
    sysfor: SysForOptions,
) -> list[GoodSplit]:
    """The best cut, then the best at least `separation` of the domain away from those taken, and so on."""
    below, above, ratio = cut_ratios(
        training.codes[a],
        training.class_codes,
        part.rows,
        part.weights,
        len(values),
        len(training.classes),
        float(grow.min_leaf) - grow.constants.slack,
        part.people,
    )
    middle = (values[below] + values[above]) / 2
    domain = values[-1] - values[0]
    taken: list[GoodSplit] = []
    while len(ratio):
        best = int(np.argmax(ratio >= ratio.max() - TIE))
        taken.append(GoodSplit(Split(a, int(below[best]), int(above[best])), float(ratio[best])))
        apart = np.abs(middle - middle[best]) / domain > sysfor.separation + TIE
        below, above, ratio, middle = below[apart], above[apart], ratio[apart], middle[apart]
    return taken


def _parts(training: TrainingSet, part: RecordPart, split: Split) -> list[RecordPart]:
    """The records of every branch of a split; those with an unknown value are in every branch, in shares."""
    codes = training.codes[split.attribute, part.rows]
    branch = codes if split.below == NONE else np.where(codes < 0, codes, codes > split.below)
    known = [branch == b for b in range(int(training.branches[split.attribute]))]
    weight = np.array([part.weights[k].sum() for k in known])
    share = weight / weight.sum()
    parts = []
    for k, s in zip(known, share.tolist(), strict=True):
        here = k | ((codes < 0) & (s > 0))
        times = np.where(k, 1.0, s)[here]
        shares = None if part.shares is None else times * part.shares[here]
        parts.append(RecordPart(part.rows[here], times * part.weights[here], shares))
    return parts


def learnt_forest(table: Table, builder: Builder, rows: Array | None = None, threads: int = 1) -> Forest:
    """The builder's forest for the class that is looked at, on some rows or all; one plain tree if none is good."""
    target = table.schema.class_attribute
    if target is not None and target.response:
        return regression_forest(target.name, RegressionSet.from_table(table, rows), builder)
    training = TrainingSet.from_table(table, rows, threads)
    return class_forest(target.name if target else "", training, builder, threads)


def class_forest(name: str, training: TrainingSet, builder: Builder, threads: int = 1) -> Forest:
    """The forest for classes; a single leaf if there is no column to test."""
    trees: Sequence[Tree] = (
        grow_trees(training, builder, threads) if training.attributes else (_leaf(training),)
    )
    grown = {**builder.described(), "rows": training.records}
    grown |= {} if training.weights is None else WEIGHTED
    return Forest(name, training.classes, training.attributes, tuple(trees), grown)


def regression_forest(name: str, numbers: RegressionSet, builder: Builder) -> Forest:
    """The forest for a number."""
    several = builder.sysfor.trees > 1
    trees = grow_regression_forest(numbers, builder.grow, builder.sysfor) if several else ()
    trees = trees or (grow_regression_tree(numbers, builder.grow),)
    grown = {**builder.described(), "criterion": "variance", "rows": numbers.records}
    grown |= WEIGHTED if numbers.weighted else {}
    return Forest(name, (), numbers.attributes, trees, grown)


def _leaf(training: TrainingSet) -> Tree:
    """The tree of a table that has no column to test."""
    sums = np.bincount(training.class_codes, training.weights, minlength=len(training.classes))
    counts = sums.astype(np.float64)[None] * training.scale
    none = np.full(1, LEAF, np.int32)
    return Tree(
        none,
        np.full(1, np.nan),
        np.zeros(2, np.int64),
        np.zeros(0, np.int32),
        none,
        counts,
        counts.argmax(axis=1).astype(np.int32),
    )


def importances(forest: Forest) -> Floats:
    """The share of each attribute in the information that the tests win: the mean of the trees, which sums to 1.

    Trees without a test do not count; if there is no other, all shares are 0.
    """
    won = np.array([information_won(tree, len(forest.attributes)) for tree in forest.trees])
    totals = won.sum(axis=1, keepdims=True)
    counted = won[totals[:, 0] > 0] / totals[totals[:, 0] > 0]
    return np.asarray(counted.mean(axis=0)) if len(counted) else np.zeros(len(forest.attributes))


def information_won(tree: Tree, attributes: int) -> Floats:
    """By how many bits the tests of each attribute lower the entropy of the class, over all records together."""
    weight = tree.counts.sum(axis=1)
    share = np.divide(tree.counts, weight[:, None], out=np.zeros_like(tree.counts), where=weight[:, None] > 0)
    logs = np.log2(share, out=np.zeros_like(share), where=share > 0)
    bits = -weight * (share * logs).sum(axis=1)
    won = np.zeros(attributes)
    for node, child in tree.edges():
        won[tree.attribute[node]] -= bits[child]
    inner = tree.attribute >= 0
    np.add.at(won, tree.attribute[inner], bits[inner])
    return np.maximum(won, 0.0)  # rounding, or a record that pruning sent elsewhere


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


# Ratios and distances that differ by less are equal: rounding must not decide which split comes first.
TIE_DIGITS = 10
TIE = 10.0**-TIE_DIGITS
WEIGHTED = {"counts": "weighted"}  # in forest.json: counts are sums of survey weights, not of records

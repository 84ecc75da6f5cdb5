"""A forest for the class of a table: decision trees for classes, regression trees for a response."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.arrays import Array
from hushwood.tables.table import Table
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.options import Builder
from hushwood.trees.regression import RegressionSet, grow_regression_forest, grow_regression_tree
from hushwood.trees.sysfor import grow_trees
from hushwood.trees.training import TrainingSet

WEIGHTED = {"counts": "weighted"}  # in forest.json: counts are sums of survey weights, not of records


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

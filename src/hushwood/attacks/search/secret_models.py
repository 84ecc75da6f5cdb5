"""A tree that predicts one attribute of a release from others: the stronger intruder of `attribute_inference`.

A numeric secret is learnt in groups of equally many records, and guessed as the median of its leaf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.attacks.protocol import Knowledge
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, bin_names, label_columns, missing_values
from hushwood.trees.forest import Forest
from hushwood.trees.grow import grow_tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.training import MOST_BRANCHES, TrainingSet

GROUPS = 20
# A leaf holds at least a hundredth of the records, but never fewer or more than these.
SMALLEST_LEAF, LARGEST_LEAF = 2, 50


def learnt_secret(knowledge: Knowledge, released: Table) -> Array:
    """The secret of every target, as a tree grown on the release predicts it from the known attributes.

    Where there is nothing to learn, or there are too many values, it is the most likely value.
    """
    name = str(knowledge.wants)
    secret = released.columns[name]
    known = np.flatnonzero(~missing_values(secret))
    inputs = tuple(_learnable(released.schema, knowledge.columns))
    labels = _labels(released.schema, name, secret[known])
    likely = most_likely(released.schema, name, secret)
    if not inputs or not 1 < labels.max(initial=0) + 1 <= MOST_BRANCHES:
        return np.full(knowledge.count, likely, secret.dtype)
    rows = {a.name: released.columns[a.name][known] for a in inputs}
    forest = _grown(inputs, label_columns(released.schema, rows), labels, knowledge.threads)
    values = _leaf_values(forest, label_columns(released.schema, rows), secret[known], labels)
    targets = label_columns(released.schema, knowledge.columns)
    return values[leaf_of_each(forest.trees[0], forest, targets)].astype(secret.dtype)


def most_likely(schema: Schema, name: str, values: Array) -> float:
    """The median of a numeric column, the most frequent value of another; missing if most values are."""
    missing = missing_values(values)
    known = values[~missing]
    if schema[name].kind == "numeric":
        return float(np.median(known)) if 2 * len(known) >= len(values) > 0 else float("nan")
    labels = _labels(schema, name, known)
    counts = np.bincount(labels, minlength=1)
    if missing.sum() > counts.max():
        return -1
    return int(_code_of_label(known, labels)[counts.argmax()]) if len(known) else -1


def _learnable(schema: Schema, columns: Mapping[str, Array]) -> Iterator[Attribute]:
    """The known attributes as trees see them: a binned class in its bins, none with too many categories."""
    for name in columns:
        attribute = schema[name]
        if attribute.bins and not attribute.response:
            yield Attribute(name, "categorical", categories=bin_names(attribute.bins))
        elif len(attribute.categories) <= MOST_BRANCHES:
            yield attribute


def _labels(schema: Schema, name: str, values: Array) -> Codes:
    """The classes of the tree: the categories, a class' bins, or groups of equally many numbers.

    Equal numbers are in one group, and a column's negative has the same groups.
    """
    if schema[name].kind == "categorical":
        return np.asarray(label_columns(schema, {name: values})[name], np.int32)
    from scipy.stats import rankdata

    shares = (rankdata(values) - 0.5) / max(len(values), 1)
    return np.asarray(np.floor(shares * GROUPS), np.int32)


def _grown(
    inputs: tuple[Attribute, ...], columns: Mapping[str, Array], labels: Codes, threads: int
) -> Forest:
    classes = tuple(str(label) for label in range(int(labels.max()) + 1))
    training = TrainingSet.from_columns(inputs, [columns[a.name] for a in inputs], labels, classes, threads)
    smallest = min(max(len(labels) // 100, SMALLEST_LEAF), LARGEST_LEAF)
    tree = grow_tree(training, GrowOptions(min_leaf=smallest), threads)
    return Forest("", classes, inputs, (tree,))


def _leaf_values(forest: Forest, columns: Mapping[str, Array], secret: Array, labels: Codes) -> Array:
    """What to guess in every node: the category of its label, or the median of the leaf's own numbers."""
    tree = forest.trees[0]
    if secret.dtype.kind != "f":
        return _code_of_label(secret, labels)[tree.label]
    from scipy.ndimage import median

    leaves = leaf_of_each(tree, forest, columns)
    reached = np.unique(leaves)
    values: Floats = np.full(len(tree), np.median(secret))
    values[reached] = median(secret, leaves, reached)
    return values


def _code_of_label(codes: Array, labels: Codes) -> Codes:
    """The most frequent code of every label, the lowest of several; a label without records keeps its number."""
    seen, counts = np.unique(codes, return_counts=True)
    label_of = np.zeros(int(seen.max(initial=-1)) + 1, np.int32)
    label_of[codes] = labels
    by_count = np.lexsort((-seen, counts))
    best = np.arange(int(labels.max(initial=-1)) + 1, dtype=np.int32)
    best[label_of[seen[by_count]]] = seen[by_count]
    return best

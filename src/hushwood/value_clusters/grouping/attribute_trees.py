"""The tree that predicts a categorical attribute, whose leaves DETECTIVE and EX-DETECTIVE read as clusters of values.

Values that share a heterogeneous leaf are similar there; the majority values of sibling leaves are similar, more
weakly, in their union (thesis 6.4). For EX-DETECTIVE a tree is cut back to a weight: 1 is the tree as grown, 0 its root
alone. The thesis asks for less pruning where an attribute weighs more; here tests are removed one by one, those that
explain the least entropy with all below them first, and the weight is the share of the explained entropy that must
stay. So a smaller weight only joins leaves of a larger one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, label_columns, label_names
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.grow import GrowOptions
from hushwood.trees.training import MOST_BRANCHES
from hushwood.value_clusters.grouping.predicted_attributes import PredictedAttribute


@dataclass(frozen=True, slots=True)
class ValueClusters:
    """The tree that predicts an attribute, and the siblings (leaves under the same test) of every leaf."""

    attribute: Attribute
    forest: Forest
    siblings: dict[int, tuple[int, ...]]

    @property
    def tree(self) -> Tree:
        """The only tree."""
        return self.forest.trees[0]

    @property
    def unrelated(self) -> bool:
        """Whether nothing in the table predicts the attribute."""
        return len(self.tree) == 1


@dataclass(frozen=True, slots=True)
class Similarity:
    """Two values alike among the records of some leaves; `strength` is the share of pairs (errata C10)."""

    values: tuple[str, str]
    leaves: tuple[int, ...]
    product: float
    strength: float


def detective(
    table: Table,
    name: str,
    options: GrowOptions,
    threads: int | None = None,
    rows: Integers | None = None,
    *,
    as_grown: bool = False,
) -> ValueClusters | None:
    """Cluster the values of one categorical attribute; None if it has only one value or too many.

    Of a long table the tree is grown on some `rows`; its counts are always those of all records. If the attribute is
    related to nothing, only its root is left, unless it is wanted `as_grown`.
    """
    attribute = next((a for a in _inputs(table) if a.name == name), table.schema[name])
    columns = label_columns(table.schema, table.columns)
    codes = np.asarray(columns[name])
    if len(attribute.categories) > MOST_BRANCHES or np.count_nonzero(np.bincount(codes + 1)[1:]) < 2:
        return None
    inputs = tuple(a for a in _inputs(table) if a.name != name and len(a.categories) <= MOST_BRANCHES)
    predicted = PredictedAttribute(attribute, inputs, columns)
    tree = None if as_grown else predicted.related_tree(options, rows, threads)
    if tree is None:
        tree = predicted.tree(options, rows, threads)
        tree = tree if as_grown else _root_of(tree)
    if rows is not None:
        tree = _recounted(tree, predicted)
    forest = Forest(name, attribute.categories, inputs, (tree,), options.described())
    return ValueClusters(attribute, forest, dict(siblings_of(tree)))


def _root_of(tree: Tree) -> Tree:
    """The tree without its tests."""
    return replace(
        tree,
        attribute=np.full(1, LEAF, np.int32),
        threshold=np.full(1, np.nan),
        branch_start=np.zeros(2, np.int64),
        branches=np.zeros(0, np.int32),
        missing_to=np.full(1, LEAF, np.int32),
        counts=tree.counts[:1],
        label=tree.label[:1],
    )


def _recounted(tree: Tree, predicted: PredictedAttribute) -> Tree:
    """The tree with the counts and majorities of all records, each in one leaf."""
    codes, width = predicted.codes, len(predicted.attribute.categories)
    known = codes >= 0
    place = predicted.leaf_of(tree)[known].astype(np.int64) * width + codes[known]
    counts = np.bincount(place, minlength=len(tree) * width).reshape(-1, width).astype(np.float64)
    for parent, child in reversed(list(tree.edges())):
        counts[parent] += counts[child]
    label = np.where(counts.any(axis=1), np.argmax(counts, axis=1), tree.label)
    return replace(tree, counts=counts, label=label.astype(np.int32))


def _inputs(table: Table) -> tuple[Attribute, ...]:
    """Every attribute that a tree can test, the natural classes among them."""
    natural = (
        a if a.response else Attribute(a.name, "categorical", categories=label_names(a))
        for a in table.schema.classes
    )
    return (*table.schema.inputs, *natural)


def siblings_of(tree: Tree) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Leaf and its sibling leaves that hold records."""
    weight = tree.counts.sum(axis=1)
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        children = dict.fromkeys(tree.branches_of(node).tolist())
        leaves = [child for child in children if tree.attribute[child] == LEAF]
        for leaf in leaves:
            yield leaf, tuple(other for other in leaves if other != leaf and weight[other] > 0)


def similarities(clusters: ValueClusters) -> list[Similarity]:
    """Pairs of similar values, first inside leaves, then between siblings; the most similar first in each."""
    tree, names = clusters.tree, clusters.attribute.categories
    inside = [s for leaf in tree.leaves.tolist() for s in _pairs(tree.counts[leaf], (leaf,), names)]
    between: list[Similarity] = []
    for leaf, siblings in clusters.siblings.items():
        for other in (s for s in siblings if s > leaf and tree.label[s] != tree.label[leaf]):
            majorities = np.zeros(len(names))
            for member in (leaf, other):
                majorities[tree.label[member]] += tree.counts[member, tree.label[member]]
            between += _pairs(majorities, (leaf, other), names)
    return sorted(inside, key=lambda s: -s.product) + sorted(between, key=lambda s: -s.product)


def _pairs(counts: Floats, leaves: tuple[int, ...], names: tuple[str, ...]) -> Iterator[Similarity]:
    total = float(counts.sum())
    for a, b in combinations(np.flatnonzero(counts > 0).tolist(), 2):
        product = float(counts[a] * counts[b])
        yield Similarity((names[a], names[b]), leaves, product, product / total**2)


def leaves_at(tree: Tree, weight: float) -> Integers:
    """For every node, where its records are after the cut: an ancestor that became a leaf, or the node itself."""
    at = np.arange(len(tree))
    cut = _taken_out(tree, weight)
    for parent, child in tree.edges():
        if cut[parent]:
            at[child] = at[parent]
    return at


def _taken_out(tree: Tree, weight: float) -> Flags:
    """Which tests go; all that are below one that goes are among them."""
    tests = np.flatnonzero(tree.attribute != LEAF)
    cut = np.zeros(len(tree), bool)
    if weight <= 0:
        cut[tests] = True
    if weight <= 0 or weight >= 1 or not len(tests):
        return cut
    parent, child = np.array(list(tree.edges())).T
    entropy = _entropy(tree.counts)
    # Explained by each test alone (rounding must not make it negative), and by all that are below it as well.
    own = np.maximum(entropy - np.bincount(parent, entropy[child], minlength=len(tree)), 0.0)
    own[tree.attribute == LEAF] = 0
    below = own.copy()
    for upper, lower in zip(parent[::-1].tolist(), child[::-1].tolist(), strict=True):
        below[upper] += below[lower]
    # Of equal ones the later number goes first: nodes are numbered in preorder, so a child before its parent.
    order = tests[np.lexsort((-tests, below[tests]))]
    cut[order[np.cumsum(own[order]) <= (1 - weight) * own.sum()]] = True
    return cut


def _entropy(counts: Floats) -> Floats:
    """Bits needed for the classes of all records of every node."""
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.ones_like(counts), where=counts > 0)
    return np.asarray(-(counts * np.log2(share)).sum(axis=1))

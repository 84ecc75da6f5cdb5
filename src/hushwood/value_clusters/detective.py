"""DETECTIVE: which values of a categorical attribute are alike, and among which records (thesis 6.4).

A tree is grown with the attribute as its class. Values that share a heterogeneous leaf are similar there; the
majority values of sibling leaves are similar, more weakly, in their union.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, class_labels, label_columns
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.grow import GrowOptions, grow_tree
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.training import MOST_BRANCHES, TrainingSet
from hushwood.value_clusters.protocol import Columns, Sibling


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
    table: Table, name: str, options: GrowOptions, threads: int | None = None
) -> ValueClusters | None:
    """Cluster the values of one categorical attribute; None if it has too many or only one of them."""
    attribute = next((a for a in _inputs(table) if a.name == name), table.schema[name])
    columns = label_columns(table.schema, table.columns)
    codes = np.asarray(columns[name])
    if len(attribute.categories) > MOST_BRANCHES or len(np.unique(codes[codes >= 0])) < 2:
        return None
    inputs = tuple(a for a in _inputs(table) if a.name != name and len(a.categories) <= MOST_BRANCHES)
    training = TrainingSet.from_columns(
        inputs, [columns[a.name] for a in inputs], codes, attribute.categories
    )
    tree = grow_tree(training, options, threads)
    forest = Forest(name, attribute.categories, inputs, (tree,), options.described())
    return ValueClusters(attribute, forest, dict(siblings_of(tree)))


@dataclass(frozen=True, slots=True)
class LeafGroups:
    """For CAPT: the group of a record is its leaf in the attribute's own tree, by its node number."""

    clusters: ValueClusters
    schema: Schema

    @property
    def reads(self) -> tuple[str, ...]:
        """All attributes that the tree might have tested."""
        return tuple(a.name for a in self.clusters.forest.attributes)

    @property
    def siblings(self) -> dict[int, tuple[Sibling, ...]]:
        """Majority value and training weight of the siblings of every leaf."""
        tree = self.clusters.tree
        code, weight = tree.label.tolist(), tree.counts.sum(axis=1).tolist()
        return {
            leaf: tuple(Sibling(code[other], weight[other]) for other in others)
            for leaf, others in self.clusters.siblings.items()
        }

    def group_of(self, columns: Columns) -> NDArray[np.int64]:
        """The leaf of every record."""
        named = label_columns(self.schema, columns)
        return leaf_of_each(self.clusters.tree, self.clusters.forest, named).astype(np.int64)


def detective_groups(table: Table, attribute: str, options: GrowOptions) -> LeafGroups | None:
    """The leaves as groups; None where nothing predicts the attribute."""
    clusters = detective(table, attribute, options)
    return None if clusters is None or clusters.unrelated else LeafGroups(clusters, table.schema)


def _inputs(table: Table) -> tuple[Attribute, ...]:
    """Every attribute that a tree can test, the natural class among them."""
    natural = table.schema.class_attribute
    if natural is None:
        return table.schema.inputs
    labels = class_labels(table)[1]
    return (*table.schema.inputs, Attribute(natural.name, "categorical", categories=labels))


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


def _pairs(
    counts: NDArray[np.float64], leaves: tuple[int, ...], names: tuple[str, ...]
) -> Iterator[Similarity]:
    total = float(counts.sum())
    for a, b in combinations(np.flatnonzero(counts > 0).tolist(), 2):
        product = float(counts[a] * counts[b])
        yield Similarity((names[a], names[b]), leaves, product, product / total**2)

"""The tree that predicts a categorical attribute, whose leaves are clusters of its values, and whether anything does.

Values that share a heterogeneous leaf are similar there; the majority values of sibling leaves are similar, more
weakly, in their union (thesis 6.4). For EX-DETECTIVE a tree is cut back to a weight: 1 is the tree as grown, 0 its root
alone. The thesis asks for less pruning where an attribute weighs more; here tests are removed one by one, those that
explain the least entropy with all below them first, and the weight is the share of the explained entropy that must
stay. So a smaller weight only joins leaves of a larger one.

CAPT calls an attribute unrelated if nothing explains it (thesis 6.5). Pruning does not find that out: of thirty even
values C4.5 keeps large trees, because in a small leaf one value always leads by chance, and of a value that nine of ten
records share it keeps none. An attribute is related if chance does not explain its relation to one other column, or if
its tree makes fewer errors than the majority value (errata C12). Where the builder's pessimistic estimate leaves no
doubt of that, no other tree is grown; otherwise records that were held back decide.

The relation is tested with exact moments: the chi-square of the values by an input's values is compared with that of
all orders of the records: its mean and variance over them are known (Haldane 1940), and a gamma curve with both gives
the chance. Numbers are read in parts of about equally many records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, label_columns, label_names
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.grow import GrowOptions, grow_tree, grow_whole_tree
from hushwood.trees.routing import leaf_of_each
from hushwood.trees.training import MOST_BRANCHES, TrainingSet

NO_DOUBT = 1e-3  # that a leaf makes more errors than estimated; C4.5 prunes with 0.25
CHANCE = 0.1  # that a tree which knows nothing seems better than the majority
FEWEST = 50  # of fewer records too few can be held back; the tree stays
FOLDS, SPLIT = 5, 3
MOST_FOLDED = 2_500  # of more records every third is held back once: they are enough
_GOLDEN = (5**0.5 - 1) / 2
CHANCE_OF_RELATION = 1e-3  # that any of the inputs seems related to values that have nothing to do with them
PARTS = 8


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


@dataclass(frozen=True, slots=True)
class PredictedAttribute:
    """An attribute, the attributes that a tree may test, and their columns as trees see them."""

    attribute: Attribute
    inputs: tuple[Attribute, ...]
    columns: Mapping[str, Array]

    @property
    def codes(self) -> Integers:
        """The values to predict, -1 where missing."""
        return np.asarray(self.columns[self.attribute.name])

    def training(self, rows: Integers | None = None) -> TrainingSet:
        """All records or some, as a tree learns from them."""
        names = [self.attribute.name, *(a.name for a in self.inputs)]
        codes, *columns = [self.columns[n] if rows is None else self.columns[n][rows] for n in names]
        return TrainingSet.from_columns(self.inputs, columns, codes, self.attribute.categories)

    def tree(self, options: GrowOptions, rows: Integers | None = None, threads: int | None = None) -> Tree:
        """The tree grown on all records or on some."""
        return grow_tree(self.training(rows), options, threads)

    def related_tree(
        self, options: GrowOptions, rows: Integers | None = None, threads: int | None = None
    ) -> Tree | None:
        """The tree if the attribute is related to any input, else None.

        Where only the root would be left, because no test saves errors, nothing is taken out of the tree.
        """
        training = self.training(rows)
        tree = grow_tree(training, options, threads)
        if training.records >= FEWEST and related_to_any(training):
            return tree if len(tree) > 1 else grow_whole_tree(training, options, threads)
        return tree if self.explained_by(tree, options, rows, threads) else None

    def leaf_of(self, tree: Tree, rows: Integers | None = None) -> Codes:
        """The leaf that every record, or some, arrives in."""
        names = [a.name for a in self.inputs]
        columns = {n: self.columns[n] if rows is None else self.columns[n][rows] for n in names}
        forest = Forest(self.attribute.name, self.attribute.categories, self.inputs, (tree,))
        return leaf_of_each(tree, forest, columns)

    def explained_by(
        self, tree: Tree, options: GrowOptions, rows: Integers | None = None, threads: int | None = None
    ) -> bool:
        """Whether the tree, grown on all records or on some, makes fewer errors than the majority value."""
        if len(tree) == 1 or not self.inputs:
            return False
        records = tree.counts[0].sum()
        if records < FEWEST or _sure_errors(tree) < records - tree.counts[0].max():
            return True
        from scipy.special import betainc

        better, worse = self._held_out(tree, options, rows, threads)
        return better > 0 and float(betainc(better, worse + 1, 0.5)) <= CHANCE

    def _held_out(
        self, tree: Tree, options: GrowOptions, rows: Integers | None, threads: int | None
    ) -> tuple[int, int]:
        """Records held back that only trees predict, and those that only the majority of all records predicts."""
        codes = self.codes
        known = np.flatnonzero(codes >= 0) if rows is None else rows[codes[rows] >= 0]
        majority = int(np.argmax(tree.counts[0]))
        better = worse = 0
        for growing, tried in _parts(known):
            fewer = replace(options, min_leaf=max(1.0, options.min_leaf * len(growing) / len(known)))
            other = self.tree(fewer, growing, threads)
            found = other.label[self.leaf_of(other, tried)] == codes[tried]
            usual = codes[tried] == majority
            better += int((found & ~usual).sum())
            worse += int((usual & ~found).sum())
        return better, worse


def _parts(rows: Integers) -> Iterator[tuple[Integers, Integers]]:
    """The records to grow on and to try on: every fold once, or one split of a long table.

    The folds follow multiples of the golden ratio, so each gets its share of any stretch of a sorted table.
    """
    mixed = rows[np.argsort(np.modf(np.arange(len(rows)) * _GOLDEN)[0], kind="stable")]
    folds = np.array_split(mixed, FOLDS if len(rows) <= MOST_FOLDED else SPLIT)
    for tried in folds if len(rows) <= MOST_FOLDED else folds[:1]:
        others = [fold for fold in folds if fold is not tried]
        if len(tried):
            yield np.sort(np.concatenate(others)), tried


def _sure_errors(tree: Tree) -> float:
    """The errors of all leaves by C4.5's pessimistic estimate, at a confidence that chance does not reach."""
    from scipy.special import betaincinv

    counts = tree.counts[tree.leaves]
    weight = counts.sum(axis=1)
    right = counts.max(axis=1)
    weight, right = weight[right > 0], right[right > 0]
    return float((weight * betaincinv(weight - right + 1, right, 1 - NO_DOUBT)).sum())


def related_to_any(training: TrainingSet) -> bool:
    """Whether chance is an unlikely reason for the strongest relation to an input."""
    inputs = len(training.attributes)
    return any(chance_of_relation(_counts(training, a)) <= CHANCE_OF_RELATION / inputs for a in range(inputs))


def _counts(training: TrainingSet, a: int) -> Integers:
    """Records by values (or parts of numbers) of an input and by the values to predict; nothing is empty."""
    known = training.codes[a] >= 0
    codes, classes = training.codes[a][known].astype(np.int64), training.class_codes[known]
    values, width = training.values[a], len(training.classes)
    if values is not None and len(codes):
        records = np.bincount(codes, minlength=len(values))
        middle = np.cumsum(records) - records / 2
        codes = (middle * PARTS // len(codes)).astype(np.int64)[codes]
    rows = int(codes.max(initial=0)) + 1
    counts = np.bincount(codes * width + classes, minlength=rows * width).reshape(rows, width)
    return counts[counts.any(axis=1)][:, counts.any(axis=0)]


def chance_of_relation(counts: Integers) -> float:
    """The chance of at least this chi-square if the records have their values in any order."""
    from scipy.special import gammaincc

    if min(counts.shape) < 2 or counts.sum() < 4:
        return 1.0
    mean, variance = moments(counts.sum(axis=1), counts.sum(axis=0))
    if variance <= 0:
        return 1.0
    return float(gammaincc(mean**2 / variance, chi_square(counts) * mean / variance))


def chi_square(counts: Integers) -> float:
    """Pearson's statistic of a table without empty rows or columns."""
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    return float(((counts - expected) ** 2 / expected).sum())


def moments(rows: Integers, columns: Integers) -> tuple[float, float]:
    """Mean and variance of the chi-square over all orders of the records, which keep both totals."""
    n = float(rows.sum())
    (v1, w1), (v2, w2) = (
        ((k - 1) * (n - k) / (n - 1), (n * float((1 / total).sum()) - k * k) / (n - 2))
        for total in (rows, columns)
        for k in [len(total)]
    )
    mean = n / (n - 1) * (len(rows) - 1) * (len(columns) - 1)
    return mean, 2 * n / (n - 3) * (v1 - w1) * (v2 - w2) + n * n / (n - 1) * w1 * w2

"""Yes-or-no answers disguised by chance (Warner 1965; Du and Zhan 2003): unbiased shares, and trees grown on them.

The columns of a group are disguised together: with probability θ all answers are true, else all are the opposite. The
trees are ID3 on shares estimated as if undisguised: at a node below the tests E, the shares P(E and A = v and C = c);
negative ones count as 0, and a branch without any share is empty. The technique is `techniques.warner`; `frequencies`
estimates the share of a single column.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Floats
from hushwood.errors import InputError, unknown_name
from hushwood.tables.table import Table
from hushwood.techniques.warner import checked_truth
from hushwood.trees.c45.nodes import GrownNodes, choose, collapse, finished_tree
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.options import GrowOptions

Literals = Mapping[int, int]  # column -> the code required of it, in a conjunction
_MOST_PACKED = 62  # columns that fit one whole number, one bit each
_UNDISGUISED = -1
_BRANCHES = 2
_BARRED = -1.0


class Share(NamedTuple):
    """An estimated share of the records, and its standard error."""

    share: float
    error: float


@dataclass(frozen=True, slots=True)
class Disguise:
    """The truth with this probability (θ), else the opposite; decided once per group of columns.

    Without groups, all columns, the class included, are one group. Columns in no group are not disguised.
    """

    truth: float
    groups: tuple[tuple[str, ...], ...] | None = None

    def __post_init__(self) -> None:
        checked_truth(self.truth)
        names = [name for group in self.groups or () for name in group]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(f"A column can be in only one group; these are in several: {', '.join(twice)}.")

    def group_of(self, names: Sequence[str]) -> list[int]:
        """The group of every column; negative if it is not disguised."""
        if self.groups is None:
            return [0] * len(names)
        place = {name: number for number, group in enumerate(self.groups) for name in group}
        unknown = sorted(set(place) - set(names))
        if unknown:
            raise unknown_name("column of answers", unknown[0], names)
        return [place.get(name, _UNDISGUISED) for name in names]


@dataclass(frozen=True, slots=True)
class Answers:
    """Different records of disguised answers, how often each occurs, and the group of every column.

    `codes` are [column, record]; the columns are the inputs of the table and, last, its class if it has one. `total`
    counts all records, including those not held here.
    """

    names: tuple[str, ...]
    codes: NDArray[np.int8]
    counts: Floats
    group_of: tuple[int, ...]
    truth: float
    total: float

    @classmethod
    def of(cls, table: Table, disguise: Disguise, only: Collection[str] | None = None) -> Answers:
        """The answers of a table or of some of its columns; each must have two categories and no missing values."""
        target = table.schema.class_attribute
        known = [attribute.name for attribute in (*table.schema.inputs, *([target] if target else []))]
        group_of = dict(zip(known, disguise.group_of(known), strict=True))
        names = tuple(name for name in known if only is None or name in only)
        for name in names:
            _check(table, name)
        codes, counts = _different(np.array([table.columns[name] for name in names], np.int8))
        return cls(names, codes, counts, tuple(group_of[n] for n in names), disguise.truth, table.rows)

    def concerned(self, literals: Literals) -> Answers:
        """Only the records to which these literals, with any further ones, can give a nonzero weight."""
        held = np.flatnonzero(self.weights(literals))
        return replace(self, codes=self.codes[:, held], counts=self.counts[held])

    def weights(self, literals: Literals) -> Floats:
        """A number for every disguised record whose mean is 1 if the undisguised one meets all literals, else 0.

        The inverse of the disguise, [[θ, 1 - θ], [1 - θ, θ]] for every group involved, as a product over groups:
        θ/(2θ - 1) where all answers of the group are as required, -(1 - θ)/(2θ - 1) where all are the opposite.
        """
        asked = np.array([self.codes[column] == code for column, code in literals.items()])
        groups = np.array([self.group_of[column] for column in literals])
        weights = np.ones(self.codes.shape[1])
        for group in np.unique(groups).tolist():
            own = asked[groups == group]
            fulfilled, opposite = own.all(axis=0), ~own.any(axis=0)
            if group == _UNDISGUISED:
                weights *= fulfilled
            else:
                weights *= (self.truth * fulfilled - (1 - self.truth) * opposite) / (2 * self.truth - 1)
        return weights

    def share(self, weights: Floats) -> Share:
        """The mean of these weights, and its standard error."""
        mean = float(self.counts @ weights) / self.total
        spread = float(self.counts @ weights**2) / self.total - mean**2
        return Share(mean, float(np.sqrt(max(spread, 0.0) / self.total)))


def undisguised_share(table: Table, disguise: Disguise, where: Mapping[str, str]) -> Share:
    """An unbiased estimate of the share of records whose true answers are all as in `where`.

    P(E) = (θ P*(E) - (1 - θ) P*(E~)) / (2θ - 1), with E~ the opposite of every answer in E; the same for each group.
    The estimate can be below 0 or above 1 when the share is near 0 or 1.

    >>> import polars as pl
    >>> from hushwood.tables.reading import read_table
    >>> said = read_table(pl.DataFrame({"cheated": ["yes"] * 37 + ["no"] * 63}))
    >>> round(undisguised_share(said, Disguise(0.7), {"cheated": "yes"}).share, 3)
    0.175
    """
    answers = Answers.of(table, disguise, where)
    literals: dict[int, int] = {}
    for name, category in where.items():
        categories = table.schema[name].categories
        if name not in answers.names or category not in categories:
            raise InputError(
                f"Column {name!r} has no category {category!r}; it has {' and '.join(categories) or 'none'}."
            )
        literals[answers.names.index(name)] = categories.index(category)
    return answers.share(answers.weights(literals))


def _check(table: Table, name: str) -> None:
    attribute = table.schema[name]
    if attribute.kind != "categorical" or len(attribute.categories) != 2 or attribute.bins:
        raise InputError(
            f"Column {name!r} does not have exactly two categories; only yes-or-no answers can be undisguised. "
            "Drop the column, or give it the role 'ignored'."
        )
    if (table.columns[name] < 0).any():
        raise InputError(f"Column {name!r} has missing answers. Drop these records.")


def _different(codes: NDArray[np.int8]) -> tuple[NDArray[np.int8], Floats]:
    """The different records and how often each occurs."""
    if len(codes) > _MOST_PACKED:
        return codes, np.ones(codes.shape[1])
    packed = (codes.astype(np.int64) << np.arange(len(codes))[:, None]).sum(axis=0)
    _, first, counts = np.unique(packed, return_index=True, return_counts=True)
    return codes[:, first], counts.astype(float)


@dataclass(frozen=True, slots=True)
class _DisguisedNode:
    """The tests above a node (column -> required code), the answers that matter there, and records per class."""

    path: dict[int, int]
    answers: Answers
    counts: Floats

    @staticmethod
    def below(path: dict[int, int], answers: Answers) -> _DisguisedNode:
        """With the estimated undisguised records of every class; all 0 if their sum is not above 0."""
        answers = answers.concerned(path)
        target = len(answers.names) - 1
        weights = np.array([answers.weights({**path, target: code}) for code in range(_BRANCHES)])
        counts = weights @ answers.counts
        return _DisguisedNode(
            path, answers, np.maximum(counts, 0.0) if counts.sum() > 0 else np.zeros(_BRANCHES)
        )


def disguised_tree(
    table: Table,
    disguise: Disguise,
    *,
    criterion: str = "information_gain",
    min_leaf: float = 2,
    max_depth: int | None = None,
    significance: float = 0.05,
) -> Forest:
    """A forest of one tree for undisguised records, learnt from disguised ones (their class is disguised too).

    A test must be significant at this level, shared among the columns, given both sampling and disguise; 1 demands
    nothing. Subtrees that save no error are cut, as C4.5 does.

    >>> import polars as pl
    >>> from hushwood.tables.reading import read_table
    >>> said = {"a": ["n", "n", "y", "y"] * 50, "b": ["n", "y", "n", "y"] * 50, "ill": ["n", "n", "y", "y"] * 50}
    >>> forest = disguised_tree(read_table(pl.DataFrame(said), target="ill"), Disguise(0.9))
    >>> [forest.attributes[a].name for a in forest.trees[0].attribute if a >= 0]
    ['a']
    """
    if not 0 < significance <= 1:
        raise InputError(f"significance must be above 0 and at most 1, not {significance:g}.")
    target = table.schema.class_attribute
    if target is None:
        raise InputError("No class column is set. Name it with target=.")
    options = GrowOptions(criterion=criterion, min_leaf=min_leaf, max_depth=max_depth, prune=False)
    answers = Answers.of(table, disguise)
    tree = _grow(answers, options, significance)
    grown = {**options.described(), "rows": int(answers.total), "truth": disguise.truth}
    return Forest(target.name, target.categories, table.schema.inputs, (tree,), grown)


def disguised_accuracy(forest: Forest, table: Table, disguise: Disguise) -> Share:
    """The share of undisguised records that the tree would classify correctly, estimated from disguised ones.

    Summed over leaves: the undisguised share of records that reach the leaf and have its class.
    """
    tested = {
        forest.attributes[a].name: forest.attributes[a].categories
        for a in forest.trees[0].attribute
        if a != LEAF
    }
    for name, categories in {**tested, forest.class_name: forest.classes}.items():
        if table.schema[name].categories != categories:
            raise InputError(
                f"Column {name!r} has the categories {', '.join(table.schema[name].categories)}, "
                f"but the tree was learnt from {', '.join(categories)}. Code them in the same way."
            )
    answers = Answers.of(table, disguise, {*tested, forest.class_name})
    place = {name: column for column, name in enumerate(answers.names)}
    column_of = [place.get(attribute.name, LEAF) for attribute in forest.attributes]
    tree, right = forest.trees[0], np.zeros(len(answers.counts))
    for leaf, path in _paths(tree):
        literals = {column_of[attribute]: code for attribute, code in path.items()}
        right += answers.weights({**literals, place[forest.class_name]: int(tree.label[leaf])})
    return answers.share(right)


def _grow(answers: Answers, options: GrowOptions, significance: float) -> Tree:
    """Nodes level by level, then collapsed and put in order."""
    inputs = len(answers.names) - 1
    attribute: list[int] = []
    first_child: list[int] = []
    nodes = [_DisguisedNode.below({}, answers)]
    for node in nodes:  # grows while it is read: children follow all nodes of their parent's level
        chosen = _test(node, options, significance)
        attribute.append(chosen)
        first_child.append(len(nodes))
        if chosen != LEAF:
            nodes += [
                _DisguisedNode.below({**node.path, chosen: code}, node.answers) for code in range(_BRANCHES)
            ]
    tests = np.array(attribute, np.int64)
    blank = np.full(len(tests), np.nan)
    grown = GrownNodes(
        tests,
        np.full(len(tests), LEAF, np.int64),
        blank,
        np.array(first_child, np.int64),
        np.stack([node.counts for node in nodes]),
        np.zeros(len(tests), bool),
    )
    branches = np.where(tests == LEAF, 0, _BRANCHES)
    return finished_tree(collapse(grown, branches, options), np.full(inputs, _BRANCHES), options)


def _test(node: _DisguisedNode, options: GrowOptions, significance: float) -> int:
    """The column that a node tests, or LEAF."""
    answers, total = node.answers, node.counts.sum()
    deep = options.max_depth is not None and len(node.path) >= options.max_depth
    slack = options.constants.slack
    free = [column for column in range(len(answers.names) - 1) if column not in node.path]
    if not free or deep or total - node.counts.max() <= slack or total < 2 * options.min_leaf - slack:
        return LEAF
    level = significance / len(free) if significance < 1 else 1.0
    gain, info = np.full((len(answers.names) - 1, 1), _BARRED), np.zeros((len(answers.names) - 1, 1))
    for column in free:
        weights = _cells(answers, node.path, column)
        cells = np.maximum(weights @ answers.counts, 0.0)
        large = (cells.sum(axis=1) >= options.min_leaf - slack).all()
        if large and _significant(answers, weights, level):
            gain[column], info[column] = _gain(node.counts, cells, options.criterion)
    return int(choose(gain, info, np.ones(len(gain), bool), options)[0])


def _cells(answers: Answers, path: dict[int, int], column: int) -> Floats:
    """Weights of every record for the four cells of a column and the class, as [code, class, record]."""
    target = len(answers.names) - 1
    return np.array(
        [
            [answers.weights({**path, column: code, target: label}) for label in range(_BRANCHES)]
            for code in range(_BRANCHES)
        ]
    )


def _gain(counts: Floats, cells: Floats, criterion: str) -> tuple[float, float]:
    """What a test saves per record, and the information of the split itself."""
    sizes = cells.sum(axis=1)
    after = float(sizes @ [_impurity(cell, criterion) for cell in cells]) / float(sizes.sum())
    # Rounded, so that a test that saves nothing is not rejected for a last bit below 0.
    return round(_impurity(counts, criterion) - after, 12), _impurity(sizes, "information_gain")


def _impurity(counts: Floats, criterion: str) -> float:
    shares = counts / counts.sum()
    if criterion == "gini":
        return float(1.0 - shares @ shares)
    return float(-(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum())


def _significant(answers: Answers, weights: Floats, level: float) -> bool:
    """Whether column and class depend on each other at the node, by Wald's test of P₁₁P₀₀ = P₁₀P₀₁.

    The variance is that of the estimates themselves, so it includes both sampling and disguise; without a disguise
    this is the test that stops ID3.
    """
    from scipy.special import ndtri

    if level >= 1:
        return True
    cell = weights @ answers.counts / answers.total
    apart = cell[1, 1] * cell[0, 0] - cell[1, 0] * cell[0, 1]
    influence = (
        cell[0, 0] * weights[1, 1]
        + cell[1, 1] * weights[0, 0]
        - cell[0, 1] * weights[1, 0]
        - cell[1, 0] * weights[0, 1]
    )
    error = answers.share(influence).error
    return bool(abs(apart) > float(-ndtri(level / 2)) * error)


def _paths(tree: Tree) -> Iterator[tuple[int, dict[int, int]]]:
    """Every leaf with the codes that lead to it."""
    waiting: list[tuple[int, dict[int, int]]] = [(0, {})]
    while waiting:
        node, path = waiting.pop()
        attribute = int(tree.attribute[node])
        if attribute == LEAF:
            yield node, path
            continue
        for code, child in enumerate(tree.branches_of(node).tolist()):
            waiting.append((child, {**path, attribute: code}))

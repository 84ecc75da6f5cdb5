"""Du and Zhan's trees (2003): ID3 on disguised yes-or-no answers, with shares estimated as if undisguised.

At a node below the tests E, the shares P(E and A = v and C = c) come from `disguised_answers`; negative ones count as
0, and a branch without any share is empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.reconstruction.disguised_answers import Answers, Disguise, Share
from hushwood.tables.table import Table
from hushwood.trees.c45.nodes import GrownNodes, choose, collapse, finished_tree
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.options import GrowOptions

_BRANCHES = 2
_BARRED = -1.0


@dataclass(frozen=True, slots=True)
class _Node:
    """The tests above a node (column -> required code), the answers that matter there, and records per class."""

    path: dict[int, int]
    answers: Answers
    counts: Floats

    @staticmethod
    def below(path: dict[int, int], answers: Answers) -> _Node:
        """With the estimated undisguised records of every class; all 0 if their sum is not above 0."""
        answers = answers.concerned(path)
        target = len(answers.names) - 1
        weights = np.array([answers.weights({**path, target: code}) for code in range(_BRANCHES)])
        counts = weights @ answers.counts
        return _Node(path, answers, np.maximum(counts, 0.0) if counts.sum() > 0 else np.zeros(_BRANCHES))


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
    nodes = [_Node.below({}, answers)]
    for node in nodes:  # grows while it is read: children follow all nodes of their parent's level
        chosen = _test(node, options, significance)
        attribute.append(chosen)
        first_child.append(len(nodes))
        if chosen != LEAF:
            nodes += [_Node.below({**node.path, chosen: code}, node.answers) for code in range(_BRANCHES)]
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


def _test(node: _Node, options: GrowOptions, significance: float) -> int:
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

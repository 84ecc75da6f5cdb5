"""Others rebuild the published tree too: scikit-learn parts the records of a release as it parts the original ones.

Ties, where it draws, and releases with barred expansions, which it cannot know of, are left out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from hushwood.arrays import Array, Floats, Integers
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import publish
from hushwood.trees.forest import LEAF, Tree
from hushwood.trees.routing import leaf_of_each
from support.mixed_tables import number, table_of, target

SKLEARN_NAMES = {"information_gain": "entropy", "gini": "gini", "variance": "squared_error"}
TABLES = 220
COLUMNS = ("a", "b", "c", "d")
TIE = 1e-9


class Plan(NamedTuple):
    """How a tree is grown, as far as scikit-learn must know."""

    criterion: str
    leaves: int
    min_leaf: int


@pytest.mark.parametrize("criterion", sorted(SKLEARN_NAMES))
def test_sklearn_parts_released_records_as_original_ones(criterion: str) -> None:
    cases = same = as_published = 0
    for seed in range(TABLES):
        matrix, response, precision = drawn(seed, criterion)
        options = wishes(seed, criterion)
        out = publish(product_table(matrix, response, precision, criterion), options)
        tree = out.forest.trees[0]
        plan = Plan(criterion, len(tree.leaves), options.min_leaf)
        leaves = leaf_of_each(tree, out.forest, dict(zip(COLUMNS, matrix.T, strict=False)))
        if out.barred or plan.leaves < 2 or tied(matrix, response, tree, leaves, plan):
            continue
        released = np.column_stack([out.table.columns[name] for name in COLUMNS[: matrix.shape[1]]])
        before, after = (parts(columns, response, plan) for columns in (matrix, released))
        cases += 1
        same += equal_partitions(before, after)
        as_published += equal_partitions(after, leaves)
    assert cases >= 110, cases
    assert same >= 0.99 * cases, f"{same} of {cases}"
    assert as_published >= 0.99 * cases, f"{as_published} of {cases} as published"


def drawn(seed: int, criterion: str) -> tuple[Floats, Floats, int]:
    """Values that survive single precision, so spread that ties are rare, and a response that two of them tell of."""
    chance = np.random.default_rng(seed)
    rows, columns, precision = (
        int(chance.integers(40, 140)),
        int(chance.integers(2, 5)),
        int(chance.choice([0, 3])),
    )
    matrix = np.rint(chance.normal(0, 1, (rows, columns)) * 1500) / 10**precision
    signal = np.sign(matrix[:, 0]) + (matrix[:, 1] > np.median(matrix[:, 1])) + chance.normal(0, 1, rows)
    if criterion == "variance":
        return matrix, np.round(signal, 4), precision
    cuts = np.quantile(signal, [0.5] if seed % 3 else [0.3, 0.7])
    return matrix, np.searchsorted(cuts, signal).astype(float), precision


def wishes(seed: int, criterion: str) -> PublishOptions:
    chance = np.random.default_rng([seed, 1])
    return PublishOptions(
        k=int(chance.integers(1, 4)),
        min_leaf=int(chance.integers(3, 8)),
        max_leaves=int(chance.integers(2, 6)),
        trees=(TreePlan(criterion),),
        mode=("anchored", "delta")[seed % 2],
        threads=1,
    )


def product_table(matrix: Floats, response: Floats, precision: int, criterion: str) -> Table:
    columns = {
        name: (number(name, values.min(), values.max(), precision), values.tolist())
        for name, values in zip(COLUMNS, matrix.T, strict=False)
    }
    goal = target("y", ["no", "yes", "perhaps"][: int(response.max()) + 1])
    if criterion == "variance":
        goal = Attribute("y", "numeric", "class", low=response.min(), high=response.max(), precision=4)
    return table_of({**columns, "y": (goal, response.tolist())})


def parts(matrix: Floats, response: Floats, plan: Plan) -> Integers:
    """The leaf that scikit-learn puts every record into."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeRegressor if plan.criterion == "variance" else DecisionTreeClassifier
    tree = kind(
        criterion=SKLEARN_NAMES[plan.criterion],
        max_leaf_nodes=plan.leaves,
        min_samples_leaf=plan.min_leaf,
        random_state=0,
    )
    return np.asarray(tree.fit(matrix, response).apply(matrix))


def equal_partitions(one: Array, other: Array) -> bool:
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))


def tied(matrix: Floats, response: Floats, tree: Tree, leaves: Array, plan: Plan) -> bool:
    """Whether two partitions of an inner node are equally good, or two nodes equally worth splitting."""
    worths = []
    for at in range(len(tree)):
        rows = np.isin(leaves, below(tree, at))
        best, partitions = best_partitions(matrix[rows], response[rows], plan)
        if partitions > 1 and tree.attribute[at] != LEAF:
            return True
        worths += [best] if partitions else []
    return bool((np.diff(np.sort(worths)) < TIE).any())


def below(tree: Tree, at: int) -> list[int]:
    """The leaves under a node."""
    reached = [at]
    for node in reached:
        reached += dict.fromkeys(tree.branches_of(node).tolist())
    return [node for node in reached if tree.attribute[node] == LEAF]


def best_partitions(matrix: Floats, response: Floats, plan: Plan) -> tuple[float, int]:
    """The most that a cut of any column gains over all records of the node, and how many partitions reach it."""
    found = []
    for values in matrix.T:
        order = np.argsort(values, kind="stable")
        cuts = np.flatnonzero(np.diff(values[order]) > 0) + 1
        cuts = cuts[(cuts >= plan.min_leaf) & (cuts <= len(values) - plan.min_leaf)]
        gains = all_gains(response[order], plan.criterion)[cuts - 1]
        found += [(gain, order, cut) for gain, cut in zip(gains.tolist(), cuts.tolist(), strict=True)]
    best = max((gain for gain, _, _ in found), default=0.0)
    if best < TIE:
        return 0.0, 0
    ends = [(order[:cut], order[cut:]) for gain, order, cut in found if gain > best - TIE]
    return best, len({frozenset((frozenset(low.tolist()), frozenset(high.tolist()))) for low, high in ends})


def all_gains(response: Floats, criterion: str) -> Floats:
    """How much impurity is lost by cutting behind each record but the last, times the records."""
    low, high = impurities(response, criterion), impurities(response[::-1], criterion)[::-1]
    return np.asarray(low[-1] - low[:-1] - high[1:])


def impurities(response: Floats, criterion: str) -> Floats:
    """Impurity of the first records, the first two, the first three, ..., times how many they are."""
    many = np.arange(1, len(response) + 1)
    if criterion == "variance":
        away = response - response.mean()
        return np.asarray(np.cumsum(away**2) - np.cumsum(away) ** 2 / many)
    counts = np.cumsum(response[:, None] == np.arange(3), axis=0)
    if criterion == "gini":
        return np.asarray(many - (counts**2).sum(axis=1) / many)
    return np.asarray(many * np.log2(many) - (counts * np.log2(np.maximum(counts, 1))).sum(axis=1))

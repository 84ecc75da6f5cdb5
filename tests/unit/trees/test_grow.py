from __future__ import annotations

from collections import Counter
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from hushwood.sklearn import C45Classifier, SysForClassifier
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.grow import (
    GrowOptions,
    grow_forest,
    grow_tree,
    grow_whole_tree,
    importances,
    information_won,
)
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.options import SysForOptions
from hushwood.trees.training import TrainingSet
from oracles import random_tables, sysfor
from oracles.c45 import grow_nodes
from oracles.c45_splits import Options
from oracles.small_table import Column, Table
from support.mixed_tables import category
from support.seeds import blocks, first_to_last, named
from support.training_tables import assert_same_nodes, attributes_of, class_codes_of, columns_of


def product_nodes(table: Table, options: Options) -> list[dict[str, Any]]:
    """The nodes of the product's tree."""
    attributes = attributes_of(table)
    training = TrainingSet.from_columns(attributes, columns_of(table), class_codes_of(table), table.classes)
    tree = grow_tree(training, GrowOptions(**options._asdict()))
    nodes: list[dict[str, Any]] = forest_to_json(Forest("class", table.classes, attributes, (tree,), {}))[
        "trees"
    ][0]["nodes"]
    return nodes


def assert_like_the_oracle(table: Table, options: Options) -> None:
    assert_same_nodes(product_nodes(table, options), grow_nodes(table, options))


@pytest.mark.parametrize("criterion", ["gain_ratio", "information_gain", "gini"])
@pytest.mark.parametrize("variant", ["c45", "j48"])
@pytest.mark.parametrize("seeds", blocks(range(320)), ids=first_to_last)
def test_small_random_tables(seeds: list[int], variant: Any, criterion: Any) -> None:
    for seed in seeds:
        table, options = random_tables.seeded_case(seed)
        with named(seed):
            assert_like_the_oracle(table, options._replace(variant=variant, criterion=criterion))


@pytest.mark.parametrize("variant", ["c45", "j48"])
def test_minimum_leaf_above_the_limit_of_25_a_side(variant: Any) -> None:
    for seed in range(20):
        table, options = random_tables.seeded_large_case(seed)
        with named(seed):
            assert_like_the_oracle(table, options._replace(variant=variant))


@settings(max_examples=100)
@given(random_tables.cases())
def test_any_table(case: random_tables.Case) -> None:
    assert_like_the_oracle(*case)


def test_the_order_of_the_rows_does_not_matter() -> None:
    for seed in range(20):
        table, options = random_tables.seeded_case(seed)
        order = np.random.default_rng(seed).permutation(len(table.rows)).tolist()
        turned = table._replace(
            rows=tuple(table.rows[i] for i in order), labels=tuple(table.labels[i] for i in order)
        )
        with named(seed):
            assert_same_nodes(product_nodes(turned, options), product_nodes(table, options))


@pytest.mark.parametrize("variant", ["c45", "see5", "j48"])
def test_a_whole_tree_keeps_tests_that_save_no_errors(variant: Any) -> None:
    """Both parts of x have more of class a; pruned, one leaf is left."""
    x, labels = np.repeat([0, 1, 1], [50, 40, 10]), np.repeat([0, 0, 1], [50, 40, 10])
    training = TrainingSet.from_columns([category("x", "01")], [x], labels, "ab")
    options = GrowOptions(variant)
    assert grow_tree(training, options).counts.tolist() == [[90, 10]]
    assert grow_whole_tree(training, options).counts.tolist() == [[90, 10], [50, 0], [40, 10]]


LIMITS = (
    sysfor.SysForOptions(),
    sysfor.SysForOptions(trees=8, goodness=0.5),
    sysfor.SysForOptions(trees=12, goodness=1.0, separation=0.1, minimum_gain_ratio=0.0),
    sysfor.SysForOptions(trees=8, deduplicate=False),
)


def product_trees(table: Table, options: Options, limits: sysfor.SysForOptions) -> list[list[dict[str, Any]]]:
    """The nodes of every tree of the product's forest."""
    attributes = attributes_of(table)
    training = TrainingSet.from_columns(attributes, columns_of(table), class_codes_of(table), table.classes)
    trees = grow_forest(training, GrowOptions(**options._asdict()), SysForOptions(**limits._asdict()))
    forest = forest_to_json(Forest("class", table.classes, attributes, trees, {}))
    return [tree["nodes"] for tree in forest["trees"]]


def assert_like_the_oracle_sysfor(table: Table, options: Options, limits: sysfor.SysForOptions) -> None:
    # A forced test stands even below the greatest depth, so only depths that leave room are compared.
    options = options._replace(max_depth=None if options.max_depth in {None, 1} else options.max_depth)
    wanted = sysfor.grow_forest(table, options, limits)
    found = product_trees(table, options, limits)
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted, strict=True):
        assert_same_nodes(ours, theirs)


@pytest.mark.parametrize("limits", LIMITS)
def test_small_random_tables_sysfor(limits: sysfor.SysForOptions) -> None:
    for seed in range(1000, 1100):
        with named(seed):
            assert_like_the_oracle_sysfor(*random_tables.seeded_case(seed), limits)


@settings(max_examples=50)
@given(random_tables.cases())
def test_any_table_sysfor(case: random_tables.Case) -> None:
    assert_like_the_oracle_sysfor(*case, LIMITS[1])


def test_two_good_attributes_give_two_roots() -> None:
    rows = [(float(x), float(x % 2)) for x in range(8)]
    table = Table(
        (Column("size"), Column("odd", ("no", "yes"))),
        tuple(rows * 3),
        tuple(int(x >= 4 and odd == 1) for x, odd in rows * 3),
        ("low", "high"),
    )
    trees = product_trees(table, Options(), sysfor.SysForOptions(trees=2, separation=1.0))
    assert [nodes[0]["test"]["attribute"] for nodes in trees] == ["size", "odd"]


def entropy(labels: list[int]) -> float:
    """Bits, of all labels together."""
    counts = Counter(labels).values()
    return -sum(count * log2(count / len(labels)) for count in counts)


def won_by_hand(tree: Tree, rows: list[list[float]], labels: list[int]) -> list[float]:
    """Every record walks down; at every node the bits before and after its test are compared."""
    at: dict[int, list[int]] = {}
    for row, label in zip(rows, labels, strict=True):
        node = 0
        at.setdefault(0, []).append(label)
        while tree.attribute[node] != LEAF:
            below, above = tree.branches_of(node).tolist()
            node = below if row[tree.attribute[node]] <= tree.threshold[node] else above
            at.setdefault(node, []).append(label)
    won = [0.0] * len(rows[0])
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        children = {child for child in tree.branches_of(node).tolist() if child in at}
        won[tree.attribute[node]] += entropy(at[node]) - sum(entropy(at[child]) for child in children)
    return won


@pytest.mark.parametrize("seed", range(5))
def test_information_is_that_of_the_records_at_every_node(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 6, (80, 3)).astype(float).tolist()
    labels = rng.integers(0, 3, 80).tolist()
    tree = C45Classifier(prune=False, min_leaf=1).fit(rows, labels).forest_.trees[0]
    assert information_won(tree, 3) == pytest.approx(won_by_hand(tree, rows, labels), abs=1e-9)


def test_the_only_feature_that_matters_has_all_of_it() -> None:
    rows = [[1, 5], [2, 5], [3, 5], [4, 5]]
    assert C45Classifier().fit(rows, [0, 0, 1, 1]).feature_importances_.tolist() == [1.0, 0.0]


def test_trees_count_alike_and_shares_sum_to_1() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(300, 4))
    forest = SysForClassifier(trees=3).fit(rows, rows[:, 0] + rows[:, 1] > 0).forest_
    apart = [information_won(tree, 4) for tree in forest.trees]
    expected = np.mean([one / one.sum() for one in apart], axis=0)
    assert importances(forest) == pytest.approx(expected)
    assert importances(forest).sum() == pytest.approx(1)


def test_a_tree_without_a_test_gives_no_shares() -> None:
    assert C45Classifier().fit([[1], [1]], [0, 1]).feature_importances_.tolist() == [0.0]

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from hushwood.trees.forest import Forest
from hushwood.trees.grow import GrowOptions, grow_tree, grow_whole_tree
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.training import TrainingSet
from oracles import random_tables
from oracles.c45 import grow_nodes
from oracles.c45_splits import Options
from oracles.small_table import Table
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

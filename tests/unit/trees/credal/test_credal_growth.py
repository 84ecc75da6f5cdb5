"""Credal trees and forests: worked out by hand, and equal to a slow recursive implementation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from hushwood.trees.forest import Forest
from hushwood.trees.grow import GrowOptions, grow_forest, grow_tree
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.options import SysForOptions
from hushwood.trees.training import TrainingSet
from oracles import credal, random_tables
from oracles.c45_splits import Options
from oracles.small_table import Column, Table
from support.seeds import blocks, first_to_last, named
from support.training_tables import assert_same_nodes, attributes_of, class_codes_of, columns_of

TREES = 4
SIDE = Column("side", ("left", "right"))


def product_forests(table: Table, options: Options, trees: int = TREES) -> list[list[list[dict[str, Any]]]]:
    """The nodes of the product's single tree, and those of the trees of its forest."""
    attributes = attributes_of(table)
    training = TrainingSet.from_columns(attributes, columns_of(table), class_codes_of(table), table.classes)
    shape = options.min_leaf, options.max_depth, options.thresholds
    grow = GrowOptions("credal", min_leaf=shape[0], max_depth=shape[1], thresholds=shape[2])
    forests = (grow_tree(training, grow),), grow_forest(training, grow, SysForOptions(trees=trees))
    written = [forest_to_json(Forest("class", table.classes, attributes, grown, {})) for grown in forests]
    return [[tree["nodes"] for tree in forest["trees"]] for forest in written]


def assert_like_the_oracle(table: Table, options: Options) -> None:
    options = options._replace(variant="c45")
    single, forest = product_forests(table, options)
    assert_same_nodes(single[0], credal.grow_nodes(table, options))
    # A forced root stands even at the greatest depth, so only depths that leave room are compared.
    if options.max_depth != 0:
        wanted = credal.grow_forest(table, options, TREES)
        assert len(forest) == len(wanted)
        for ours, theirs in zip(forest, wanted, strict=True):
            assert_same_nodes(ours, theirs)


@pytest.mark.parametrize("seeds", blocks(range(320)), ids=first_to_last)
def test_small_random_tables(seeds: list[int]) -> None:
    for seed in seeds:
        with named(seed):
            assert_like_the_oracle(*random_tables.seeded_case(seed))


@settings(max_examples=60)
@given(random_tables.cases())
def test_any_table(case: random_tables.Case) -> None:
    assert_like_the_oracle(*case)


def test_a_perfect_split_of_few_records_still_gains() -> None:
    # H* of (2, 2) is 1; a side of (2, 0) becomes (2, 1) of 3: 0.918 bits. The split gains 0.082.
    table = Table((SIDE,), ((0.0,), (0.0,), (1.0,), (1.0,)), (0, 0, 1, 1), ("a", "b"))
    single, forest = product_forests(table, Options(min_leaf=1))
    assert single == forest
    assert [node["counts"] for node in single[0]] == [[2, 2], [2, 0], [0, 2]]


def test_a_split_by_which_upper_entropy_rises_is_not_made() -> None:
    # All of one class but two: H* of (8, 2) + 1 is H(3/11) = 0.845. The split into (5, 1) and (3, 1) has
    # 0.6 · H(2/7) + 0.4 · H(2/5) = 0.906 > 0.845, where plain entropy falls from 0.722 to 0.715.
    rows = tuple((float(side),) for side in [0] * 6 + [1] * 4)
    labels = (0, 0, 0, 0, 0, 1, 0, 0, 0, 1)
    table = Table((SIDE,), rows, labels, ("a", "b"))
    single, forest = product_forests(table, Options(min_leaf=1))
    assert len(single[0]) == 1
    assert forest == []


def test_roots_are_the_best_attributes_in_turn() -> None:
    rows = [(float(x % 2), float(x), float(x % 4)) for x in range(16)] * 2
    table = Table(
        (Column("odd", ("no", "yes")), Column("size"), Column("rest", ("0", "1", "2", "3"))),
        tuple(rows),
        tuple(int(row[1] >= 8 and row[0] == 1) for row in rows),
        ("low", "high"),
    )
    _, forest = product_forests(table, Options())
    assert [nodes[0]["test"]["attribute"] for nodes in forest] == ["size", "odd", "rest"]


def test_the_order_of_the_rows_does_not_matter() -> None:
    for seed in range(10):
        table, options = random_tables.seeded_case(seed)
        order = np.random.default_rng(seed).permutation(len(table.rows)).tolist()
        turned = table._replace(
            rows=tuple(table.rows[i] for i in order), labels=tuple(table.labels[i] for i in order)
        )
        for ours, theirs in zip(
            product_forests(turned, options), product_forests(table, options), strict=True
        ):
            for one, other in zip(ours, theirs, strict=True):
                assert_same_nodes(one, other)

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from hushwood.trees.forest import Forest
from hushwood.trees.grow import GrowOptions, grow_forest
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.options import SysForOptions
from hushwood.trees.training import TrainingSet
from oracles import random_tables, sysfor
from oracles.c45_splits import Options
from oracles.small_table import Column, Table
from support.seeds import named
from support.training_tables import assert_same_nodes, attributes_of, class_codes_of, columns_of

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


def assert_like_the_oracle(table: Table, options: Options, limits: sysfor.SysForOptions) -> None:
    # A forced test stands even below the greatest depth, so only depths that leave room are compared.
    options = options._replace(max_depth=None if options.max_depth in {None, 1} else options.max_depth)
    wanted = sysfor.grow_forest(table, options, limits)
    found = product_trees(table, options, limits)
    assert len(found) == len(wanted)
    for ours, theirs in zip(found, wanted, strict=True):
        assert_same_nodes(ours, theirs)


@pytest.mark.parametrize("limits", LIMITS)
def test_small_random_tables(limits: sysfor.SysForOptions) -> None:
    for seed in range(1000, 1100):
        with named(seed):
            assert_like_the_oracle(*random_tables.seeded_case(seed), limits)


@settings(max_examples=50)
@given(random_tables.cases())
def test_any_table(case: random_tables.Case) -> None:
    assert_like_the_oracle(*case, LIMITS[1])


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

"""Grown trees as the published model: their numbers, tests, counts, and the way of both tables' records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing.growth import Growth
from hushwood.tree_publishing.intervals import Recoding
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import published_forest
from hushwood.tree_publishing.records import Records
from hushwood.tree_publishing.released import released_columns, released_table
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.model_file import forest_from_json, forest_to_json
from hushwood.trees.routing import leaf_of_each
from support.mixed_tables import category, number, table_of, target

PAY = Attribute("pay", "numeric", "class", low=0, high=99)


def modelled(table: Table, names: Sequence[str], leaves: int = 99, **options: Any) -> tuple[Forest, Table]:
    """One tree grown without any promise, and the table that goes with it."""
    wanted = PublishOptions(k=1, **options)
    records = Records.of(table, names)
    growth = Growth(records, wanted.trees[0].criterion, range(len(names)))
    recodings = {a: Recoding.untested(records.counts_of_values(a)) for a in range(len(names))}
    while len(growth.leaves()) < leaves and (leaf := growth.next_leaf()) is not None:
        best = growth.nodes[leaf].best
        assert best is not None
        recodings[best.attribute] = recodings[best.attribute].with_test(best, wanted.anchored)
        growth.split_node(leaf)
    for leaf in growth.leaves():
        growth.nodes[leaf].closed = growth.nodes[leaf].best is not None
    columns = released_columns(table, records, recodings, wanted.anchored, Streams(bytes(32)))
    return published_forest(table, records, [growth], columns, wanted), released_table(table, columns)


def ages(classes: str, *values: float) -> Table:
    known = sorted(set(classes))
    codes: list[float] = [known.index(c) for c in classes]
    return table_of({"age": (number("age", 0, 99), values), "y": (target("y", known), codes)})


def words(known: str, codes: Sequence[float], classes: Sequence[float]) -> Table:
    return table_of({"w": (category("w", known), codes), "y": (target("y", "ab"), classes)})


def children(tree: Tree, node: int = 0) -> list[int]:
    return [int(child) for child in tree.branches_of(node)]


def test_a_leaf_alone() -> None:
    forest, _ = modelled(ages("aab", 5, 5, 5), ["age"])
    (tree,) = forest.trees
    assert (len(tree), tree.counts.tolist(), tree.label.tolist()) == (1, [[2, 1]], [0])
    assert tree.closed == frozenset()


def test_nodes_are_numbered_in_preorder_not_as_they_were_made() -> None:
    """The root parts the last four from the rest; then the left child is split, before or after the right one."""
    forest, _ = modelled(ages("aabbaabb", 1, 2, 3, 4, 11, 12, 13, 14), ["age"])
    (tree,) = forest.trees
    for parent, child in tree.edges():
        assert child > parent
    inner = [node for node in range(len(tree)) if len(tree.branches_of(node))]
    assert all(children(tree, node)[0] == node + 1 for node in inner)
    assert tree.counts[0].tolist() == [4, 4]
    assert tree.counts[tree.leaves].sum(axis=0).tolist() == [4, 4]


@pytest.mark.parametrize(("thresholds", "threshold"), [("midpoint", 6.0), ("data", 2.0)])
def test_a_threshold_is_the_midpoint_or_the_largest_value_up_to_it(thresholds: str, threshold: float) -> None:
    forest, _ = modelled(ages("aabb", 1, 2, 10, 11), ["age"], thresholds=thresholds)
    (tree,) = forest.trees
    assert tree.threshold[0] == threshold
    assert np.isnan(tree.threshold[1:]).all()
    assert children(tree) == [1, 2]


def test_closed_leaves_are_told_by_their_published_numbers() -> None:
    """Two leaves of three are allowed: a, b and a again; the one that is still mixed is closed."""
    forest, _ = modelled(ages("aabba", 1, 2, 3, 4, 5), ["age"], leaves=2)
    (tree,) = forest.trees
    assert tree.counts.tolist() == [[3, 2], [2, 0], [1, 2]]
    assert tree.closed == frozenset({2})


def test_without_a_number_missing_values_go_with_the_larger_part() -> None:
    few, many = (modelled(ages(c, 1, 2, 3, 4), ["age"])[0].trees[0] for c in ("abbb", "aaab"))
    assert (few.missing_to.tolist(), many.missing_to.tolist()) == ([2, -1, -1], [1, -1, -1])


def test_a_set_of_values_has_a_branch_for_every_original_value_and_every_label() -> None:
    forest, _ = modelled(words("pqr", [0, 1, 2], [0, 1, 0]), ["w"])
    (tree,) = forest.trees
    assert forest.attributes[0].categories == ("p", "q", "r", "{p, r}")
    assert children(tree) == [1, 2, 1, 1]
    assert np.isnan(tree.threshold[0])
    assert forest.grown["labels"] == {"w": {"{p, r}": ["p", "r"]}}


def test_missing_categories_follow_their_own_branch_alone() -> None:
    forest, _ = modelled(words("pq", [0, 1, 1, -1], [0, 0, 0, 1]), ["w"])
    (tree,) = forest.trees
    assert tree.missing_to[0] == 2, "the smaller part"
    assert forest.attributes[0].categories == ("p", "q", "{p, q}", "missing")
    assert children(tree) == [1, 1, 1, 2], "every child is some category's"


def test_a_forest_with_missing_values_alone_can_be_written_and_read() -> None:
    forest, released = modelled(words("pq", [0, 1, 1, -1], [0, 0, 0, 1]), ["w"])
    again = forest_from_json(forest_to_json(forest))
    assert again.attributes[0].categories == forest.attributes[0].categories
    assert leaf_of_each(again.trees[0], again, released.columns).tolist() == [1, 1, 1, 2]


def test_missing_values_beside_a_category_called_missing() -> None:
    table = table_of(
        {"w": (category("w", ["p", "missing"]), [0, 1, -1]), "y": (target("y", "ab"), [0, 0, 1])}
    )
    forest, released = modelled(table, ["w"])
    assert forest.attributes[0].categories == ("p", "missing", "{p, missing}", "missing (no value)")
    assert leaf_of_each(forest.trees[0], forest, released.columns).tolist() == [1, 1, 2]


def test_missing_categories_follow_their_own_branch_merged() -> None:
    """r and the missing ones are of class b, and together the smaller part."""
    table = words("pqr", [0, 0, 1, 2, -1], [0, 0, 0, 1, 1])
    forest, released = modelled(table, ["w"])
    (tree,) = forest.trees
    assert forest.attributes[0].categories[-2:] == ("{p, q}", "{r, missing}")
    assert tree.missing_to[0] == 2
    assert leaf_of_each(tree, forest, table.columns).tolist() == [1, 1, 1, 2, 2]
    assert leaf_of_each(tree, forest, released.columns).tolist() == [1, 1, 1, 2, 2]


def test_original_and_released_records_end_in_the_same_leaves() -> None:
    chance = np.random.default_rng(8)
    columns: dict[str, Any] = {
        "x": (number("x", 0, 40), chance.integers(0, 40, 200).tolist()),
        "w": (category("w", "pqrstu"), chance.integers(-1, 6, 200).tolist()),
        "z": (number("z", 0, 1, None), chance.random(200).tolist()),
        "y": (target("y", "ab"), chance.integers(0, 2, 200).tolist()),
    }
    table = table_of(columns)
    for mode in ("anchored", "delta"):
        forest, released = modelled(table, ["x", "w", "z"], leaves=20, mode=mode)
        (tree,) = forest.trees
        leaves = leaf_of_each(tree, forest, table.columns)
        assert leaves.tolist() == leaf_of_each(tree, forest, released.columns).tolist()
        found = np.zeros_like(tree.counts)
        np.add.at(found, (leaves, table.columns["y"]), 1)
        assert found[tree.leaves].tolist() == tree.counts[tree.leaves].tolist()


def test_a_regression_tree_has_means_and_no_classes() -> None:
    table = table_of({"x": (number("x", 0, 9), [1, 2, 8, 9]), "pay": (PAY, [10, 20, 40, 90])})
    forest, _ = modelled(table, ["x"], leaves=2, trees=(TreePlan("variance"),))
    (tree,) = forest.trees
    assert (forest.class_name, forest.classes) == ("pay", ())
    assert tree.counts[0].tolist() == [40]
    assert tree.label.tolist() == [0] * len(tree)


def test_means_of_a_regression_tree_are_those_of_its_records() -> None:
    """9 alone has 90: the cut before it takes most of the variance."""
    table = table_of({"x": (number("x", 0, 9), [1, 2, 8, 9]), "pay": (PAY, [10, 20, 30, 90])})
    (tree,) = modelled(table, ["x"], leaves=2, trees=(TreePlan("variance"),))[0].trees
    assert tree.threshold[0] == 8.5
    assert tree.counts.tolist() == [[37.5], [20], [90]]


def test_other_columns_are_named_but_for_the_class_and_identifiers() -> None:
    table = table_of(
        {
            "age": (number("age", 0, 9), [1, 2]),
            "job": (Attribute("job", "categorical", "confidential", "String", categories=("s", "t")), [0, 1]),
            "y": (target("y", "ab"), [0, 1]),
        }
    )
    carried = [Attribute("name", "categorical", "identifier"), Attribute("note", "categorical", "ignored")]
    schema = type(table.schema)((*table.schema.attributes, *carried))
    frame = pl.DataFrame({"name": ["Ann", "Bob"], "note": ["-", "-"]})
    forest, _ = modelled(Table(schema, table.columns, frame, 2), ["age"])
    assert forest.grown["other_columns"] == ["job", "note"]
    assert forest.grown["rows"] == 2
    assert forest.grown["columns"] == [["age"]]
    assert [a.name for a in forest.attributes] == ["age"]

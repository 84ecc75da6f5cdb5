"""Gain ratios of forced trees equal those of a tree that grew on the same records."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.models.grown import Grown, force_tree, split_ratios
from hushwood.tables.table import Table
from hushwood.trees.options import Builder, GrowOptions
from support.mixed_tables import mixed_table, number, table_of, target
from support.nested_trees import forest_of

CLASS = target("class", ("n", "y"))
TWO = GrowOptions(min_leaf=2)


def one_number(classes: list[int]) -> Table:
    return table_of({"x": (number("x", 1, 8), [1, 2, 3, 4, 5, 6, 7, 8]), "class": (CLASS, classes)})


def test_the_nodes_own_test_keeps_its_cut() -> None:
    table = one_number([0] * 6 + [1] * 2)  # its own best cut would be at 6
    stump = forest_of([("x", 4, "n", "y")], table.schema.inputs, ("n", "y"))
    forced = force_tree(stump.trees[0], stump, Grown(table, Builder(TWO)))
    parts = np.array([[4.0, 0.0], [2.0, 2.0]])
    assert forced.ratios[0, 0] == pytest.approx(split_ratios(parts, np.zeros(2, int), np.array([8.0]))[0])
    # In the right leaf 5, 6 | 7, 8 is a free choice and parts the classes.
    assert forced.ratios[0].tolist()[1:] == [0.0, 1.0]
    assert forced.records.tolist() == [8, 4, 4]


def test_the_threshold_has_no_price() -> None:
    # Eleven cuts are possible, and the best gains less than log2(11) / 12.
    classes = [0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1]
    table = table_of({"x": (number("x", 1, 12), list(range(1, 13))), "class": (CLASS, classes)})
    leaf = forest_of(["n"], table.schema.inputs, ("n", "y"))
    ratio = force_tree(leaf.trees[0], leaf, Grown(table, Builder(GrowOptions(min_leaf=1)))).ratios[0, 0]
    parts = np.array([[2.0, 0.0], [4.0, 6.0]])
    assert ratio == pytest.approx(split_ratios(parts, np.zeros(2, int), np.array([12.0]))[0])


def test_cuts_that_leave_too_few_on_a_side_are_not_admissible() -> None:
    table = one_number([0] * 7 + [1])
    leaf = forest_of(["n"], table.schema.inputs, ("n", "y"))
    one, five = (
        force_tree(leaf.trees[0], leaf, Grown(table, Builder(GrowOptions(min_leaf=least)))).ratios[0, 0]
        for least in (1, 5)
    )
    assert (one, five) == (1.0, 0.0)


def test_every_record_is_in_one_node_of_a_level() -> None:
    table = mixed_table(1, 200)
    grown = Grown(table, Builder(GrowOptions(min_leaf=4)))
    forest = grown.forest
    for tree in forest.trees:
        records = force_tree(tree, forest, grown).records
        assert records[0] == grown.training.records
        for parent in range(len(tree)):
            children = sorted(set(tree.branches_of(parent).tolist()))
            assert not children or records[children].sum() == records[parent]


def test_ratios_lie_between_0_and_1() -> None:
    table = mixed_table(2, 200)
    grown = Grown(table, Builder(GrowOptions(min_leaf=2)))
    ratios = force_tree(grown.tree.trees[0], grown.tree, grown).ratios
    assert 0.0 <= ratios.min() < ratios.max() <= 1.0


def test_unknown_values_are_a_branch_of_their_own() -> None:
    # Four known of eight, parted perfectly: gain 1/2, split information 1.5.
    parts = np.array([[2.0, 0.0], [0.0, 2.0]])
    assert split_ratios(parts, np.zeros(2, int), np.array([8.0])) == pytest.approx([1 / 3])

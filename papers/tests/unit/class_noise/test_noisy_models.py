"""Boston's records, noise on the class, trees compared by hand, nodes of the printed tree, and chapter 9's network."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.measures.models.grown import Grown
from hushwood.random_streams import Streams
from hushwood.tables.reading import read
from hushwood.tables.table import class_labels
from hushwood.trees.forest import Forest
from hushwood.trees.routing import leaf_of_each
from hushwood_papers.class_noise.noisy_models import (
    BOTTOM,
    CLASS_NOISE,
    LEAVES,
    TESTS,
    TOP,
    TRAININGS,
    boston_prices,
    drawn_records,
    grown_by_see5,
    noisy_tree,
    numbers_of_nodes,
    printed_nodes,
    released_class,
    rules_kept,
    shared,
    thesis_network,
)
from hushwood_papers.paper_tables import PaperTables
from support.real_data import data_folder


def test_the_class_is_the_top_fifth_and_two_columns_are_left_out() -> None:
    table = boston_prices(PaperTables(data_folder()))
    codes, names = class_labels(table)
    assert names == (BOTTOM, TOP)
    assert np.bincount(codes).tolist() == [404, 102]
    assert [name for name in table.columns if name in ("CHAS", "B", "MEDV")] == []
    assert len(table.columns) == 12


def test_drawn_records_are_never_in_both_parts_and_depend_on_the_key() -> None:
    table = boston_prices(PaperTables(data_folder()))
    numbered = table.with_columns({"CRIM": np.arange(506.0)})
    training, testing = drawn_records(numbered, Streams(bytes(32)))
    assert (training.rows, testing.rows) == (300, 50)
    first, second = training.columns["CRIM"], testing.columns["CRIM"]
    assert not set(first) & set(second)
    assert (np.diff(first) > 0).all()
    other = drawn_records(numbered, Streams(b"1" * 32))[0].columns["CRIM"]
    assert set(other) != set(first)


@pytest.mark.parametrize("technique", CLASS_NOISE)
def test_nothing_but_the_class_changes(technique: str) -> None:
    original = grown_by_see5(credit_risk(400, bytes(32)))
    released = released_class(original, technique, Streams(b"2" * 32))
    target = original.tree.class_name
    changed = [
        n for n in released.columns if not np.array_equal(released.columns[n], original.table.columns[n])
    ]
    assert changed == [target]


def test_rpt_keeps_the_counts_of_every_leaf_and_pure_leaves() -> None:
    original = grown_by_see5(credit_risk(400, bytes(32)))
    released = released_class(original, "RPT", Streams(b"2" * 32))
    before, after = class_labels(original.table)[0], class_labels(released)[0]
    leaf = leaf_of_each(original.tree.trees[0], original.tree, original.table.columns)
    for one in np.unique(leaf):
        here = leaf == one
        assert np.sort(before[here]).tolist() == np.sort(after[here]).tolist()
    assert (before != after).any()


AGE = np.arange(40)
SIZE = np.tile([1.0, 2.0], 20)


def grown(classes: list[str]) -> Grown:
    return grown_by_see5(
        read(pl.DataFrame({"age": AGE, "size": SIZE, "class": classes}), target="class").table
    )


def by_age(limit: int) -> list[str]:
    return ["no" if age <= limit else "yes" for age in AGE.tolist()]


def test_a_tree_beside_itself_keeps_every_rule() -> None:
    original = grown(by_age(24))
    told = noisy_tree(original, original)
    assert (told.root, told.root_cut, told.attributes, told.leaves) == ("age", 24, ("age",), 2)
    assert (told.errors, told.depth) == (0, 1)
    assert told.kept == (True, True)
    assert told.leading_kept
    assert told.new_share == 0


def test_another_cut_is_the_same_rule_and_another_attribute_a_new_one() -> None:
    original, moved = grown(by_age(24)), grown(by_age(20))
    assert rules_kept(original.tree, moved.tree) == (True, True)
    by_size = grown(["no" if size < 2 else "yes" for size in SIZE.tolist()])
    told = noisy_tree(original, by_size)
    assert told.kept == (False, False)
    assert told.new_share == 1
    assert shared(("age",), told.attributes) == (0, 1, 1)


def test_errors_are_counted_on_the_records_the_tree_was_grown_on() -> None:
    classes = by_age(24)
    classes[3] = "yes"
    released = grown(classes)
    told = noisy_tree(grown(by_age(24)), released)
    assert (told.leaves, told.errors) == (2, 1)
    assert told.leading_kept


def forest(first: str, second: str, above: str = TOP) -> Forest:
    """A tree of two attributes: both high is the one class, all else the other but for a record."""
    one, other = np.repeat(np.arange(20.0), 20), np.tile(np.arange(20.0), 20)
    high = (one > 9) & (other > 9)
    high[200] = True
    low = BOTTOM if above == TOP else TOP
    frame = pl.DataFrame({first: one, second: other, "price": np.where(high, above, low)})
    return grown_by_see5(read(frame, target="price").table).tree


def test_leaves_and_cuts_are_found_by_the_tests_above_them() -> None:
    found = printed_nodes(forest("LSTAT", "RM"))
    assert found == {
        "the root": {"records": 400, "cut": 9},
        "LSTAT >": {"records": 200, "cut": 9},
        "LSTAT >, RM <=": {"records": 100, "errors": 1},
        "LSTAT >, RM >": {"records": 100, "errors": 0},
    }


def test_another_attribute_or_another_class_is_not_the_printed_node() -> None:
    assert printed_nodes(forest("RM", "LSTAT")) == {}
    assert set(printed_nodes(forest("LSTAT", "RM", above=BOTTOM))) == {"the root", "LSTAT >"}
    assert set(printed_nodes(forest("LSTAT", "TAX"))) == {"the root"}


def test_numbers_are_of_the_trees_that_have_the_node() -> None:
    trees = [{"nodes": printed_nodes(forest(*names))} for names in (("LSTAT", "RM"), ("LSTAT", "TAX"))]
    numbers = numbers_of_nodes(trees)
    assert numbers["leaf at LSTAT >, RM <=: errors"] == [1]
    assert numbers["LSTAT tested at the root: cut"] == [9, 9]
    assert numbers["leaf at LSTAT <=, RM <=: records"] == []


@pytest.mark.parametrize("way", [*LEAVES, *TESTS])
def test_every_way_leads_through_printed_tests(way: str) -> None:
    steps = [] if way == "the root" else way.split(", ")
    for at, step in enumerate(steps):
        assert TESTS[", ".join(steps[:at]) or "the root"] == step.split()[0]


@pytest.mark.parametrize("training", TRAININGS)
def test_it_learns_a_line_and_copes_with_a_missing_number(training: str) -> None:
    first, second = (np.tile(np.arange(10.0), 20), np.repeat(np.arange(20.0), 10))
    frame = pl.DataFrame({"a": first, "b": second, "class": np.where(first + second > 14, "high", "low")})
    holed = frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 5).then(None).otherwise(pl.col("a")).alias("a")
    )
    grown = grown_by_see5(read(holed, target="class").table)
    codes = class_labels(grown.table)[0]
    one, again, other = (
        thesis_network(training, Streams(key * 32)).fit(grown)(grown.table) for key in (b"1", b"1", b"2")
    )
    assert (one == codes).mean() > 0.9
    assert np.array_equal(one, again)
    assert (other == codes).mean() > 0.9

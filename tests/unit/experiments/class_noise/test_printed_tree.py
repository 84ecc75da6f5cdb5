"""Nodes of the printed tree, found in a tree that is grown on records made after it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.experiments.class_noise.boston_records import BOTTOM, TOP
from hushwood.experiments.class_noise.noisy_classes import grown_by_see5
from hushwood.experiments.class_noise.printed_tree import LEAVES, TESTS, numbers_of_nodes, printed_nodes
from hushwood.tables.reading import read
from hushwood.trees.forest import Forest


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

"""Regression trees: a case by hand, equality with a slow tree, missing values, and forests of different first tests."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.grow import learnt_forest
from hushwood.trees.model_file import forest_from_json, forest_to_json
from hushwood.trees.options import Builder, GrowOptions, SysForOptions
from hushwood.trees.regression import LEAST_SHARE, RegressionSet, good_cuts, grow_regression_tree
from hushwood.trees.routing import leaves_reached, predictions
from oracles.regression_tree import best_test, explained, squares


def read(frame: pl.DataFrame) -> Table:
    return read_table(frame, target="y", response="number")


def grown(frame: pl.DataFrame, least: int = 1) -> Forest:
    return learnt_forest(read(frame), Builder(GrowOptions(min_leaf=least)).with_trees(1))


def test_by_hand_the_limit_is_a_value_and_leaves_hold_means() -> None:
    frame = pl.DataFrame({"x": [1, 2, 8, 9], "c": list("abab"), "y": [1.0, 3.0, 11.0, 13.0]})
    forest = grown(frame, least=2)
    tree = forest.trees[0]
    assert forest.classes == ()
    assert forest.attributes[tree.attribute[0]].name == "x"
    assert tree.threshold[0] == 2.0  # the largest value that is not above the middle, 5
    assert tree.counts[:, 0].tolist() == [7.0, 2.0, 12.0]
    assert predictions(forest, read(frame)).tolist() == [2.0, 2.0, 12.0, 12.0]


def test_categories_are_cut_in_two_by_their_means() -> None:
    frame = pl.DataFrame({"c": list("abcabc"), "y": [0.0, 5.0, 1.0, 0.0, 5.0, 1.0]})
    tree = grown(frame).trees[0]
    left, right = (tree.branches_of(0)[i] for i in (0, 1))
    assert tree.branches_of(0).tolist() == [left, right, left]


def random_frame(seed: int, gaps: bool) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = 40
    x, c = rng.integers(0, 8, rows), rng.integers(0, 4, rows)
    y = x * rng.normal() + np.where(c == 1, 3.0, 0.0) + rng.normal(size=rows).round(2)
    frame = pl.DataFrame({"x": x, "c": [f"k{i}" for i in c], "y": y.round(3)})
    if gaps:
        hidden = rng.random((rows, 2)) < 0.2
        frame = frame.with_columns(
            pl.when(pl.Series(hidden[:, i])).then(None).otherwise(pl.col(name)).alias(name)
            for i, name in enumerate(("x", "c"))
        )
    return frame


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_equals_a_slow_tree(seed: int, gaps: bool) -> None:
    frame = random_frame(seed, gaps)
    rows = [tuple(row) for row in frame.select("x", "c").rows()]
    response = frame["y"].to_list()
    table = read(frame)
    forest = learnt_forest(table, Builder(GrowOptions(min_leaf=4)).with_trees(1))
    leaf = leaves_reached(forest, table)[0]
    left = sum(squares([response[i] for i in np.flatnonzero(leaf == one)]) for one in np.unique(leaf))
    kinds = ["numeric", "categorical"]
    assert squares(response) - left == pytest.approx(
        explained(rows, response, kinds, 4, LEAST_SHARE), rel=1e-7
    )
    first = best_test(rows, response, kinds, 4)
    assert first is not None
    assert forest.attributes[forest.trees[0].attribute[0]].name == ("x", "c")[first[0][0]]


def test_a_forest_starts_from_different_tests_and_comes_back_from_its_file() -> None:
    rng = np.random.default_rng(5)
    x, z, w = rng.normal(size=(3, 300))
    y = x + 0.8 * z + 0.7 * w + 0.1 * rng.normal(size=300)
    frame = pl.DataFrame({"x": x, "z": z, "w": w, "y": y})
    table = read(frame)
    forest = learnt_forest(table, Builder(GrowOptions(min_leaf=20), SysForOptions(trees=3)))
    assert len(forest.trees) == 3
    roots = [(tree.attribute[0], tree.threshold[0]) for tree in forest.trees]
    assert len(set(roots)) == 3
    again = forest_from_json(forest_to_json(forest))
    assert predictions(again, table).tolist() == predictions(forest, table).tolist()
    cuts = good_cuts(RegressionSet.from_table(table), GrowOptions(min_leaf=20), SysForOptions())
    shares = [cut.share for cut in cuts]
    assert shares == sorted(shares, reverse=True)
    assert min(shares) >= LEAST_SHARE


def test_nothing_to_learn_is_one_leaf_and_missing_responses_are_left_out() -> None:
    noise = pl.DataFrame({"x": [1, 1, 1], "y": [1.0, 2.0, None]})
    table = read(noise)
    assert RegressionSet.from_table(table).records == 2
    tree = grow_regression_tree(RegressionSet.from_table(table), GrowOptions(min_leaf=1))
    assert (len(tree), tree.counts[0, 0]) == (1, 1.5)


def test_classes_are_refused() -> None:
    with pytest.raises(InputError, match="class that is a number"):
        RegressionSet.from_table(read_table(pl.DataFrame({"x": [1, 2], "y": ["a", "b"]}), target="y"))

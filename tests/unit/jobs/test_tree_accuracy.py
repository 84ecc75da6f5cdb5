"""How well a published tree predicts, against scores worked out by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.jobs import tree_accuracy
from hushwood.jobs.forest_routes import leaves_reached
from hushwood.jobs.tree_accuracy import naive_guess, score, set_aside
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import publish
from published_people import ugly_people


def people(count: int, target: str = "ill") -> Table:
    other = "pay" if target == "ill" else "ill"
    return read(ugly_people(count).drop(other), target=target, response="either").table


def test_scores_by_hand() -> None:
    assert score(np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]), classes=True) == 0.75
    assert score(np.array([1.0, 2.0, 6.0]), np.array([1.0, 2.0, 6.0]), classes=False) == 1.0
    assert score(np.array([1.0, 2.0, 6.0]), np.array([3.0, 3.0, 3.0]), classes=False) == 0.0
    assert score(np.array([2.0, 2.0]), np.array([3.0, 3.0]), classes=False) is None
    assert naive_guess(np.array([2, 0, 2]), True, 2).tolist() == [2, 2]
    assert naive_guess(np.array([1.0, 2.0]), False, 3).tolist() == [1.5] * 3


def test_records_set_aside() -> None:
    table = people(103)
    training, unseen = set_aside(table)
    assert (training.rows, unseen.rows) == (83, 20)
    both = np.concatenate([training.columns["born"], unseen.columns["born"]])
    assert sorted(both.tolist()) == sorted(table.columns["born"].tolist())
    assert set_aside(table)[1].columns["born"].tolist() == unseen.columns["born"].tolist()


def test_a_sample_of_a_long_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_accuracy, "MOST_RECORDS", 100)
    training, unseen = set_aside(people(300))
    assert (training.rows, unseen.rows) == (80, 20)
    options, table = PublishOptions(k=3), people(300)
    found = tree_accuracy.tree_accuracy(table, publish(table, options).forest, options)
    assert found["unseen_records"] == 20
    assert "80 records of a sample of 100" in found["sentence"]


def test_with_and_without_privacy() -> None:
    table, options = people(500), PublishOptions(k=5)
    found = tree_accuracy.tree_accuracy(table, publish(table, options).forest, options)
    training, unseen = set_aside(table)
    tree = publish(training, options).forest.trees[0]
    assert found["unlimited_leaves"] == len(tree.leaves)
    usual = np.bincount(training.columns["ill"]).argmax()
    assert found["unseen"]["naive"] == float(np.mean(unseen.columns["ill"] == usual))
    assert found["unseen"]["unlimited"] > found["unseen"]["naive"]
    none = PublishOptions(k=1, min_leaf=5)
    free = tree_accuracy.tree_accuracy(table, publish(table, none).forest, none)
    assert free["unseen"]["published"] == free["unseen"]["unlimited"]


def test_numbers() -> None:
    table, options = people(300, "pay"), PublishOptions(trees=(TreePlan("variance"),))
    forest = publish(table, options).forest
    found = tree_accuracy.tree_accuracy(table, forest, options)
    assert found["measure"] == "r_squared"
    assert found["unseen"]["naive"] <= 0 < found["unseen"]["published"] <= 1
    assert "always the mean" in found["sentence"]
    pay, tree = table.columns["pay"], forest.trees[0]
    reached = leaves_reached(forest, table)[0]
    inside = sum(
        ((pay[reached == leaf] - pay[reached == leaf].mean()) ** 2).sum() for leaf in tree.leaves.tolist()
    )
    assert found["on_the_table"] == pytest.approx(1 - inside / ((pay - pay.mean()) ** 2).sum())


def test_too_few_records() -> None:
    options = PublishOptions(k=2)
    for count in (12, 24):  # fewer than 5 set aside
        table = read(pl.DataFrame({"a": range(count), "c": ["x", "y"] * (count // 2)}), target="c").table
        found = tree_accuracy.tree_accuracy(table, publish(table, options).forest, options)
        assert found["unseen"] is None
        assert "too small" in found["sentence"]

"""How well a published tree predicts, against scores worked out by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.tables.reading import read
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing import document
from hushwood.tree_publishing.document import held_out, naive_guess, score, stands_for, tree_accuracy
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import publish
from hushwood.tree_publishing.released import ReleasedPart
from hushwood.trees.routing import leaves_reached, predictions
from support.published_people import ugly_people

AGE = Attribute("age", "numeric", precision=0)
BORN = Attribute("born", "numeric", storage="Date", precision=0)
CITY = Attribute("city", "categorical")


@pytest.mark.parametrize(
    ("part", "attribute", "words"),
    [
        (ReleasedPart(27.0, 9), AGE, "all values"),
        (ReleasedPart(27.0, 9, high=27.5), AGE, "up to 27.5"),
        (ReleasedPart(30.0, 9, low=27.5), AGE, "above 27.5"),
        (ReleasedPart(30.0, 9, low=27.5, high=44.0), AGE, "above 27.5, up to 44"),
        (ReleasedPart(19724.0, 9, low=19723.5), BORN, "above 2024-01-01"),
        (ReleasedPart("{a, b}", 9, values=("a", "b")), CITY, "a, b"),
        (ReleasedPart(None, 9, values=("missing",)), CITY, "missing"),
        (ReleasedPart(None, 9), CITY, "missing"),
        (ReleasedPart("ALL", 9), CITY, "all values"),
        (
            ReleasedPart("{...}", 9, values=tuple("abcdefghijklmno")),
            CITY,
            "a, b, c, d, e, f, g, h, i, j, k, l and 3 more",
        ),
    ],
)
def test_what_a_released_value_stands_for(part: ReleasedPart, attribute: Attribute, words: str) -> None:
    assert stands_for(part, attribute) == words


def people(count: int, target: str = "ill") -> Table:
    other = "pay" if target == "ill" else "ill"
    return read(ugly_people(count).drop(other), target=target, response="auto").table


def test_scores_by_hand() -> None:
    assert score(np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]), classes=True) == 0.75
    assert score(np.array([1.0, 2.0, 6.0]), np.array([1.0, 2.0, 6.0]), classes=False) == 1.0
    assert score(np.array([1.0, 2.0, 6.0]), np.array([3.0, 3.0, 3.0]), classes=False) == 0.0
    assert score(np.array([2.0, 2.0]), np.array([3.0, 3.0]), classes=False) is None
    assert naive_guess(np.array([2, 0, 2]), True, 2).tolist() == [2, 2]
    assert naive_guess(np.array([1.0, 2.0]), False, 3).tolist() == [1.5] * 3


def test_very_large_and_very_small_numbers_have_a_score() -> None:
    truth, predicted = np.array([1.0, 2.0, 6.0]), np.array([2.0, 2.0, 5.0])
    by_hand = 1 - 2 / 14
    for unit in (1.0, 1e200, 1e300, 1e-200):
        assert score(truth * unit, predicted * unit, classes=False) == pytest.approx(by_hand)
    assert score(np.zeros(3), np.zeros(3), classes=False) is None


def test_each_record_is_held_out_once() -> None:
    parts = list(held_out(103))
    assert [len(unseen) for _, unseen in parts] == [21, 21, 21, 20, 20]
    assert sorted(np.concatenate([unseen for _, unseen in parts]).tolist()) == list(range(103))
    for learnt, unseen in parts:
        assert sorted([*learnt.tolist(), *unseen.tolist()]) == list(range(103))
    again = list(held_out(103))
    assert all((one[1] == other[1]).all() for one, other in zip(parts, again, strict=True))


def test_one_part_of_a_long_table() -> None:
    assert len(list(held_out(10_000))) == 5
    ((learnt, unseen),) = held_out(10_001)
    assert (len(learnt), len(unseen)) == (8000, 2001)
    ((learnt, unseen),) = held_out(60_000)
    assert (len(learnt), len(unseen)) == (40_000, 10_000)
    assert not set(learnt.tolist()) & set(unseen.tolist())


def test_a_sample_of_a_long_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MOST_RECORDS", 100)
    monkeypatch.setattr(document, "MOST_FOLDED", 50)
    options, table = PublishOptions(k=3), people(300)
    found = tree_accuracy(table, publish(table, options).forest, options)
    assert found["unseen_records"] == 20
    assert len(found["unseen_leaves"]) == len(found["unlimited_leaves"]) == 1
    assert found["sentence"].startswith(
        "A tree was grown in the same way as the published one on 80 records of a sample of 100 and tested on 20"
    )


def test_with_and_without_privacy() -> None:
    table, options = people(500), PublishOptions(k=5)
    found = tree_accuracy(table, publish(table, options).forest, options)
    right, naive, leaves = 0, 0, []
    for learnt, aside in held_out(500):
        training, unseen = table.take(learnt), table.take(aside)
        forest = publish(training, options).forest
        leaves.append(len(forest.trees[0].leaves))
        right += int((predictions(forest, unseen) == unseen.columns["ill"]).sum())
        naive += int((unseen.columns["ill"] == np.bincount(training.columns["ill"]).argmax()).sum())
    assert found["unseen"]["published"] == right / 500
    assert found["unseen"]["naive"] == naive / 500
    assert found["unseen"]["unlimited"] > found["unseen"]["naive"]
    assert (found["unseen_records"], found["unseen_leaves"]) == (500, leaves)
    assert all(0 < free <= own for free, own in zip(found["unlimited_leaves"], leaves, strict=True))
    assert found["sentence"].startswith(
        "The 500 records were split into 5 parts. For each part a tree was grown"
    )


def test_without_promises_both_are_the_same() -> None:
    table, none = people(200), PublishOptions(k=1, min_leaf=5)
    free = tree_accuracy(table, publish(table, none).forest, none)
    assert free["unseen"]["published"] == free["unseen"]["unlimited"]


def test_several_trees_vote() -> None:
    table = people(200)
    options = PublishOptions(k=5, trees=(TreePlan(), TreePlan("gini", ("age",))), max_leaves=4)
    found = tree_accuracy(table, publish(table, options).forest, options)
    assert all(2 <= leaves <= 8 for leaves in found["unseen_leaves"])
    assert "For each part trees were grown" in found["sentence"]
    assert "The 2 trees predict together" in found["sentence"]


def test_numbers() -> None:
    table, options = people(300, "pay"), PublishOptions(trees=(TreePlan("variance"),))
    forest = publish(table, options).forest
    found = tree_accuracy(table, forest, options)
    assert found["measure"] == "r_squared"
    assert found["unseen"]["naive"] <= 0 < found["unseen"]["published"] <= 1
    assert "always predicts the mean" in found["sentence"]
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
        found = tree_accuracy(table, publish(table, options).forest, options)
        assert found["unseen"] is None
        assert "too small" in found["sentence"]


def test_the_reason_is_told_if_no_such_tree_grows_on_a_part() -> None:
    options, table = PublishOptions(k=90), people(100)
    found = tree_accuracy(table, publish(table, options).forest, options)
    assert found["unseen"] is None
    assert "too small" not in found["sentence"]
    assert "no such tree can be grown on a part of the table. " in found["sentence"]
    assert "ask for less" in found["sentence"]


def test_enormous_numbers() -> None:
    small = people(200, "pay")
    pay = small.columns["pay"] / np.abs(small.columns["pay"]).max()
    options = PublishOptions(trees=(TreePlan("variance"),))
    found = []
    for unit in (1.0, 2.0**664):  # about 1e200
        table = small.with_columns({"pay": pay * unit})
        found.append(tree_accuracy(table, publish(table, options).forest, options))
    assert found[1]["on_the_table"] == pytest.approx(found[0]["on_the_table"])
    assert found[1]["unseen"] == pytest.approx(found[0]["unseen"])

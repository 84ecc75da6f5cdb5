"""Whether a tree predicts an attribute better than its majority value does."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.demo.synthetic_tables import customer_status
from hushwood.tables.schema import Attribute
from hushwood.trees.grow import GrowOptions
from hushwood.value_clusters.grouping import attribute_trees
from hushwood.value_clusters.grouping.attribute_trees import PredictedAttribute, detective
from support.mixed_tables import category, number, one_tree

TWO = GrowOptions(min_leaf=2)
UNRELATED = ("Parents' Country", "Favorite City")


def predicted(values: int, **columns: Array) -> PredictedAttribute:
    """The attribute v, and columns of numbers or category codes that may predict it."""
    inputs: list[Attribute] = []
    for name, column in columns.items():
        kinds = [str(i) for i in range(int(column.max()) + 1)]
        inputs.append(number(name, 0, 1, None) if column.dtype.kind == "f" else category(name, kinds))
    attribute = category("v", [str(i) for i in range(values)])
    return PredictedAttribute(attribute, tuple(a for a in inputs if a.name != "v"), columns)


@pytest.mark.parametrize("builder", ["c45", "see5", "j48"])
@pytest.mark.parametrize("min_leaf", [2, 18])
def test_attributes_that_the_thesis_calls_unrelated(builder: str, min_leaf: int) -> None:
    """Thesis 6.6: two of the five attributes of CS have nothing to do with the others, the rest has (errata C12)."""
    for key in range(3):
        table = customer_status(399, bytes([key]) * 32)
        found = {
            a.name: detective(table, a.name, GrowOptions(builder, min_leaf=min_leaf), threads=1)
            for a in table.schema.kept
        }
        assert [name for name, clusters in found.items() if clusters and clusters.unrelated] == [*UNRELATED]


def test_pruning_alone_does_not_find_them() -> None:
    """Why records are held back: the builder itself keeps more than a hundred nodes."""
    table = customer_status(399, bytes(32))
    inputs = tuple(a for a in table.schema.kept if a.name not in UNRELATED)
    question = PredictedAttribute(table.schema["Favorite City"], inputs, table.columns)
    tree = question.tree(TWO, threads=1)
    assert len(tree) > 20
    assert not question.explained_by(tree, TWO, threads=1)


@pytest.mark.parametrize("rows", [399, 3_000])
def test_chance_explains_nothing_and_a_rule_does(rows: int) -> None:
    """Few records are held back in folds, many once; v = x + y is a rule of two attributes."""
    chance = np.random.default_rng(4)
    x, y, noise = (chance.integers(0, 3, rows) for _ in range(3))
    by_rule = np.where(chance.random(rows) < 0.3, chance.integers(0, 3, rows), (x + y) % 3)
    for v, expected in ((noise, False), (by_rule, True)):
        question = predicted(3, v=v, x=x, y=y)
        grown = question.tree(GrowOptions(min_leaf=5, confidence=0.5), threads=1)
        assert question.explained_by(grown, GrowOptions(min_leaf=5, confidence=0.5), threads=1) is expected


def test_without_doubt_no_other_tree_is_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.arange(200) % 2
    question = predicted(2, v=x, x=x)
    tree = question.tree(TWO, threads=1)
    monkeypatch.setattr(attribute_trees, "grow_tree", None)
    assert question.explained_by(tree, TWO)


def test_few_records_cannot_be_held_back() -> None:
    """The thesis' example of ten records keeps its trees."""
    x = np.array([0] * 5 + [1] * 5)
    question = predicted(2, v=x, x=x)
    assert question.explained_by(question.tree(TWO, threads=1), TWO)


def test_a_single_leaf_explains_nothing() -> None:
    question = predicted(2, v=np.array([0, 1] * 20), x=np.zeros(40, np.int64))
    assert not question.explained_by(question.tree(TWO, threads=1), TWO)


def test_the_estimate_is_the_binomial_upper_limit() -> None:
    """By bisection: the error rate at which no more errors than seen happen once in a thousand times."""
    root = {"id": 0, "test": {"attribute": "x", "threshold": 1.0}, "children": {"le": 1, "gt": 2}}
    leaves = [{"id": 1, "counts": [16, 1]}, {"id": 2, "counts": [0, 6]}]
    tree = one_tree({"name": "x", "kind": "numeric"}, [{**root, "counts": [16, 7]}, *leaves]).trees[0]

    def limit(records: int, errors: int) -> float:
        low, high = 0.0, 1.0
        for _ in range(60):
            p = (low + high) / 2
            seen = sum(comb(records, e) * p**e * (1 - p) ** (records - e) for e in range(errors + 1))
            low, high = (p, high) if seen > 1e-3 else (low, p)
        return records * low

    assert attribute_trees._sure_errors(tree) == pytest.approx(limit(17, 1) + limit(6, 0), rel=1e-9)


@pytest.mark.parametrize(("records", "folds"), [(50, 5), (399, 5), (2_501, 1)])
def test_what_is_held_back(records: int, folds: int) -> None:
    """Every record once, or a third of many; in every stretch of a sorted table about as many as anywhere."""
    rows = np.arange(records) * 3
    parts = list(attribute_trees._parts(rows))
    assert len(parts) == folds
    for growing, tried in parts:
        assert sorted([*growing.tolist(), *tried.tolist()]) == rows.tolist()
        in_tenths = np.bincount(tried // 3 * 10 // records, minlength=10)
        assert np.ptp(in_tenths) <= 3
    if folds > 1:
        assert sorted(np.concatenate([tried for _, tried in parts]).tolist()) == rows.tolist()


def test_related_although_no_test_saves_errors() -> None:
    """Nine of ten records share a value, whatever they have in x; how many do depends on x all the same."""
    x = np.arange(600) % 3
    v = (np.arange(600) // 3 % 20 < np.array([0, 1, 5])[x]).astype(np.int64)
    question = predicted(2, v=v, x=x)
    assert len(question.tree(TWO, threads=1)) == 1
    tree = question.related_tree(TWO, threads=1)
    assert tree is not None
    assert tree.counts[tree.leaves].tolist() == [[200, 0], [190, 10], [150, 50]]


@pytest.mark.parametrize("builder", ["c45", "see5", "j48", "credal"])
def test_nothing_relates_independent_columns(builder: str) -> None:
    v, x = np.divmod(np.arange(600) % 12, 4)
    options = GrowOptions(builder, min_leaf=2)
    assert predicted(3, v=v, x=x).related_tree(options, threads=1) is None


def test_missing_values_are_neither_grown_on_nor_tried() -> None:
    chance = np.random.default_rng(5)
    v = chance.integers(-1, 2, 400)
    question = predicted(2, v=v, x=np.where(v < 0, 1, 0))
    tree = question.tree(TWO, threads=1)
    assert not question.explained_by(tree, TWO)

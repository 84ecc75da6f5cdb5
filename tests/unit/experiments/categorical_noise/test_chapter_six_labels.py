"""Rule types and labels of chapter 6, on the thesis' own example of page 103."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.experiments.categorical_noise.chapter_six_labels import LABELS, label, label_counts, type_shares
from hushwood.trees.forest import Forest
from mixed_tables import category, number
from nested_trees import Nested, forest_of

P, Q, R = (number(name, 1, 10) for name in "PQR")
S = category("S", ("s1", "s2", "s3"))
LAST: Nested = ("S", {"s1": "c1", "s2": "c2", "s3": "c1"})
ORIGINAL: Nested = ("P", 5, "c2", ("Q", 2, LAST, "c2"))
# Ten records: four have P <= 5; of the others two have Q > 2, and two each s1 and s2.
RECORDS = {
    "P": np.array([1.0, 2, 3, 4, 10, 10, 10, 10, 10, 10]),
    "Q": np.array([1.0, 1, 1, 1, 5, 5, 1, 1, 1, 1]),
    "R": np.array([1.0, 9] * 5),
    "S": np.array([0, 0, 0, 0, 0, 0, 0, 0, 1, 1]),
}


def forest(tree: Nested) -> Forest:
    return forest_of([tree], (P, Q, R, S), ("c1", "c2"))


def shares(tree: Nested) -> list[float]:
    """Of Type A, Type B, cut short and Type C."""
    return list(type_shares(forest(ORIGINAL), forest(tree), RECORDS).values())


def test_the_same_tree_is_all_type_a() -> None:
    assert shares(ORIGINAL) == [1, 0, 0, 0]


def test_another_constant_is_type_b() -> None:
    assert shares(("P", 6, "c2", ("Q", 2, LAST, "c2"))) == [0, 1, 0, 0]
    assert shares(("P", 5, "c2", ("Q", 3, LAST, "c2"))) == [0.4, 0.6, 0, 0]


def test_a_rule_may_be_cut_short_anywhere() -> None:
    """Its label must be one of those below; without the last two tests as well as without one."""
    assert shares(("P", 5, "c2", ("Q", 2, "c1", "c2"))) == pytest.approx([0.6, 0, 0.4, 0])
    assert shares(("P", 5, "c2", "c1")) == pytest.approx([0.4, 0, 0.6, 0])
    assert shares(("P", 5, "c1", "c1")) == pytest.approx([0, 0, 0.6, 0.4])


def test_a_single_leaf_says_no_rule() -> None:
    assert shares("c2") == [0, 0, 0, 1]


def test_another_attribute_is_type_c() -> None:
    """In chapter 7 a rule on R, which the original does not test, is Type D."""
    assert shares(("P", 8, "c2", ("R", 3, "c1", "c2"))) == pytest.approx([0, 0.4, 0, 0.6])


@pytest.mark.parametrize(
    ("same", "different", "wanted"),
    [
        (1.0, 0.0, "Exactly Same"),
        (0.999, 0.0, "Very Similar"),
        (0.6, 0.049, "Very Similar"),
        (0.6, 0.05, "unclassified"),
        (0.599, 0.0, "Similar"),
        (0.151, 0.049, "Similar"),
        (0.15, 0.0, "unclassified"),
        (0.099, 0.101, "Dissimilar"),
        (0.1, 0.5, "unclassified"),
        (0.0, 0.1, "unclassified"),
    ],
)
def test_the_limits_of_the_labels(same: float, different: float, wanted: str) -> None:
    assert label(same, different) == wanted


def test_labels_are_counted_in_order() -> None:
    trees = [
        {"A": 1.0, "B": 0.0, "cut short": 0.0, "C": 0.0},
        {"A": 0.7, "B": 0.0, "cut short": 0.3, "C": 0.0},
        {"A": 0.05, "B": 0.0, "cut short": 0.95, "C": 0.0},
    ]
    assert dict(zip(LABELS, label_counts(trees), strict=True)) == {
        "Exactly Same": 1,
        "Very Similar": 1,
        "Similar": 0,
        "Dissimilar": 0,
        "unclassified": 1,
    }
    assert label_counts(trees, cut_short_is_c=True) == [1, 0, 0, 1, 1]

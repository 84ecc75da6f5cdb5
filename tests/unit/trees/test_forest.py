"""What a tree says about its own shape.

Rules of a hand-made tree, word by word.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InternalFault
from hushwood.trees.forest import (
    LEAF,
    LeafRule,
    RuleCondition,
    describe,
    describe_condition,
    joined,
    rules_of,
    short_list,
)
from hushwood.trees.model_file import forest_from_json, forest_to_json
from support.mixed_tables import one_tree
from support.small_trees import income_forest, stump


def test_leaves_are_the_nodes_without_a_test() -> None:
    first, second = income_forest().trees
    assert (len(first), first.leaves.tolist()) == (7, [2, 4, 5, 6])
    assert (len(second), second.leaves.tolist()) == (5, [1, 3, 4])


def test_branches_repeat_a_shared_child() -> None:
    tree = income_forest().trees[0]
    assert tree.branches_of(0).tolist() == [1, 6]
    assert tree.branches_of(1).tolist() == [2, 3, 3]
    assert tree.branches_of(2).tolist() == []


def test_edges_name_a_shared_child_once() -> None:
    tree = income_forest().trees[0]
    assert list(tree.edges()) == [(0, 1), (0, 6), (1, 2), (1, 3), (3, 4), (3, 5)]


def test_a_single_leaf_has_no_edges() -> None:
    tree = stump().trees[0]
    assert (tree.leaves.tolist(), list(tree.edges())) == ([0], [])


@pytest.mark.parametrize(
    ("field", "place", "value"),
    [
        ("branches", 0, 0),  # back to the root: a loop without end
        ("branches", 1, 7),  # beyond the last node
        ("missing_to", 1, 1),
        ("missing_to", 3, 9),
        ("branch_start", 1, 1),  # a numeric test with one branch
        ("branch_start", -1, 9),
    ],
)
def test_ways_that_end_in_no_leaf_are_refused(field: str, place: int, value: int) -> None:
    tree = income_forest().trees[0]
    wrong = getattr(tree, field).copy()
    wrong[place] = value
    with pytest.raises(InternalFault, match="please report this"):
        replace(tree, **{field: wrong})


def test_a_tree_has_a_root() -> None:
    whole, tree = np.empty(0, np.int32), stump().trees[0]
    with pytest.raises(InternalFault):
        replace(tree, attribute=whole, threshold=np.empty(0), missing_to=whole, counts=np.empty((0, 2)))


def test_forests_that_predict_different_columns_are_joined_and_taken_apart_again() -> None:
    first = income_forest()
    tree = first.trees[0]
    turned = replace(
        tree, attribute=np.where(tree.attribute == LEAF, LEAF, 1 - tree.attribute).astype(np.int32)
    )
    other = replace(first, class_name="other", attributes=first.attributes[::-1], trees=(turned,))
    both = joined([first, other])
    assert [target.name for target in both.predicts] == [first.class_name] * 2 + ["other"]
    assert both.attributes == first.attributes
    assert both.trees[2].attribute.tolist() == tree.attribute.tolist()
    income, again = both.parts
    assert (income.class_name, len(income.trees), again.class_name, len(again.trees)) == (
        *(first.class_name, 2),
        *("other", 1),
    )
    assert joined([first]) is first
    assert first.parts == (first,)
    back = forest_from_json(forest_to_json(both))
    assert back.predicts == both.predicts
    assert forest_from_json(forest_to_json(first)).targets == ()


def test_one_rule_per_leaf_in_preorder() -> None:
    forest = income_forest()

    rules = rules_of(forest.trees[0], forest)

    assert [describe(rule) for rule in rules] == [
        "age ≤ 27 and sex = Female → low",
        "age ≤ 20 and sex in {Male, Other} → low",
        "20 < age ≤ 27 and sex in {Male, Other} → high",
        "age > 27 → high",
    ]


def test_conditions_on_one_attribute_are_joined() -> None:
    forest = income_forest()

    rule = rules_of(forest.trees[0], forest)[2]

    assert rule == LeafRule(
        (RuleCondition("age", 20.0, 27.0), RuleCondition("sex", values=("Male", "Other"))), "high", (1.0, 9.0)
    )


def test_a_single_leaf_holds_every_record() -> None:
    forest = stump()

    assert [describe(rule) for rule in rules_of(forest.trees[0], forest)] == ["every record → low"]


def test_category_sets_are_intersected() -> None:
    forest = income_forest()

    rules = rules_of(forest.trees[1], forest)

    assert [describe(rule) for rule in rules] == [
        "sex = Female → low",
        "sex = Male → high",
        "sex = Other → low",
    ]


def test_regression_leaf_is_labelled_by_its_mean() -> None:
    forest = stump(classes=False)

    assert rules_of(forest.trees[0], forest)[0].label == "2.5"


def test_limits_of_dates_are_dates() -> None:
    """Between 2024-01-01 (day 19723) and the next day the earlier one is named: it is the last that fits."""
    born = {"name": "born", "kind": "numeric", "integer": True, "storage": "Date"}
    nodes = [
        {
            "id": 0,
            "test": {"attribute": "born", "threshold": 19730},
            "children": {"le": 1, "gt": 4},
            "counts": [4, 1],
        },
        {
            "id": 1,
            "test": {"attribute": "born", "threshold": 19723.5},
            "children": {"le": 2, "gt": 3},
            "counts": [2, 1],
        },
        {"id": 2, "counts": [2, 0]},
        {"id": 3, "counts": [0, 1]},
        {"id": 4, "counts": [2, 0]},
    ]
    forest = one_tree(born, nodes)

    assert [describe(rule) for rule in rules_of(forest.trees[0], forest)] == [
        "born ≤ 2024-01-01 → a",
        "2024-01-01 < born ≤ 2024-01-08 → b",
        "born > 2024-01-08 → a",
    ]


def test_one_sided_conditions() -> None:
    assert describe_condition(RuleCondition("x", low=-1.5)) == "x > -1.5"
    assert describe_condition(RuleCondition("x", high=0)) == "x ≤ 0"
    assert describe_condition(RuleCondition("x", low=0)) == "x > 0"
    assert describe_condition(RuleCondition("x", low=43200, storage="Time")) == "x > 12:00"


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=30), st.integers(2, 6))
def test_short_list_accounts_for_every_value(values: list[str], shown: int) -> None:
    text = short_list(values, shown)

    head, _, rest = text.partition(" and ")
    assert head.count(",") + 1 + int(rest.removesuffix(" more") or 0) == len(values)

"""Rules of a hand-made tree, word by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hushwood.trees.forest import Condition, Rule, describe, describe_condition, rules_of, short_list
from support.mixed_tables import one_tree
from support.small_trees import income_forest, stump


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

    assert rule == Rule(
        (Condition("age", 20.0, 27.0), Condition("sex", values=("Male", "Other"))), "high", (1.0, 9.0)
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
    assert describe_condition(Condition("x", low=-1.5)) == "x > -1.5"
    assert describe_condition(Condition("x", high=0)) == "x ≤ 0"
    assert describe_condition(Condition("x", low=0)) == "x > 0"
    assert describe_condition(Condition("x", low=43200, storage="Time")) == "x > 12:00"


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=30), st.integers(2, 6))
def test_short_list_accounts_for_every_value(values: list[str], shown: int) -> None:
    text = short_list(values, shown)

    head, _, rest = text.partition(" and ")
    assert head.count(",") + 1 + int(rest.removesuffix(" more") or 0) == len(values)

"""Published trees: rules numbered as the picture has them, closed leaves marked, labels told by their values."""

from __future__ import annotations

from hushwood.reports.published_trees import (
    published_trees,
    pure_leaves,
    readable_forest,
    rule_numbers,
)
from sample_publication import many_groups, one_leaf, regression, two_trees


def test_rules_name_values_and_not_the_labels_of_merged_ones() -> None:
    first, second = published_trees(two_trees())

    assert [rule.conditions for rule in first.rules] == [
        "age ≤ 27.5 and job in {clerk, nurse}",
        "age ≤ 27.5 and job in {farmer, missing}",
        "age ≤ 27.5 and job = teacher",
        "age > 27.5",
    ]
    assert [rule.conditions for rule in second.rules] == ["age ≤ 40.5", "age > 40.5"]


def test_the_picture_names_each_value_only_where_it_can_still_be() -> None:
    picture = published_trees(two_trees())[0].svg

    assert ">farmer, teacher, missing<" in picture
    assert ">farmer, missing<" in picture
    assert "{" not in picture.split("</style>")[1].replace("{clerk, nurse}", "").replace(
        "{farmer, missing}", ""
    )


def test_closed_leaves_are_marked_in_the_picture_and_in_the_table() -> None:
    first, second = published_trees(two_trees())

    assert [rule.closed for rule in first.rules] == [False, True, False, True]
    assert first.svg.count('class="rule rule-closed"') == 2
    assert "rule-closed" not in second.svg


def test_rules_count_their_records() -> None:
    rule = published_trees(two_trees())[0].rules[1]

    assert (rule.number, rule.label, rule.counts, rule.records) == (2, "low", ("15", "3"), "18")
    assert rule.share == "83.3\N{NO-BREAK SPACE}%"


def test_rules_are_numbered_from_the_top_of_the_picture() -> None:
    document = two_trees()
    # The first value of the column now leads to the last child, which is drawn first.
    for children in (node.get("children", {}) for node in document["forest"]["trees"][0]["nodes"]):
        if "clerk" in children:
            children["clerk"], children["farmer"] = children["farmer"], children["clerk"]
    document["forest"]["trees"] = document["forest"]["trees"][:1]

    numbers = rule_numbers(readable_forest(document))[0]

    picture = published_trees(document)[0]
    assert sorted(numbers.values()) == [1, 2, 3, 4]
    assert numbers[2] > numbers[4]
    assert picture.rules[numbers[2] - 1].records == "20"


def test_means_are_shortened_and_records_counted_from_the_groups() -> None:
    (tree,) = published_trees(regression())

    assert [(rule.label, rule.records, rule.counts) for rule in tree.rules] == [
        ("20123.5", "45", ()),
        ("40900.5", "55", ()),
    ]


def test_records_of_a_mean_are_not_guessed_where_groups_are_missing_or_spread() -> None:
    document = regression() | {"groups_left_out": 1}
    assert {rule.records for rule in published_trees(document)[0].rules} == {"–"}

    document = regression()
    document["groups"][0]["leaves"] = [1, 2]
    assert {rule.records for rule in published_trees(document)[0].rules} == {"–"}


def test_a_tree_that_may_test_some_columns_says_so() -> None:
    document = two_trees()
    document["options"]["columns"] = [[], ["age", "town"]]

    assert [tree.says for tree in published_trees(document)] == [
        "Tests scored by: information gain.",
        "Tests scored by: Gini index. It may test only age, town.",
    ]


def test_leaves_of_one_class_are_counted() -> None:
    assert pure_leaves(readable_forest(two_trees())) == 1
    assert pure_leaves(readable_forest(regression())) == 0


def test_one_leaf_is_a_rule_about_everybody() -> None:
    (tree,) = published_trees(one_leaf())

    assert [rule.conditions for rule in tree.rules] == ["every record"]
    assert tree.title == "The tree"
    assert [tree.title for tree in published_trees(many_groups())] == ["Tree 1", "Tree 2"]

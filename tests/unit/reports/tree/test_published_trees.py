"""Published trees: rules numbered as the picture has them, closed leaves marked, labels told by their values."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.evaluation.publication import Publication
from hushwood.reports.tree.page import tree_report
from hushwood.reports.tree.published_trees import (
    published_trees,
    pure_leaves,
    readable_forest,
    rule_numbers,
)
from support.sample_publication import many_groups, one_leaf, regression, two_trees


def test_rules_name_values_and_not_the_labels_of_merged_ones() -> None:
    first, second = published_trees(Publication.from_json(two_trees()))

    assert [rule.conditions for rule in first.rules] == [
        "age ≤ 27.5 and job in {clerk, nurse}",
        "age ≤ 27.5 and job in {farmer, missing}",
        "age ≤ 27.5 and job = teacher",
        "age > 27.5",
    ]
    assert [rule.conditions for rule in second.rules] == ["age ≤ 40.5", "age > 40.5"]


def jobs(document: dict[str, Any]) -> tuple[str, ...]:
    return readable_forest(Publication.from_json(document).forest).attributes[1].categories


def grouped(members: dict[str, list[str]], alone: tuple[str, ...] = ()) -> dict[str, Any]:
    """The document with these groups of jobs; the first group goes one way, all others the other."""
    document = two_trees()
    document["forest"]["trees"] = document["forest"]["trees"][:1]
    document["forest"]["grown"]["labels"] = {"job": members}
    single = sorted({*alone, *(name for names in members.values() for name in names)} - {"missing"})
    if "missing" in alone:
        single.append("missing")
    document["forest"]["attributes"][1]["values"] = [*single, *members]
    first = next(iter(members))
    for node in document["forest"]["trees"][0]["nodes"]:
        if node.get("test", {}).get("attribute") == "job":
            one, other = sorted(set(node["children"].values()))
            node["children"] = {
                name: one if name in (first, *members[first]) else other for name in (*single, *members)
            }
    return document


def test_missing_values_are_told_in_a_group_whose_names_are_cut() -> None:
    many = [f"job {i:02}" for i in range(30)]
    document = grouped({"{job 00, job 01 and 29 more}": [*many, "missing"]}, alone=("nurse",))
    shown = {"stands_for": ", ".join(many[:12]) + " and 19 more", "released": "{job 00, job 01 and 29 more}"}
    document["columns"][2]["parts"] = [{**shown, "records": 100}]

    assert jobs(document) == (*many, "nurse", "missing")


def test_a_category_with_a_comma_is_not_taken_for_missing_values() -> None:
    document = grouped({"{a, missing; b}": ["a, missing", "b"]}, alone=("c",))
    shown = {"stands_for": "a, missing, b", "released": "{a, missing; b}", "records": 100}
    document["columns"][2]["parts"] = [shown]

    assert jobs(document) == ("a, missing", "b", "c")


def test_labels_of_more_parts_than_the_document_lists_are_not_shown() -> None:
    groups = {f"{{{i:03}a, {i:03}b}}": [f"{i:03}a", f"{i:03}b"] for i in range(120)}
    document = grouped(groups)
    document["columns"][2]["parts"] = []

    assert len(jobs(document)) == 240
    assert not any(name.startswith("{") for name in jobs(document))


@pytest.mark.parametrize(
    ("groups", "alone", "added"),
    [
        ({"{a, missing}": ["a", "missing"], "b": ["b"]}, (), "missing"),
        ({"{a, missing, missing}": ["a", "missing", "missing"]}, ("missing", "b"), "missing (no value)"),
        ({"{a, missing}": ["a", "missing"]}, ("missing", "b"), ""),  # the category is in the group
        ({"{a, b}": ["a", "b"], "{c, missing}": ["c", "missing"]}, ("missing",), ""),
        ({"{a, b}": ["a", "b"]}, ("missing",), ""),
    ],
)
def test_a_category_called_missing_is_not_a_missing_value(
    groups: dict[str, list[str]], alone: tuple[str, ...], added: str
) -> None:
    document = grouped(groups, alone)
    labels = document["forest"]["grown"]["labels"]["job"]
    known = tuple(v for v in document["forest"]["attributes"][1]["values"] if v not in labels)

    assert jobs(document) == (*known, *([added] if added else []))


def test_a_category_called_missing_beside_missing_values_in_a_group() -> None:
    document = grouped({"{a, missing}": ["a", "missing"]}, ("missing", "b"))
    for node in document["forest"]["trees"][0]["nodes"]:
        if node.get("test", {}).get("attribute") == "job":
            node["children"]["missing"] = node["children"]["b"]

    assert jobs(document) == ("a", "b", "missing", "missing (no value)")


def test_the_picture_names_each_value_only_where_it_can_still_be() -> None:
    picture = published_trees(Publication.from_json(two_trees()))[0].svg

    assert ">farmer, teacher, missing<" in picture
    assert ">farmer, missing<" in picture
    assert "{" not in picture.split("</style>")[1].replace("{clerk, nurse}", "").replace(
        "{farmer, missing}", ""
    )


def test_closed_leaves_are_marked_in_the_picture_and_in_the_table() -> None:
    first, second = published_trees(Publication.from_json(two_trees()))

    assert [rule.closed for rule in first.rules] == [False, True, False, True]
    assert first.svg.count('class="rule rule-closed"') == 2
    assert "rule-closed" not in second.svg


def test_rules_count_their_records() -> None:
    rule = published_trees(Publication.from_json(two_trees()))[0].rules[1]

    assert (rule.number, rule.label, rule.counts, rule.records) == (2, "low", ("15", "3"), "18")
    assert rule.share == "83.3\N{NO-BREAK SPACE}%"


def test_rules_are_numbered_from_the_top_of_the_picture() -> None:
    document = two_trees()
    # The first value of the column now leads to the last child, which is drawn first.
    for children in (node.get("children", {}) for node in document["forest"]["trees"][0]["nodes"]):
        if "clerk" in children:
            children["clerk"], children["farmer"] = children["farmer"], children["clerk"]
    document["forest"]["trees"] = document["forest"]["trees"][:1]

    numbers = rule_numbers(readable_forest(Publication.from_json(document).forest))[0]

    picture = published_trees(Publication.from_json(document))[0]
    assert sorted(numbers.values()) == [1, 2, 3, 4]
    assert numbers[2] > numbers[4]
    assert picture.rules[numbers[2] - 1].records == "20"


def test_means_are_shortened_and_records_counted_from_the_groups() -> None:
    (tree,) = published_trees(Publication.from_json(regression()))

    assert [(rule.label, rule.records, rule.counts) for rule in tree.rules] == [
        ("20123.5", "45", ()),
        ("40900.5", "55", ()),
    ]


def test_records_of_a_mean_are_not_guessed_where_groups_are_missing_or_spread() -> None:
    document = regression() | {"groups_left_out": 1}
    assert {rule.records for rule in published_trees(Publication.from_json(document))[0].rules} == {"–"}

    document = regression()
    document["groups"][0]["leaves"] = [1, 2]
    assert {rule.records for rule in published_trees(Publication.from_json(document))[0].rules} == {"–"}


def test_a_tree_that_may_test_some_columns_says_so() -> None:
    document = two_trees()
    document["options"]["columns"] = [[], ["age", "town"]]

    assert [tree.says for tree in published_trees(Publication.from_json(document))] == [
        "Tests scored by: information gain.",
        "Tests scored by: Gini index. It may test only age, town.",
    ]


def test_leaves_of_one_class_are_counted() -> None:
    assert pure_leaves(readable_forest(Publication.from_json(two_trees()).forest)) == 1
    assert pure_leaves(readable_forest(Publication.from_json(regression()).forest)) == 0


def test_one_leaf_is_a_rule_about_all_records() -> None:
    (tree,) = published_trees(Publication.from_json(one_leaf()))

    assert [rule.conditions for rule in tree.rules] == ["every record"]
    assert tree.title == "The tree"
    assert [tree.title for tree in published_trees(Publication.from_json(many_groups()))] == [
        "Tree 1",
        "Tree 2",
    ]


def chain(leaves: int) -> dict[str, Any]:
    """A document with one tree that tests age again and again."""
    document = one_leaf()
    nodes: list[dict[str, Any]] = []
    for place in range(leaves - 1):
        nodes.append(
            {
                "id": 2 * place,
                "test": {"attribute": "age", "threshold": place + 0.5},
                "children": {"le": 2 * place + 1, "gt": 2 * place + 2},
                "missing_to": 2 * place + 2,
                "counts": [1, 1],
            }
        )
        nodes.append({"id": 2 * place + 1, "counts": [1, 0]})
    nodes.append({"id": 2 * leaves - 2, "counts": [0, 1]})
    document["forest"]["trees"] = [{"nodes": nodes}]
    return document


def test_a_large_tree_is_folded_and_its_rules_are_cut() -> None:
    (tree,) = published_trees(Publication.from_json(chain(302)))

    assert tree.folded == "The picture of its 302 leaves"
    assert (tree.leaves, len(tree.rules), tree.unfolded) == (302, 300, False)
    assert tree.left_out == "2 more rules are in tree.json."
    page = tree_report(Publication.from_json(chain(302)))
    assert "Its 302 rules as a table" in page
    assert '<details class="large-tree">' in page
    assert tree.left_out in page


def test_a_very_large_tree_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hushwood.reports.tree.published_trees.LEAVES_DRAWN", 70)
    assert published_trees(Publication.from_json(chain(70)))[0].svg
    assert published_trees(Publication.from_json(chain(71)))[0].svg == ""
    assert "A tree of 71 leaves is too large to be drawn here" in tree_report(
        Publication.from_json(chain(71))
    )


def test_a_tree_of_sixty_leaves_is_shown() -> None:
    (tree,) = published_trees(Publication.from_json(chain(60)))

    assert (tree.folded, tree.left_out) == ("", "")
    assert published_trees(Publication.from_json(chain(61)))[0].folded == "The picture of its 61 leaves"
    assert "large-tree" not in tree_report(Publication.from_json(chain(60))).split("</style>", 1)[1]


def test_a_drawing_that_does_not_fit_the_page_has_a_hint() -> None:
    assert [tree.wide for tree in published_trees(Publication.from_json(two_trees()))] == [False, False]
    assert published_trees(Publication.from_json(chain(60)))[0].wide
    assert "Wider than the page: scroll sideways." in tree_report(Publication.from_json(chain(60)))
    assert "Wider than the page" not in tree_report(Publication.from_json(two_trees()))

"""Certified trees with their rules; and two trees side by side, every leaf marked by a letter and a word."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

from hushwood.evaluation.evaluation import Evaluation
from hushwood.reports.release.rule_trees import (
    DEPTH,
    RULES_OPEN,
    TYPES,
    ComparedTrees,
    compared_trees,
    cut,
    predicted_names,
    tree_views,
)
from hushwood.trees.forest import LEAF, Forest, describe, rules_of
from hushwood.trees.model_file import forest_to_json
from support.sample_entries import document_of, evaluation_of, measure_entry, plan_step
from support.small_trees import income_forest


def document(types: str = "ABCD", kept: str = "ynny") -> dict[str, Any]:
    """The first income tree twice, its four leaves marked in their order."""
    forest = income_forest()
    leaves = forest.trees[0].leaves.tolist()
    details = {
        "shares": {"A": 0.5, "B": 0.25, "C": 0.25, "D": 0.0},
        "verdict": "Similar",
        "rules": [{"leaf": leaf, "type": kind} for leaf, kind in zip(leaves, types, strict=True)],
        "original_rules": [{"leaf": leaf, "kept": k == "y"} for leaf, k in zip(leaves, kept, strict=True)],
    }
    model = forest_to_json(forest)
    tree = model | {"trees": model["trees"][:1]}
    made = document_of(measure_entry("rule_types", details=details))
    return made | {"forests": {"original_tree": tree, "released_tree": tree}}


def compared(**marks: str) -> ComparedTrees:
    found = compared_trees(Evaluation.from_json(document(**marks)))
    assert found is not None
    return found


def marked_titles(svg: str) -> list[tuple[str, str]]:
    found = re.findall(r'<g class="rule rule-(\w+)"><title>([^<]*)</title>', svg)
    return [(mark, unescape(title)) for mark, title in found]


def test_every_leaf_has_the_mark_of_its_own_rule() -> None:
    titles = marked_titles(compared().after.svg)

    assert [mark for mark, _ in titles] == ["A", "B", "C", "D"]
    assert titles[1][1].startswith(f"B, {TYPES['B'][1]}: age ≤ 20 and sex in {{Male, Other}} → low")
    assert titles[3][1].startswith(f"D, {TYPES['D'][1]}: age > 27 → high")


def test_a_mark_is_a_letter_and_a_word_in_the_picture() -> None:
    svg = compared().after.svg

    assert re.findall(r'class="rule-letter"[^>]*>(\w)<', svg) == ["A", "B", "C", "D"]
    assert re.findall(r'class="rule-word"[^>]*>([^<]+)<', svg) == [word for word, _ in TYPES.values()]
    assert svg.count("<g") == svg.count("</g>") == 4


def test_lost_rules_are_marked_in_the_original() -> None:
    assert [mark for mark, _ in marked_titles(compared().before.svg)] == ["A", "lost", "lost", "A"]


def test_rules_come_by_type_with_their_records() -> None:
    found = compared(types="CABA")

    assert [(rule.mark, rule.records) for rule in found.after.rules] == [
        ("C", "5"),
        ("B", "10"),
        ("A", "5"),
        ("A", "4"),
    ]
    assert found.after.rules[2].rule == "age > 27 → high"
    assert found.before.rules[0].word == "lost"
    assert found.shares[0] == ("A", TYPES["A"][1], "50\N{NO-BREAK SPACE}%")
    assert found.verdict == "Similar"


@pytest.mark.parametrize(
    ("counts", "said"), [([None, 125], "about 125"), ([None, None], "few"), ([5, 5], "10")]
)
def test_withheld_counts_leave_the_total_open(counts: list[int | None], said: str) -> None:
    made = document()
    made["forests"]["released_tree"]["trees"][0]["nodes"][2]["counts"] = counts

    found = compared_trees(Evaluation.from_json(made))
    assert found is not None
    assert said in {rule.records for rule in found.after.rules if rule.mark == "A"}


def test_without_details_or_trees_there_is_nothing_to_compare() -> None:
    assert compared_trees(Evaluation.from_json(document() | {"forests": {}})) is None
    assert compared_trees(evaluation_of(measure_entry("rule_types"))) is None
    assert compared_trees(evaluation_of()) is None


def with_trees(per_tree: list[int], **release: Any) -> dict[str, Any]:
    certificate = {"claimed": True, "records": 24, "kept": 24, "per_tree": per_tree}
    made = document_of(**({"certificate": certificate, "plan": [plan_step("job")]} | release))
    return made | {"forests": {"original": forest_to_json(income_forest())}}


def test_rules_come_by_size_without_those_that_no_record_follows() -> None:
    first, second = tree_views(Evaluation.from_json(with_trees([24, 20])))

    assert [(rule.conditions, rule.counts) for rule in second.rules] == [
        ("sex = Male", ("2", "12")),
        ("sex = Female", ("9", "1")),
    ]
    assert [rule.share for rule in second.rules] == ["85.7\N{NO-BREAK SPACE}%", "90\N{NO-BREAK SPACE}%"]
    assert (first.title, first.kept) == ("Tree 1", "24 of 24 records follow the same rule as before.")
    assert second.kept.startswith("20 of 24")
    assert first.unfolded == (len(first.rules) <= RULES_OPEN)


def test_withheld_counts_give_no_share() -> None:
    made = with_trees([])
    made["forests"]["original"]["trees"][1]["nodes"][1]["counts"] = [9, None]
    first, second = tree_views(Evaluation.from_json(made))

    rule = next(r for r in second.rules if r.conditions == "sex = Female")

    assert (rule.counts, rule.share) == (("9", "fewer than 5"), "")
    assert first.kept == ""


def test_without_a_forest_or_of_a_foreign_release_there_are_no_trees() -> None:
    assert tree_views(evaluation_of()) == []
    assert predicted_names(evaluation_of()) == []
    assert [p.classes for p in predicted_names(Evaluation.from_json(with_trees([])))] == [("low", "high")]
    assert tree_views(Evaluation.from_json(with_trees([24, 24], plan=[]))) == []


def test_a_release_without_a_certificate_still_shows_its_trees() -> None:
    found = tree_views(Evaluation.from_json(with_trees([], certificate=None)))

    assert [view.kept for view in found] == ["", ""]


def deep_document(types: str) -> dict[str, Any]:
    """A tree that tests the age five times: a leaf at every test, and one more at the end."""
    made, nodes = document(), []
    for test in range(0, 10, 2):
        limit = {"attribute": "age", "threshold": 80 - 5 * test}
        ends = {"le": test + 1, "gt": test + 2}
        nodes.append({"id": test, "test": limit, "children": ends, "missing_to": test + 2, "counts": [5, 5]})
        nodes.append({"id": test + 1, "counts": [0, 1]})
    nodes.append({"id": 10, "counts": [5, 0]})
    leaves = (1, 3, 5, 7, 9, 10)
    details = made["measures"][0]["details"]
    details["rules"] = [{"leaf": leaf, "type": kind} for leaf, kind in zip(leaves, types, strict=True)]
    details["original_rules"] = [{"leaf": leaf, "kept": True} for leaf in leaves]
    tree = made["forests"]["original_tree"] | {"trees": [{"nodes": nodes}]}
    return made | {"forests": {"original_tree": tree, "released_tree": tree}}


def test_deep_trees_are_drawn_to_depth_three_and_the_rest_is_counted() -> None:
    found = compared_trees(Evaluation.from_json(deep_document("AAABAC")))
    assert found is not None
    titles = marked_titles(found.after.svg)

    assert [mark for mark, _ in titles] == ["A", "A", "A", "deeper"]
    assert titles[-1][1].startswith("+, 3 more rules are in the table, 1 of them the same:")
    assert "1 of 3 same" in found.after.svg
    assert len(found.after.rules) == 6


@pytest.fixture
def forest() -> Forest:
    return income_forest()


def test_a_tree_that_fits_stays_whole(forest: Forest) -> None:
    for tree in forest.trees:
        found = cut(tree, DEPTH)
        assert found.below == {}
        assert found.places == {node: node for node in range(len(tree))}
        assert [describe(rule) for rule in rules_of(found.tree, forest)] == [
            describe(rule) for rule in rules_of(tree, forest)
        ]


def test_a_root_alone_stands_for_all_leaves(forest: Forest) -> None:
    tree = forest.trees[0]
    found = cut(tree, 0)

    assert found.tree.attribute.tolist() == [LEAF]
    assert found.below == {0: tuple(tree.leaves.tolist())}
    assert found.tree.counts.tolist() == [tree.counts[0].tolist()]


def test_ends_stand_for_the_leaves_below_them(forest: Forest) -> None:
    # Nodes 0 and 3 test the age, node 1 the sex; 2, 4, 5 and 6 are leaves.
    found = cut(forest.trees[0], 2)

    assert found.places == {0: 0, 1: 1, 2: 2, 3: 3, 6: 4}
    assert found.below == {3: (4, 5)}
    assert found.tree.leaves.tolist() == [2, 3, 4]
    assert found.tree.counts[3].tolist() == [5, 9]
    assert [describe(rule) for rule in rules_of(found.tree, forest)][2] == "age > 27 → high"

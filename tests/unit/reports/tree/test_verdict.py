"""The first sentence about a published tree."""

from __future__ import annotations

from typing import Any

from hushwood.evaluation.publication import Publication
from hushwood.reports.release.verdicts import Verdict
from hushwood.reports.tree.page import tree_report
from hushwood.reports.tree.verdict import proof, tree_verdict
from support.sample_publication import one_leaf, regression, two_trees


def verdict_on(document: dict[str, Any]) -> Verdict:
    return tree_verdict(Publication.from_json(document))


def proved_by(document: dict[str, Any]) -> str:
    return proof(Publication.from_json(document))


def test_both_promises_are_in_the_headline() -> None:
    found = verdict_on(two_trees())

    assert found.tone == "good"
    assert found.headline == "Every record has at least 11 others like it, and both trees can be grown again."


def test_one_other_and_three_trees() -> None:
    document = two_trees()
    document["privacy"]["k"], document["options"]["k"] = 2, 2
    document["forest"]["trees"] *= 2
    document["forest"]["trees"].pop()

    assert "at least 1 other like it, and all 3 trees" in verdict_on(document).headline


def test_no_one_is_hidden_by_a_k_of_one() -> None:
    document = one_leaf()
    document["privacy"]["k"], document["options"]["k"] = 1, 1

    found = verdict_on(document)

    assert (found.tone, found.headline) == (
        "care",
        "Some records are alone, and the tree can be grown again.",
    )


def test_a_broken_promise_comes_first() -> None:
    document = one_leaf()
    document["privacy"]["k"] = 4
    assert verdict_on(document).headline.startswith("Do not publish: the tree can be grown again, but")

    document["verified"] = {"same": False, "sentence": "Node 0 differs."}
    found = verdict_on(document)
    assert found.tone == "bad"
    assert found.headline == "Do not publish: the tree cannot be grown again from the table."
    assert found.check == "Node 0 differs."


def test_columns_that_are_not_counted_narrow_the_claim() -> None:
    document = two_trees()
    document["privacy"]["quasi_identifiers"] = ["age", "town"]

    assert "at least 11 others with the same quasi-identifiers" in verdict_on(document).headline


def test_all_tests_are_tried_in_the_usual_case() -> None:
    assert proved_by(two_trees()) == (
        "at every inner node, no test on any column of the released table scores better than the published one. "
        "So anyone who grows trees from that table by the same score gets these."
    )
    document = regression()
    document["options"] |= {"max_leaves": 7, "columns": [["age"]]}
    assert proved_by(document) == (
        "at every inner node, no test on any column of the released table that its tree may test scores better than "
        "the published one. So anyone who grows a tree from that table by the same score within the same limits gets "
        "this one."
    )


def test_the_one_order_is_stated() -> None:
    document = two_trees() | {"one_order": True}
    document["options"]["min_leaf"] = 5
    assert "(with at least 5 records on each side)" in proved_by(document)
    assert "by their share, in the whole table, of the class that is most frequent there." in proof(
        Publication.from_json(document)
    )
    document = regression() | {"one_order": True}
    assert "by the mean of pay among their records in the whole table." in proof(
        Publication.from_json(document)
    )


def test_the_page_says_it() -> None:
    document = two_trees()
    assert "the best split that the file offers" in tree_report(Publication.from_json(document))
    assert "which all nodes share" not in tree_report(Publication.from_json(document))
    document["one_order"] = True
    page = tree_report(Publication.from_json(document))
    assert "Other ways to split categories are not tried and may score better." in page
    assert "the best split that growing tries there" in page
    assert "which all nodes share" in page

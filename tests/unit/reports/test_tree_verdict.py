"""The first sentence about a published tree."""

from __future__ import annotations

from hushwood.reports.tree_verdict import tree_verdict
from sample_publication import one_leaf, two_trees


def test_both_promises_are_in_the_headline() -> None:
    found = tree_verdict(two_trees())

    assert found.tone == "good"
    assert found.headline == "Every record has at least 11 others like it, and both trees can be grown again."


def test_one_other_and_three_trees() -> None:
    document = two_trees()
    document["privacy"]["k"], document["options"]["k"] = 2, 2
    document["forest"]["trees"] *= 2
    document["forest"]["trees"].pop()

    assert "at least 1 other like it, and all 3 trees" in tree_verdict(document).headline


def test_nobody_is_hidden_by_a_k_of_one() -> None:
    document = one_leaf()
    document["privacy"]["k"], document["options"]["k"] = 1, 1

    found = tree_verdict(document)

    assert (found.tone, found.headline) == (
        "care",
        "Some records are alone, and the tree can be grown again.",
    )


def test_a_broken_promise_comes_first() -> None:
    document = one_leaf()
    document["privacy"]["k"] = 4
    assert tree_verdict(document).headline.startswith("Do not publish: the tree can be grown again, but")

    document["verified"] = {"same": False, "sentence": "Node 0 differs."}
    found = tree_verdict(document)
    assert found.tone == "bad"
    assert found.headline == "Do not publish: the tree cannot be grown again from the table."
    assert found.check == "Node 0 differs."


def test_columns_that_are_not_counted_narrow_the_claim() -> None:
    document = two_trees()
    document["privacy"]["quasi_identifiers"] = ["age", "town"]

    assert "at least 11 others with the same quasi-identifiers" in tree_verdict(document).headline

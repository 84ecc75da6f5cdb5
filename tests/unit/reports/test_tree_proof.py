"""What the check of a published tree proves: all tests, or only those that one order of categories offers."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.reports.tree_page import tree_report
from hushwood.reports.tree_proof import in_one_order, proof
from sample_publication import regression, two_trees


@pytest.mark.parametrize(
    ("options", "classes", "expected"),
    [
        ({}, 2, False),
        ({"criteria": ["gini", "information_gain"]}, 2, False),
        ({"criteria": ["information_gain", "gain_ratio"]}, 2, True),
        ({"min_leaf": 2}, 2, True),
        ({}, 3, True),
    ],
)
def test_which_options_put_categories_in_one_order(
    options: dict[str, Any], classes: int, expected: bool
) -> None:
    document = two_trees()
    document["options"] |= options
    document["classes"] = ["low", "high", "none"][:classes]

    assert in_one_order(document) is expected
    assert (
        "Other ways to part categories are not tried and may score better." in proof(document)
    ) is expected
    document["forest"]["attributes"] = document["forest"]["attributes"][:1]  # numbers have one order only
    assert not in_one_order(document)


def test_all_tests_are_tried_in_the_usual_case() -> None:
    assert proof(two_trees()) == (
        "at every inner node, no test on any column of the released table scores better than the published one. "
        "So whoever grows trees from that table by the same score gets these."
    )
    document = regression()
    document["options"] |= {"max_leaves": 7, "columns": [["age"]]}
    assert proof(document) == (
        "at every inner node, no test on any column of the released table that its tree may test scores better than "
        "the published one. So whoever grows a tree from that table by the same score within the same limits gets "
        "this one."
    )


def test_the_one_order_is_told() -> None:
    document = two_trees()
    document["options"]["min_leaf"] = 5
    assert "(with at least 5 records on each side)" in proof(document)
    assert "by their share, in the whole table, of the class that is most frequent there." in proof(document)
    document = regression()
    document["options"]["min_leaf"] = 5
    assert "by the mean of pay among their records in the whole table." in proof(document)


def test_the_page_says_it() -> None:
    document = two_trees()
    assert "the best split that the file offers" in tree_report(document)
    assert "which all nodes share" not in tree_report(document)
    document["options"]["criteria"] = ["gain_ratio", "gini"]
    page = tree_report(document)
    assert "Other ways to part categories are not tried and may score better." in page
    assert "the best split that growing tries there" in page
    assert "which all nodes share" in page

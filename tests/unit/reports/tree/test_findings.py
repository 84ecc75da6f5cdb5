"""The numbers of a published tree: what is compared with what, and when a promise counts as kept."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.evaluation.publication import Publication
from hushwood.reports.release.findings import Finding
from hushwood.reports.release.judgement import Conclusion
from hushwood.reports.tree.findings import (
    diversity_text,
    headlines,
    privacy_findings,
    promises_kept,
    proof,
    score_text,
    tree_verdict,
    uncounted_columns,
    use_findings,
)
from hushwood.reports.tree.page import tree_report
from support.sample_publication import one_leaf, regression, two_trees


def by_name(document: dict[str, Any]) -> dict[str, Finding]:
    publication = Publication.from_json(document)
    return {f.name: f for f in (*privacy_findings(publication), *use_findings(publication))}


def test_k_is_compared_with_all_that_it_should_be() -> None:
    found = by_name(two_trees())["k"]

    assert (found.answer, found.tone, found.badge) == ("K = 12", "good", "promise kept")
    assert found.compares == (
        "Asked for: 5. In the original table it was 1. If income is counted as known too, it is 3."
    )
    assert "there are 4 groups, and the smallest has 12 records" in found.meaning


def test_a_class_that_is_counted_is_called_known() -> None:
    document = two_trees()
    document["options"]["class_in_groups"] = True

    assert by_name(document)["k"].compares.endswith("income is counted as known.")


@pytest.mark.parametrize(
    ("asked", "found", "tone", "kept"), [(5, 4, "bad", False), (5, 5, "good", True), (1, 1, "care", True)]
)
def test_a_k_that_is_too_small_breaks_the_promise(asked: int, found: int, tone: str, kept: bool) -> None:
    document = two_trees()
    document["options"]["k"], document["privacy"]["k"] = asked, found

    assert by_name(document)["k"].tone == tone
    assert promises_kept(Publication.from_json(document)) is kept
    assert ("may find the one record" in by_name(document)["k"].meaning) is (found == 1)


def test_l_is_stated_as_a_share_and_compared_with_the_whole_table() -> None:
    found = by_name(two_trees())["l-illness"]

    assert (found.answer, found.tone) == ("L = 2.4", "good")
    assert "at most 41.7\N{NO-BREAK SPACE}% of the records" in found.meaning
    assert found.compares == "Asked for: 2. The whole table has 6, and no grouping can have more."


def test_an_l_that_is_too_small_breaks_the_promise_and_one_that_asks_nothing_is_not_marked() -> None:
    document = two_trees()
    document["options"]["l"] = 2.5
    assert by_name(document)["l-illness"].tone == "bad"
    assert not promises_kept(Publication.from_json(document))
    document["options"]["l"] = 1.0
    found = by_name(document)["l-illness"]
    assert (found.tone, found.badge) == ("plain", "")
    assert "Asked for: 1, which is nothing." in found.compares


def test_accuracy_stands_between_guessing_and_a_tree_without_promises() -> None:
    found = by_name(two_trees())["unseen"]

    assert found.answer == "80\N{NO-BREAK SPACE}%"
    assert found.place == pytest.approx(0.8)
    assert found.badge == "small loss"
    assert "85" in found.compares
    assert "60" in found.compares


def test_the_number_for_unseen_records_is_called_that_of_other_trees() -> None:
    assert by_name(two_trees())["unseen"].compares == (
        "The average vote of trees grown in the same way on other records (5 to 7 leaves together). "
        "Grown without K and L: 85\N{NO-BREAK SPACE}%. Naive guess: 60\N{NO-BREAK SPACE}%."
    )
    document = regression()
    assert by_name(document)["unseen"].compares.startswith(
        "5 trees grown in the same way on other records (5"
    )
    document["accuracy"]["unseen_leaves"] = [1]
    assert by_name(document)["unseen"].compares.startswith(
        "A tree grown in the same way on other records (1 leaf)"
    )


@pytest.mark.parametrize(
    ("own", "leaves", "said"),
    [
        (
            0.49,
            [3, 4],
            "The published tree happens to be smaller than these (2 leaves): even on the table itself ",
        ),
        (0.49, [2, 4], "The published tree happens to be worse than these: even on the table itself "),
        (0.51, [3, 4], ""),
        (None, [3, 4], ""),
    ],
)
def test_a_published_tree_that_is_worse_than_its_siblings_is_called_so(
    own: float | None, leaves: list[int], said: str
) -> None:
    document = regression()  # 0.55 on unseen records
    document["accuracy"] |= {"on_the_table": own, "unseen_leaves": leaves}
    said_of_it = by_name(document)["unseen"].compares
    assert said_of_it.endswith(f" {said}the score is only 0.490." if said else "Naive guess: -0.010.")


def test_without_unseen_records_only_the_fit_is_stated() -> None:
    assert "unseen" not in by_name(one_leaf())
    assert by_name(one_leaf())["on_the_table"].answer == "83\N{NO-BREAK SPACE}%"


def test_regression_is_stated_as_explained_variance() -> None:
    document = regression()
    assert by_name(document)["unseen"].title == "Explained variance (R²) on unseen records"
    assert by_name(document)["unseen"].answer == "0.550"
    document["accuracy"]["on_the_table"] = None
    assert by_name(document)["on_the_table"].answer == "–"


def test_leaves_are_counted_tree_by_tree() -> None:
    several, single = by_name(two_trees())["leaves"], by_name(one_leaf())["leaves"]

    assert several.answer == "6 leaves (4 + 2)"
    assert several.compares == "2 are closed. Expansions tried: 21, undone: 12."
    assert single.answer == "1 leaf"
    assert single.compares == "It is not closed. No expansion was tried."


def test_no_sensitive_attribute_gives_no_l() -> None:
    assert [f.name for f in privacy_findings(Publication.from_json(regression()))] == ["k"]


def test_headlines_say_the_same_in_short() -> None:
    found = privacy_findings(Publication.from_json(two_trees()))

    assert [(h.title, h.answer, h.compares) for h in headlines(found)] == [
        (f.title, f.answer, f.compares) for f in found
    ]


def test_l_is_never_rounded_up() -> None:
    assert [diversity_text(v) for v in (2.0, 1.999, 2.3, 3.129, 10 / 3)] == [
        "2",
        "1.99",
        "2.3",
        "3.12",
        "3.33",
    ]


def test_a_score_without_a_value_is_a_dash() -> None:
    assert score_text(None, "r_squared") == "–"
    assert score_text(-0.0001, "r_squared") == "0.000"


def test_columns_that_differ_and_are_not_counted_are_named() -> None:
    document = two_trees()
    assert uncounted_columns(Publication.from_json(document)) == []
    document["privacy"]["quasi_identifiers"] = ["age"]
    assert uncounted_columns(Publication.from_json(document)) == ["job"]
    document["columns"][3]["what"] = "copied"
    assert uncounted_columns(Publication.from_json(document)) == ["job", "town"]


def verdict_on(document: dict[str, Any]) -> Conclusion:
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

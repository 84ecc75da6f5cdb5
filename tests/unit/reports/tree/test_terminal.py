"""The few lines that publishing a tree prints."""

from __future__ import annotations

from hushwood.evaluation.publication import Publication
from hushwood.reports.tree.terminal import tree_summary_lines
from hushwood.reports.words.text_tables import WIDEST
from support.sample_publication import many_groups, one_leaf, regression, two_trees


def test_the_verdict_and_the_numbers_of_both_sides() -> None:
    lines = tree_summary_lines(Publication.from_json(two_trees()))

    assert lines[0] == "Every record has at least 11 others like it, and both trees can be grown again."
    text = "\n".join(lines)
    for said in ("K = 12", "L = 2.4", "80\N{NO-BREAK SPACE}%", "6 leaves (4 + 2)"):
        assert said in text
    assert "Accuracy on the table" not in text
    assert len(lines) <= 14
    assert "grown in the same way on other records (5" in " ".join(text.split())


def test_without_unseen_records_the_fit_is_stated() -> None:
    assert any(
        "Accuracy on the table" in line for line in tree_summary_lines(Publication.from_json(one_leaf()))
    )


def test_lines_fit_a_terminal() -> None:
    for document in (two_trees(), regression(), one_leaf(), many_groups()):
        assert all(len(line) <= WIDEST for line in tree_summary_lines(Publication.from_json(document)))


def test_columns_are_counted_and_growth_has_its_reason() -> None:
    assert tree_summary_lines(Publication.from_json(two_trees()))[-2:] == [
        "Columns: 2 generalised, 2 suppressed, 1 unchanged, 1 dropped. Growth ended because every leaf that",
        "could be expanded was tried.",
    ]


def test_copied_columns_are_warned_of() -> None:
    document = two_trees()
    document["columns"][3]["what"] = "copied"

    assert (
        tree_summary_lines(Publication.from_json(document))[-1] == "WARNING: copied without any change: town."
    )

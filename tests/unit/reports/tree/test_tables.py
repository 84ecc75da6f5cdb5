"""The tables of a published tree: groups, columns and settings."""

from __future__ import annotations

import pytest

from hushwood.evaluation.publication import Publication
from hushwood.reports.tree.tables import (
    copied_columns,
    generalised_columns,
    group_rows,
    option_rows,
    other_columns,
    tree_summary_lines,
)
from hushwood.reports.wording import WIDEST
from support.sample_publication import many_groups, one_leaf, regression, two_trees


def test_groups_lead_to_the_rules_they_follow() -> None:
    rows = group_rows(Publication.from_json(two_trees()))

    assert [row.rules for row in rows] == ["3 / 1", "2 / 1", "1 / 1", "4 / 2"]
    assert rows[1].values == (("age", "27"), ("job", "{farmer, missing}"))
    assert (rows[1].number, rows[1].records, rows[1].diversity) == (2, "18", ("3.12",))


def test_a_group_spread_over_leaves_follows_several_rules() -> None:
    document = regression()
    document["groups"][0]["leaves"] = [1, 2]

    assert [row.rules for row in group_rows(Publication.from_json(document))] == ["several", "2"]
    assert [row.diversity for row in group_rows(Publication.from_json(document))] == [(), ()]


def test_what_each_released_value_stands_for() -> None:
    age, job = generalised_columns(Publication.from_json(two_trees()))

    assert (age.name, age.role, age.says) == ("age", "quasi-identifier", "60 values became 2.")
    assert age.parts == (("up to 27.5", "27", "50"), ("above 27.5", "41", "50"))
    assert job.parts[0] == ("clerk, nurse", "{clerk, nurse}", "20")


def test_long_columns_are_folded_and_cut_ones_say_so() -> None:
    document = two_trees()
    part = {"stands_for": "up to 1", "released": None, "records": 5}
    document["columns"][1] |= {"after": 300, "parts": [part] * 100}

    column = generalised_columns(Publication.from_json(document))[0]

    assert not column.unfolded
    assert column.says == "60 values became 300. The first 100 are listed."
    assert column.parts[0][1] == "(empty)"


def test_all_other_columns_take_a_line_each_kind() -> None:
    assert other_columns(Publication.from_json(two_trees())) == [
        ("Released unchanged", "income (the class)"),
        ("Suppressed: one value for all records", "town (now ALL), illness (now ALL)"),
        ("Not released", "name"),
    ]
    assert generalised_columns(Publication.from_json(one_leaf())) == []


def test_columns_that_are_copied_are_named() -> None:
    document = two_trees()
    assert copied_columns(Publication.from_json(document)) == []
    document["columns"][3]["what"] = "copied"
    assert copied_columns(Publication.from_json(document)) == ["town"]
    assert ("Copied without any change", "town") in other_columns(Publication.from_json(document))


@pytest.mark.parametrize(
    ("option", "value", "name", "said"),
    [
        ("k", 1000, "K", "1,000"),
        ("max_leaves", None, "Maximum number of leaves", "no limit"),
        ("max_leaves", 9, "Maximum number of leaves", "9"),
        ("mode", "delta", "Mode", "delta"),
        ("thresholds", "data", "Thresholds", "data"),
        ("stop_at_first_failure", True, "If a promise breaks", "stop"),
        ("class_in_groups", True, "Class in groups", "yes"),
        ("criteria", ["gini"], "Tests scored by", "Gini index"),
    ],
)
def test_settings_are_put_into_words(option: str, value: object, name: str, said: str) -> None:
    document = two_trees()
    document["options"][option] = value

    row = next(row for row in option_rows(Publication.from_json(document)) if row.name == name)

    assert row.value == said
    assert row.meaning.endswith(".")


def test_l_without_a_sensitive_column_says_that_it_asks_nothing() -> None:
    meanings = {row.name: row.meaning for row in option_rows(Publication.from_json(regression()))}

    assert meanings["L"].startswith("No column was declared sensitive")


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

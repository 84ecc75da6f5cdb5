"""Columns, extremes and trees as rows of text, from a document small enough to read."""

from __future__ import annotations

from typing import Any

from hushwood.reports.views import (
    COARSER,
    COMPARED,
    COPIED,
    DROPPED,
    RULES_OPEN,
    class_and_values,
    column_rows,
    copied_columns,
    extreme_rows,
    still_named,
    tree_views,
)
from hushwood.trees.model_file import forest_to_json
from sample_entries import document_of
from small_trees import income_forest


def column(name: str, role: str = "ordinary", **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": "categorical", "role": role, "storage": "String", "missing": 0} | more


def technique(*columns: str, keeps_segment: bool = True) -> dict[str, Any]:
    said = {"says": f"Changed {columns[0]}.", "acronym": "RPT", "keeps_segment": keeps_segment}
    return {"columns": list(columns), "technique": "rpt"} | said


def document(
    *columns: dict[str, Any], plan: tuple[dict[str, Any], ...] = (), **release: Any
) -> dict[str, Any]:
    made = document_of(plan=list(plan), **release)
    return made | {"schema": list(columns)}


def number(low: float | None, high: float | None, precision: int | None, **more: Any) -> str:
    """What is said of a numeric column."""
    given = column("x", kind="numeric", low=low, high=high, precision=precision, **more)
    return column_rows(document(given))[0].what


def with_trees(per_tree: list[int]) -> dict[str, Any]:
    made = document(certificate={"records": 24, "per_tree": per_tree}, plan=(technique("job"),))
    return made | {"forests": {"original": forest_to_json(income_forest())}}


def test_a_column_says_what_was_done_to_it() -> None:
    job = column("job", "confidential", categories=3, missing=2)
    made = document(job, plan=(technique("job"), technique("other")))
    made["measures"] = [
        {"name": "unchanged_cells", "details": {"columns": [{"column": "job", "share": 0.25}]}}
    ]

    (row,) = column_rows(made)

    assert (row.name, row.role, row.what, row.missing) == ("job", "confidential", "3 categories", "2 missing")
    assert (row.done, row.technique, row.care) == ("Changed job.", "RPT", False)
    assert row.unchanged == "25\N{NO-BREAK SPACE}%"


def test_copied_and_dropped_columns() -> None:
    made = document(
        column("id", "identifier"), column("branch", "ignored"), column("job"), plan=(technique("job"),)
    )

    assert [row.done for row in column_rows(made)] == [DROPPED, COPIED, "Changed job."]
    assert [row.care for row in column_rows(made)] == [False, True, False]
    assert copied_columns(made) == ["branch"]


def test_a_technique_that_leaves_the_segment_asks_for_care() -> None:
    (row,) = column_rows(document(column("job"), plan=(technique("job", keeps_segment=False),)))

    assert row.care


def test_numbers_are_described_by_their_grid_and_limits() -> None:
    assert number(17, 90, 0) == "whole numbers, 17 to 90"
    assert number(0, 1250.5, 1) == "numbers with 1 decimal, 0 to 1,250.5"
    assert number(0, 1, None, rounded=True) == "real numbers, about 0 to 1"
    assert number(0, 31, 0, storage="Date") == "dates, 1970-01-01 to 1970-02-01"
    assert number(None, None, 0) == "numeric"


def test_extremes_are_shown_as_their_column_shows_them() -> None:
    extreme = {"column": "born", "end": "lowest", "value": 1.0, "unchanged": True}
    made = document(column("born", storage="Date"), unique_extremes={"values": [extreme]})

    (row,) = extreme_rows(made)

    assert (row.column, row.end, row.value, row.unchanged) == ("born", "lowest", "1970-01-02", True)
    assert extreme_rows(document(unique_extremes={"count": None})) == []


def test_rules_come_by_size_without_those_nobody_follows() -> None:
    first, second = tree_views(with_trees([24, 20]))

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

    rule = next(r for r in tree_views(made)[1].rules if r.conditions == "sex = Female")

    assert (rule.counts, rule.share) == (("9", "fewer than 5"), "")
    assert tree_views(made)[0].kept == ""


def test_without_a_forest_there_are_no_trees() -> None:
    assert tree_views(document()) == []
    assert class_and_values(document()) == ("", [])
    assert class_and_values(with_trees([]))[1] == ["low", "high"]


def test_of_somebody_elses_release_only_the_comparison_is_known() -> None:
    made = document(column("id", "identifier"), column("age"), column("job"), column("town"))
    made["audit"] |= {
        "left_out": [
            {"column": "id", "reason": "It names people and is STILL in the release."},
            {"column": "town", "reason": "The release does not have it."},
        ],
        "generalised": ["age"],
    }

    rows = {row.name: row for row in column_rows(made)}

    assert rows["town"].done == "Left out of the comparison. The release does not have it."
    assert (rows["age"].done, rows["job"].done) == (COARSER, COMPARED)
    assert [name for name, row in rows.items() if row.care] == ["id"] == still_named(made)
    assert copied_columns(made) == []


def test_somebody_elses_release_has_no_certified_trees() -> None:
    made = with_trees([24, 24])
    made["release"]["plan"] = []

    assert tree_views(made) == []


def test_a_release_without_a_certificate_still_shows_its_trees() -> None:
    made = with_trees([])
    made["release"]["certificate"] = None

    assert [view.kept for view in tree_views(made)] == ["", ""]

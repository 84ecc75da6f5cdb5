"""Columns, extremes and numbers drawn together as rows of text, from an evaluation small enough to read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.plain_data import from_plain
from hushwood.evaluation.release_facts import DrawnTogether, ErrorSummary
from hushwood.reports.redaction import publishable
from hushwood.reports.release.columns import (
    announced,
    column_rows,
    copied_columns,
    copy_warnings,
    drawn_together_table,
    extreme_rows,
    not_compared,
    notices,
    still_identifying,
)
from hushwood.reports.release.page import internal_report, publishable_report
from hushwood.reports.signoff import SignOff, signoff_page
from hushwood.tables.pairs.common_coding import STILL_RELEASED
from support.sample_entries import document_of, measure_entry, plan_step, risk_entry
from support.sample_verdicts import mixed_verdict

FOUND = from_plain(
    DrawnTogether,
    {
        "columns": ["age", "pay"],
        "technique": "egadp",
        "within": "segment",
        "ways": [
            {"way": "own", "segments": 3, "records": 1200},
            {"way": "rotation", "segments": None, "records": 40},
            {"way": "noise", "segments": 7, "records": 7},
        ],
        "mean_error": {"largest": 0.25, "mean": 1e-13},
        "covariance_error": {"largest": 0.5, "mean": 0.0123},
    },
)


def column(name: str, role: str = "ordinary", **more: Any) -> dict[str, Any]:
    return {"name": name, "kind": "categorical", "role": role, "storage": "String", "missing": 0} | more


def evaluation(
    *columns: dict[str, Any],
    plan: tuple[dict[str, Any], ...] = (),
    measures: tuple[dict[str, Any], ...] = (),
    audit: dict[str, Any] | None = None,
    **release: Any,
) -> Evaluation:
    made = document_of(*measures, plan=list(plan), **release)
    made["audit"] |= audit or {}
    return Evaluation.from_json(made | {"schema": list(columns)})


def number(low: float | None, high: float | None, precision: int | None, **more: Any) -> str:
    """What is said of a numeric column."""
    given = column("x", kind="numeric", low=low, high=high, precision=precision, **more)
    return column_rows(evaluation(given))[0].what


def test_a_column_says_what_was_done_to_it() -> None:
    job = column("job", "confidential", categories=3, missing=2)
    cells = {"columns": [{"column": "job", "share": 0.25, "by_chance": 0.1}]}
    made = evaluation(
        job,
        plan=(plan_step("job"), plan_step("other")),
        measures=(risk_entry("unchanged_cells", details=cells),),
    )

    (row,) = column_rows(made)

    assert (row.name, row.role, row.what, row.missing) == ("job", "confidential", "3 categories", "2 missing")
    assert (row.done, row.technique, row.care) == ("Changed job.", "RPT", False)
    assert row.unchanged == "25\N{NO-BREAK SPACE}%"


def test_copied_and_dropped_columns() -> None:
    made = evaluation(
        column("id", "identifier"), column("branch", "ignored"), column("job"), plan=(plan_step("job"),)
    )
    dropped, copied, changed = column_rows(made)

    assert [row.done.split(":")[0] for row in (dropped, copied)] == ["Dropped", "Copied without change"]
    assert changed.done == "Changed job."
    assert [row.care for row in (dropped, copied, changed)] == [False, True, False]
    assert copied_columns(made) == ["branch"]


def test_a_technique_that_leaves_the_segment_asks_for_care() -> None:
    (row,) = column_rows(evaluation(column("job"), plan=(plan_step("job", keeps_segment=False),)))

    assert row.care


def test_numbers_are_described_by_their_grid_and_limits() -> None:
    assert number(17, 90, 0) == "whole numbers, 17 to 90"
    assert number(0, 1250.5, 1) == "numbers with 1 decimal, 0.0 to 1,250.5"
    assert number(0, 1, None, rounded=True) == "real numbers, about 0 to 1"
    assert number(0, 31, 0, storage="Date") == "dates, 1970-01-01 to 1970-02-01"
    assert number(None, None, 0) == "numeric"


def test_extremes_are_shown_as_their_column_shows_them() -> None:
    extreme = {"column": "born", "end": "lowest", "value": 1.0, "unchanged": True}
    found = {"count": 1, "unchanged": 1, "values": [extreme]}

    (row,) = extreme_rows(evaluation(column("born", storage="Date"), unique_extremes=found))

    assert (row.column, row.end, row.value, row.unchanged) == ("born", "lowest", "1970-01-02", True)
    assert extreme_rows(evaluation(unique_extremes=found | {"values": []})) == []
    assert extreme_rows(evaluation()) == []


def test_of_a_foreign_release_only_the_comparison_is_known() -> None:
    left_out = [
        {"column": "id", "reason": STILL_RELEASED},
        {"column": "town", "reason": "The release does not have it."},
    ]
    made = evaluation(
        column("id", "identifier"),
        column("age"),
        column("job"),
        column("town"),
        audit={"left_out": left_out, "generalised": ["age"]},
    )

    rows = {row.name: row for row in column_rows(made)}

    assert rows["town"].done == "Not part of the comparison. The release does not have it."
    assert rows["age"].done == "Compared; some of its values are generalised."
    assert rows["job"].done == "Compared."
    assert [name for name, row in rows.items() if row.care] == ["id"] == still_identifying(made)
    assert not_compared(made) == ["town"]
    assert copied_columns(made) == []


def test_ways_of_drawing_together_are_rows_in_their_order() -> None:
    table = drawn_together_table(FOUND)

    assert [row[1:] for row in table.rows] == [("3", "1,200"), ("fewer than 5", "40"), ("7", "7")]
    assert table.rows[0][0] == "as the technique says"
    assert table.rows[2][0].startswith("no other record of the segment")


def test_the_errors_reached_are_stated() -> None:
    says = drawn_together_table(FOUND).says

    assert "filled are off by less than 0.000001 standard deviations" in says
    assert "0.0123" in says
    assert "it is 0.25 and 0.5" in says


def test_errors_that_are_withheld_are_not_stated() -> None:
    published = replace(FOUND, mean_error=ErrorSummary(None, 0.1), covariance_error=ErrorSummary(None, 0.2))
    says = drawn_together_table(published).says

    assert "worst such group" not in says
    assert "off by 0.1" in says
    alone = drawn_together_table(replace(FOUND, mean_error=None, covariance_error=None))
    assert "no averages to compare" in alone.says


def test_numbers_can_be_drawn_together_over_the_whole_table() -> None:
    table = drawn_together_table(replace(FOUND, within="table", ways=()))

    assert "over the whole table" in table.says
    assert "next way" not in table.says
    assert table.rows == ()


def test_years_have_no_separators() -> None:
    year = column("year", kind="numeric", storage="Int64", low=1950, high=2004, precision=0)
    extremes = {
        "count": 1,
        "unchanged": 0,
        "values": [{"column": "year", "end": "lowest", "value": 1950.0, "unchanged": False}],
    }
    made = evaluation(year, unique_extremes=extremes)

    assert column_rows(made)[0].what == "whole numbers, 1950 to 2004"
    assert extreme_rows(made)[0].value == "1950"


def test_warnings_about_what_went_out_unchanged_are_found() -> None:
    texts = (
        "Column 'town' is released unchanged: why.",
        "Copied in the order of the table: x.",
        "Other news.",
    )

    assert copy_warnings(evaluation(warnings=list(texts))) == list(texts[:2])


WARNINGS = [
    "Column 'age' is released unchanged: its noise is 0.",
    "The rows are sorted by 'age', so a row's position reveals its value; --shuffle-rows breaks the order.",
]


def rare_column(name: str, *levels: tuple[str, int, int]) -> dict[str, Any]:
    categories = [{"category": c, "records": n, "unchanged": k} for c, n, k in levels]
    sums = (sum(level[1] for level in levels), sum(level[2] for level in levels))
    return {
        "column": name,
        "count": len(levels),
        "records": sums[0],
        "unchanged": sums[1],
        "categories": categories,
    }


def released(**more: Any) -> Evaluation:
    """A release with an unchanged column, rare levels, a class of one record, and an extreme that stayed."""
    rare = [rare_column("job", ("mayor of Ulm", 1, 1), ("smith", 3, 2)), rare_column("ill", ("plague", 1, 0))]
    extremes = [
        {"column": "age", "end": "lowest", "value": 17.5, "unchanged": False},
        {"column": "pay", "end": "highest", "value": 987654.0, "unchanged": True},
    ]
    facts = {
        "plan": [plan_step("age", "job", "pay", "ill")],
        "warnings": WARNINGS,
        "rare_categories": {"count": 3, "records": 5, "unchanged": 3, "columns": rare},
        "unique_extremes": {"count": 2, "unchanged": 1, "values": extremes},
    } | more
    document = document_of(measure_entry("correlations", 0.0, untouched=0.0, noise=1.0), **facts)
    schema = [
        {"name": name, "kind": kind, "role": role, "storage": "String", "missing": 0}
        for name, kind, role in (
            ("age", "numeric", "ordinary"),
            ("pay", "numeric", "ordinary"),
            ("job", "categorical", "ordinary"),
            ("ill", "categorical", "class"),
        )
    ]
    return Evaluation.from_json(document | {"schema": schema})


def test_everything_that_bears_on_signing_is_said() -> None:
    rare = "Levels that fewer than 5 records have are in the release: job (2 levels), ill (1 level). "
    rare += "Records that still have theirs: 3 of 5."
    assert [notice.says for notice in notices(released())] == [
        WARNINGS[0],
        rare,
        "A class that only one record has is in the release: ill (1 level). It points to one person.",
        "A lowest or highest value that only one record had is still on that record: pay.",
    ]
    nothing = released(warnings=WARNINGS[1:], rare_categories=None, unique_extremes=None)
    assert not notices(nothing)
    assert not announced(nothing)


def test_it_stands_on_the_first_screen_and_on_the_sign_off() -> None:
    evaluation, verdict = released(), mixed_verdict()
    report = internal_report(evaluation, verdict)
    signed = signoff_page(evaluation, verdict, SignOff("2026-01-01", "2027-01-01"))
    for notice in notices(evaluation):
        says = notice.says.replace("'", "&#39;")
        assert says in report.split('id="changed"')[0]
        assert says in signed.split("<h2>1.")[0]


def test_outsiders_learn_kinds_and_columns_but_no_count_and_no_value() -> None:
    evaluation = released()
    said = announced(evaluation)
    assert said == [
        {"kind": "unchanged", "columns": []},
        {"kind": "rare levels", "columns": ["job", "ill"]},
        {"kind": "extremes", "columns": []},
    ]
    shared = json.dumps(said) + publishable_report(evaluation, mixed_verdict())
    for secret in ("Ulm", "smith", "plague", "987654", "987,654", *(one.says for one in notices(evaluation))):
        assert secret not in shared
    assert notices(publishable(evaluation)) == []


def test_a_column_without_one_changed_cell_is_named_to_outsiders() -> None:
    cells = [
        {"column": name, "share": share, "by_chance": 0.1} for name, share in (("age", 1.0), ("pay", 0.3))
    ]
    measured = Evaluation.from_json(
        document_of(measure_entry("unchanged_cells", 0.5, details={"columns": cells}))
    )
    evaluation = replace(released(), measures=measured.measures)
    assert announced(evaluation)[0] == {"kind": "unchanged", "columns": ["age"]}

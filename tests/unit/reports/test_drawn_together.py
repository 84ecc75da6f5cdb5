"""How the report tells in which ways numbers were drawn together."""

from __future__ import annotations

from typing import Any

from hushwood.reports.drawn_together import drawn_together_view

FOUND = {
    "columns": ["age", "pay"],
    "technique": "egadp",
    "ways": [
        {"way": "own", "segments": 3, "records": 1200},
        {"way": "rotation", "segments": None, "records": 40},
        {"way": "noise", "segments": 7, "records": 7},
    ],
    "mean_error": {"largest": 0.25, "mean": 1e-13},
    "covariance_error": {"largest": 0.5, "mean": 0.0123},
}


def document(found: Any) -> dict[str, Any]:
    return {"release": {"drawn_together": found}}


def test_ways_are_rows_in_their_order() -> None:
    view = drawn_together_view(document(FOUND))
    assert view is not None
    assert [row[1:] for row in view.rows] == [("3", "1,200"), ("fewer than 5", "40"), ("7", "7")]
    assert view.rows[0][0] == "as the technique says"
    assert view.rows[2][0].startswith("nobody in the segment")


def test_the_errors_reached_are_told() -> None:
    view = drawn_together_view(document(FOUND))
    assert view is not None
    assert "filled are off by less than 0.000001 standard deviations" in view.says
    assert "0.0123" in view.says
    assert "it is 0.25 and 0.5" in view.says


def test_what_was_withheld_is_not_told() -> None:
    published = FOUND | {"mean_error": {"mean": 0.1}, "covariance_error": {"mean": 0.2}}
    view = drawn_together_view(document(published))
    assert view is not None
    assert "worst such group" not in view.says
    assert "off by 0.1" in view.says
    alone = drawn_together_view(document(FOUND | {"mean_error": None, "covariance_error": None}))
    assert alone is not None
    assert "no averages to compare" in alone.says


def test_whole_tables_and_audits() -> None:
    view = drawn_together_view(document(FOUND | {"within": "table", "ways": []}))
    assert view is not None
    assert "over the whole table" in view.says
    assert "next way" not in view.says
    assert view.rows == ()


def test_releases_without_groups_say_nothing() -> None:
    assert drawn_together_view(document(None)) is None
    assert drawn_together_view({"release": {}}) is None

"""What each count says and whether there is nothing to show, from evaluations with a few numbers."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.evaluation.evaluation import ReleaseFacts
from hushwood.reports.release.findings import Finding
from hushwood.reports.release.standing_out import class_finding, standing_out
from support.sample_entries import evaluation_of, risk_entry, unanswered

SEGMENTS = ("count", "alone", "below_small", "small", "median", "smallest", "largest", "sizes")


def release_with(**changes: Any) -> ReleaseFacts:
    """A release of 200 records in which no one stands out."""
    release: dict[str, Any] = {
        "records": 200,
        "segments": dict(zip(SEGMENTS, (8, 0, 0, 5, 25.0, 9, 40, ()), strict=True)),
        "rare_categories": {"count": 0, "records": 0, "unchanged": 0, "columns": []},
        "unique_extremes": {"count": 0, "unchanged": 0, "values": []},
    }
    for key, change in changes.items():
        release[key] = None if change is None else release[key] | change
    return evaluation_of(**release).release


def finding(name: str, **changes: Any) -> Finding:
    return next(found for found in standing_out(release_with(**changes)) if found.name == name)


def changed_classes(expected: float | None, changed: int | None = 40, **more: str) -> Finding:
    details = {"changed": changed, "records": 200, "expected": expected, "deviation": 3.0}
    found = class_finding(evaluation_of(risk_entry("changed_classes", details=details | more)))
    assert found is not None
    return found


def test_no_one_stands_out() -> None:
    found = standing_out(release_with())

    assert [f.name for f in found] == ["alone", "small_segments", "rare_categories", "unique_extremes"]
    assert {(f.tone, f.badge) for f in found} == {("good", "no risk shown")}
    assert {f.answer for f in found} == {"none"}


@pytest.mark.parametrize(
    ("name", "changes", "answer"),
    [
        ("alone", {"segments": {"alone": 2}}, "2 (1\N{NO-BREAK SPACE}%)"),
        ("alone", {"segments": {"alone": None}}, "fewer than 5"),
        ("small_segments", {"segments": {"below_small": 10}}, "10 (5\N{NO-BREAK SPACE}%)"),
        ("rare_categories", {"rare_categories": {"count": 2, "records": 7, "unchanged": 3}}, "3 of 7"),
        ("unique_extremes", {"unique_extremes": {"count": 4, "unchanged": 1}}, "1 of 4"),
        ("unique_extremes", {"unique_extremes": {"count": None, "unchanged": None}}, "fewer than 5"),
    ],
)
def test_some_stand_out(name: str, changes: dict[str, Any], answer: str) -> None:
    found = finding(name, **changes)

    assert (found.answer, found.tone, found.badge) == (answer, "plain", "")


def test_a_rare_category_that_moved_asks_for_no_care() -> None:
    found = finding("rare_categories", rare_categories={"count": 1, "records": 4, "unchanged": 0})

    assert (found.answer, found.tone) == ("none of 4", "good")
    assert found.compares.startswith("The table has 1 rare category;")


def test_fewer_than_five_records_are_fewer_than_four_others() -> None:
    found = finding("small_segments")

    assert found.question == "How many records share their segment with fewer than 4 others?"
    assert found.compares == "Half of all 8 segments have 25 records or fewer."


def test_what_cannot_be_counted_is_not_said() -> None:
    found = standing_out(release_with(segments=None, unique_extremes=None))

    assert [f.name for f in found] == ["rare_categories"]
    assert standing_out(release_with(segments=None, rare_categories=None, unique_extremes=None)) == []


def test_changed_classes_are_compared_with_a_shuffle() -> None:
    found = changed_classes(expected=42.0)

    assert found.answer == "40 (20\N{NO-BREAK SPACE}%)"
    assert "changes about 42 on average, and in 19 of 20 releases between 36 and 48;" in found.compares


def test_the_usual_range_stays_among_the_records() -> None:
    assert "between 0 and 8;" in changed_classes(expected=2.0).compares
    assert "changes about 2.0 on average" in changed_classes(expected=2.0).compares
    assert "between 193 and 200;" in changed_classes(expected=199.0).compares


def test_without_segments_the_shuffle_is_of_the_whole_column() -> None:
    assert "Shuffling the whole column changes" in changed_classes(50.0, within="whole table").compares
    assert "Shuffling within these segments changes" in changed_classes(50.0, within="segments").compares


def test_without_an_answer_there_is_no_finding() -> None:
    assert class_finding(evaluation_of(unanswered("changed_classes"))) is None

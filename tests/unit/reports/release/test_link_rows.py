"""Links between columns in reports, from the evaluation alone."""

from __future__ import annotations

from typing import Any

from hushwood.reports.redaction.redaction import publishable
from hushwood.reports.release.link_rows import link_rows, link_sentences
from hushwood.reports.release.page import internal_report, publishable_report
from hushwood.reports.release.terminal import audit_lines, summary_lines
from support.sample_entries import evaluation_of


def link(
    says: str, before: int | None, after: int | None, new: int | None, kept: bool | None
) -> dict[str, Any]:
    columns = ["a", "b"]
    counts = {"broken_before": before, "broken_after": after, "newly_broken": new}
    return {"kind": "order", "columns": columns, "says": says, **counts, "kept": kept}


LINKED = evaluation_of(
    links=[
        link("a <= b", 0, 0, 0, True),
        link("city determines state", 3, 734, 731, None),
        link("c = a + b", 0, None, None, False),
        link("from <= to", 4, 4, 0, False),
    ]
)


def test_every_link_has_a_row() -> None:
    assert link_rows(LINKED) == [
        ("a <= b", "0", "0", "yes"),
        ("city determines state", "3", "734", "–"),
        ("c = a + b", "0", "not counted", "no"),
        ("from <= to", "4", "4", "not promised, but holds"),
    ]


def test_small_counts_are_not_for_everybody() -> None:
    rows = link_rows(publishable(LINKED))
    assert rows[1] == ("city determines state", "fewer than 5", "735", "–")
    assert rows[2] == ("c = a + b", "0", "not counted", "no")
    assert "<td>734</td>" not in publishable_report(LINKED)
    assert "<td>734</td>" in internal_report(LINKED)


def test_sentences_name_what_broke() -> None:
    assert link_sentences(LINKED) == [
        "2 links between columns hold as before.",
        "city determines state: 3 records broke this link before, 734 do now.",
        "1 link could not be counted, because values became ranges or groups, or a column is gone.",
    ]
    assert link_sentences(evaluation_of()) == []


def test_reports_show_them() -> None:
    page = internal_report(LINKED)
    assert "Links between columns" in page
    assert "city determines state" in page
    assert "Links between columns" not in internal_report(evaluation_of())
    for lines in (summary_lines(LINKED), audit_lines(LINKED)):
        assert "Links between columns" in lines
        assert any("734" in line for line in lines)

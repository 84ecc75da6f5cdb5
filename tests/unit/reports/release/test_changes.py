"""The columns and the mean that moved furthest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hushwood.evaluation.distributions import Distribution
from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.plain_data import from_plain
from hushwood.reports.redaction import publishable
from hushwood.reports.release.changes import (
    MOST,
    coarsening_rows,
    coarsening_sentences,
    distribution_sentence,
    link_rows,
    link_sentences,
    mean_sentence,
    most_changed,
    moved_share,
)
from hushwood.reports.release.page import internal_report, publishable_report
from hushwood.reports.release.terminal import audit_lines, summary_lines
from hushwood.reports.signoff import known_limits
from support.sample_entries import evaluation_of, measure_entry


def counted(name: str, before: list[int | None], after: list[int | None], **more: Any) -> dict[str, Any]:
    """A column of categories a, b and so on."""
    return {
        "column": name,
        "kind": "categorical",
        "role": "ordinary",
        "storage": "String",
        "categories": list("abcdefgh"[: len(before)]),
        "others": 0,
        "before": before,
        "after": after,
        "missing": [0, 0],
    } | more


def with_columns(*columns: dict[str, Any]) -> Evaluation:
    return evaluation_of(distributions=list(columns))


def means(*columns: dict[str, Any]) -> str:
    return mean_sentence(
        evaluation_of(measure_entry("means_and_variances", details={"columns": list(columns)}))
    )


def test_the_share_that_moved_is_half_of_all_differences() -> None:
    moved = moved_share(from_plain(Distribution, counted("job", [50, 30, 20], [30, 30, 40])))
    gone = moved_share(from_plain(Distribution, counted("job", [50, 50], [25, 50], missing=[0, 25])))
    number = {"column": "x", "kind": "numeric", "role": "ordinary", "storage": "Int64"}
    bins = {"edges": [0, 1, 2], "labels": ["0", "1"], "before": [3, 1], "after": [6, 6]}

    assert [moved, gone] == pytest.approx([0.2, 0.25])
    assert moved_share(from_plain(Distribution, number | bins)) == pytest.approx(0.25)
    nothing: dict[str, Any] = {"edges": [], "labels": [], "before": [], "after": []}
    assert moved_share(from_plain(Distribution, number | nothing)) == 0


def test_the_columns_that_moved_furthest_come_first() -> None:
    columns = [counted(f"c{i}", [50, 50], [50 - i, 50 + i]) for i in range(8)]
    found = most_changed(with_columns(*columns))

    assert [change.distribution.column for change in found] == ["c7", "c6", "c5", "c4", "c3"]
    assert len(found) == MOST
    assert found[0].says == "7\N{NO-BREAK SPACE}% moved"
    assert distribution_sentence(found).startswith(
        "Largest shift of a distribution: c7; 7\N{NO-BREAK SPACE}%"
    )


def test_what_did_not_move_is_not_shown() -> None:
    found = most_changed(with_columns(counted("job", [5, 5], [10, 10])))

    assert found == []
    assert distribution_sentence(found) == "No column's distribution moved."


def test_the_full_evaluation_chooses_and_the_published_one_is_shown() -> None:
    full = with_columns(counted("job", [96, 4], [60, 40]), counted("home", [50, 50], [60, 40]))
    shown = with_columns(counted("job", [95, None], [60, 40]), counted("home", [50, 50], [90, 10]))
    first, second = most_changed(shown, full)

    assert (first.distribution.column, first.moved) == ("job", 0.36)
    assert first.distribution.counts is not None
    assert first.distribution.counts.before == (95, None)
    assert second.moved == 0.1


def test_the_mean_that_moved_furthest_is_named() -> None:
    age = {"column": "age", "shift_in_sd": 0.1, "mean_before": 40.0, "mean_after": 41.5}
    pay = {"column": "pay", "shift_in_sd": -0.25, "mean_before": 30_000.0, "mean_after": 28_000.0}

    assert means(age, pay) == (
        "Largest shift of a mean: pay, 30,000 before and 28,000 after (−0.25 standard deviations)."
    )
    assert means({"column": "age", "shift_in_sd": 0.5}) == (
        "Largest shift of a mean: age, by +0.50 standard deviations."
    )
    assert means({"column": "age", "shift_in_sd": 0.004}) == (
        "No mean moved by 0.01 standard deviations or more."
    )


def test_means_that_were_not_compared_are_not_spoken_of() -> None:
    assert means({"column": "age", "shift_in_sd": None}) == ""
    assert mean_sentence(evaluation_of()) == ""
    bare = evaluation_of(measure_entry("means_and_variances"))
    assert mean_sentence(replace(bare, measures=())) == ""


def test_the_full_evaluation_names_the_mean_that_moved_furthest() -> None:
    shifts = ({"age": 0.051, "pay": 0.054}, {"age": 0.05, "pay": 0.05}, {"age": 0.0, "pay": 0.014})
    full, shown, small = (
        evaluation_of(
            measure_entry(
                "means_and_variances",
                details={"columns": [{"column": name, "shift_in_sd": by} for name, by in found.items()]},
            )
        )
        for found in shifts
    )

    assert mean_sentence(shown, full) == "Largest shift of a mean: pay, by +0.05 standard deviations."
    assert mean_sentence(shown, small).startswith("Largest shift of a mean: pay")


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


AGE = {"column": "age", "says": "rounded to multiples of 5", "changed": 0.804, "loss": 0.052, "moved": 0.11}
ZIP = {
    "column": "<zip>",
    "says": "first 2 characters of every text",
    "changed": 1.0,
    "loss": 0.2,
    "moved": None,
}
TOP = {
    "column": "pay",
    "says": "9,000 for everything above",
    "changed": 0.0007,
    "loss": 0.004,
    "moved": 0.004,
}
COARSE = evaluation_of(coarsened=[AGE, ZIP, TOP])


def test_every_coarsened_column_has_a_row() -> None:
    rows = [[cell.replace("\xa0", " ") for cell in row] for row in coarsening_rows(COARSE)]
    assert rows[0] == ["age", "rounded to multiples of 5", "80.4 %", "5.2 %", "0.11 sd"]
    assert rows[1][2:] == ["100 %", "20 %", "–"]


def test_few_records_do_not_show_in_what_is_published() -> None:
    rows = [[cell.replace("\xa0", " ") for cell in row] for row in coarsening_rows(publishable(COARSE))]
    assert rows[0][2:] == ["80 %", "5 %", "0.11 sd"]
    assert rows[2][2:] == ["0 %", "0 %", "0 sd"]


def test_pages_and_terminal_show_it() -> None:
    for page in (internal_report(COARSE), publishable_report(COARSE)):
        assert "Coarser before all else" in page
        assert "&lt;zip&gt;" in page
        assert "<zip>" not in page
    assert "Coarser before all else" not in internal_report(evaluation_of())
    text = " ".join(" ".join(summary_lines(COARSE)).split())
    assert "What coarsening took" in text
    assert coarsening_sentences(COARSE)[0].replace("\xa0", " ") in text.replace("\xa0", " ")


def test_the_sign_off_says_that_risks_are_those_of_the_coarser_table() -> None:
    assert "age (rounded to multiples of 5)" in " ".join(known_limits(COARSE))

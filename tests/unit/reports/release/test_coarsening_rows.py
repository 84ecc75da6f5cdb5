"""What coarsening took in reports, from the evaluation alone."""

from __future__ import annotations

from hushwood.reports.redaction.redaction import publishable
from hushwood.reports.release.coarsening_rows import coarsening_rows, coarsening_sentences
from hushwood.reports.release.page import internal_report, publishable_report
from hushwood.reports.release.terminal import summary_lines
from hushwood.reports.signoff.tables import known_limits
from support.sample_entries import evaluation_of

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

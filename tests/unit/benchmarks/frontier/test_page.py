from __future__ import annotations

from pathlib import Path

import pytest
from frontier.document import read_document
from frontier.page import number, page, with_interval
from frontier.summary import Estimate

from support.frontier_document import small_document

DOCS = Path(__file__).parents[4] / "docs"
PAGE = page(small_document())


def cells(start: str) -> list[str]:
    """The first row of a table that starts so."""
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_limits_with_their_numbers() -> None:
    assert cells("segment-shuffle k=50: accuracy share")[1:] == ["≥ 0.98", "0.9900 ± 0.0000", "yes"]
    # 0.9 − 0.05 on wbc, 0.02 less on wine
    assert cells("segment-shuffle k=50: AUC-lift share")[1:] == ["≥ 0.975", "0.8400 ± 0.1271", "**no**"]
    assert cells("segment-shuffle k=50: linkage")[2:] == ["–", "not run"]
    assert cells("segment-shuffle k=50: certificate")[2:] == ["1.0000 ± 0.0000", "yes"]


def test_means_are_those_of_the_development_tables() -> None:
    """Untouched: 0.9 on wbc, 0.88 on wine; iris is shown apart, alone and so without an interval."""
    assert cells("untouched")[1] == "0.890 ± 0.127"
    apart = PAGE.partition("## Tables shown apart")[2]
    assert "| untouched | 0.860 | 0.860 |" in apart


def test_differences_are_paired_with_ours() -> None:
    """Untouched and ours differ by the same on both tables, 0.05 in every share."""
    rows = PAGE.partition("## Paired differences")[2].splitlines()
    row = next(line for line in rows if line.startswith("| untouched"))
    assert row.split("|")[3].strip() == "−0.050 ± 0.000"


def test_the_dial_with_its_fit() -> None:
    row = next(
        line for line in PAGE.splitlines() if line.startswith("| attribute inference |") and "yes" in line
    )
    assert row.split("|")[2:7] == [f" {m} ({m}) " for m in ("0.050", "0.040", "0.033", "0.029", "0.025")]
    assert "With teacher tree: no runs over the whole dial yet." in PAGE


def test_ahead_and_behind() -> None:
    assert cells("framework")[1] == "**no**"
    assert cells("arfpy")[1:] == ["not run", "–"]


def test_what_did_not_run_has_its_reason() -> None:
    assert "- It is not installed: arfpy; noise." in PAGE
    assert "- rankswap on wbc: It finds no column." in PAGE


def test_every_table_has_its_picture() -> None:
    for name in ("frontier.svg", "frontier-wbc.svg", "frontier-wine.svg", "frontier-iris.svg"):
        assert f"(pictures/{name})" in PAGE


def test_the_page_in_the_docs_says_what_the_results_say() -> None:
    results = DOCS / "frontier.json"
    if not results.is_file():
        pytest.skip("make frontier has not been run yet")
    assert (DOCS / "frontier.md").read_text("utf-8") == page(read_document(results))


def test_numbers_for_people() -> None:
    assert (number(-0.04), number(-0.0001), number(0.12345, 4)) == ("−0.040", "0.000", "0.1235")
    assert with_interval(None) == "–"
    assert with_interval(Estimate(0.5, None, 1)) == "0.500"

"""The results in docs/reproduction are those of this version, and what the docs say of them is what they say."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hushwood.experiments.alone_and_linked.markdown import page_with_numbers
from hushwood.experiments.protocol import Measured
from hushwood.experiments.registry import EXPERIMENTS, experiment_named
from hushwood.experiments.reproducing.comparison import rows_of
from hushwood.experiments.reproducing.markdown import markdown_summary
from hushwood.experiments.reproducing.printed_numbers import printed
from hushwood.experiments.reproducing.verdicts import ABOUT_PRINTED
from hushwood.experiments.thesis_frameworks.markdown import framework_markdown
from hushwood.version import __version__

DOCS = Path(__file__).parents[2] / "docs"
RESULTS = DOCS / "reproduction"


@cache
def document(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_was_run_in_full_by_this_version(name: str) -> None:
    found, experiment = document(name), experiment_named(name)
    full = {"folds": experiment.full.folds, "repeats": experiment.full.repeats, "small": False}
    assert found["hushwood"] == __version__
    assert found["size"] == full
    assert set(found["outcomes"]) == {task.name for task in experiment.tasks(experiment.full)}
    assert (RESULTS / f"{name}.html").is_file()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_rows_follow_from_the_outcomes(name: str) -> None:
    found = document(name)
    rows = rows_of(experiment_named(name).measure(found["outcomes"]), printed(name))
    told = [(row["source"], row["what"], row["verdict"], row["sentence"]) for row in found["rows"]]
    assert [(row.source, row.what, row.verdict, row.sentence) for row in rows] == told


def test_the_summary_is_that_of_the_results() -> None:
    summary = markdown_summary([document(name) for name in EXPERIMENTS])
    assert summary in (RESULTS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_page_of_the_papers_has_the_counts(name: str) -> None:
    page = (DOCS / "papers.md").read_text(encoding="utf-8")
    (line,) = re.findall(rf"^\| \[`{name}`\].*$", page, re.MULTILINE)
    counts = document(name)["counts"]
    assert line.endswith(" | ".join(["", *(str(counts[verdict]) for verdict in ABOUT_PRINTED)]) + " |")


def measured(name: str) -> Measured:
    return experiment_named(name).measure(document(name)["outcomes"])


@pytest.mark.parametrize("name", ["frameworks-adult", "frameworks-wbc"])
def test_the_tables_of_correlations_are_those_of_the_results(name: str) -> None:
    page = (DOCS / "correlations.md").read_text(encoding="utf-8")
    assert framework_markdown(measured(name), printed(name).by_key()) in page


def test_the_findings_are_those_of_the_results() -> None:
    page = (DOCS / "findings.md").read_text(encoding="utf-8")
    says = {claim.key: claim.says for claim in printed("alone-and-linked").claims}
    assert page_with_numbers(page, measured("alone-and-linked"), says) == page

"""The results in docs/reproduction are full runs of this version, and `make docs` would change nothing in the docs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hushwood.version import __version__
from hushwood_papers.docs import committed_results, pages_with_results
from hushwood_papers.registry import EXPERIMENTS, experiment_named
from hushwood_papers.reproducing.reproduction import Document, derived_again

DOCS = Path(__file__).parents[3] / "docs"


@cache
def documents() -> dict[str, Document]:
    return dict(committed_results(DOCS))


def rounded(value: Any) -> Any:
    """JSON values with floats to ten digits: another processor may add up in another order."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value


def without_pictures(part: Any) -> Any:
    """Charts without their specifications, which follow the looks of all reports."""
    if not isinstance(part, list) or not part or "spec" not in part[0]:
        return part
    return [
        {name: value for name, value in chart.items() if name not in ("spec", "beside")} for chart in part
    ]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_was_run_in_full_by_this_version(name: str) -> None:
    found, experiment = documents()[name], experiment_named(name)
    full = {"folds": experiment.full.folds, "repeats": experiment.full.repeats, "small": False}
    assert found["hushwood"] == __version__
    assert found["size"] == full
    assert set(found["outcomes"]) == {task.name for task in experiment.tasks(experiment.full)}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_rows_sentences_and_charts_follow_from_the_outcomes(name: str) -> None:
    found = documents()[name]
    again = json.loads(json.dumps(derived_again(found)))
    for part in found:
        assert rounded(without_pictures(again[part])) == rounded(without_pictures(found[part])), part


def test_the_docs_show_the_results() -> None:
    for path, text in pages_with_results(DOCS, documents()).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make docs`"

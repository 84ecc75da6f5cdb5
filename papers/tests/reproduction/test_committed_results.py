"""The results in docs/reproduction are full runs of this version, and `make docs` would change nothing in the docs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hushwood.version import __version__
from hushwood_papers.docs import committed_results, pages_with_results
from hushwood_papers.registry import EXPERIMENTS, experiment_named
from hushwood_papers.reproducing.reproduction import Document, derived_again
from hushwood_papers.thesis_frameworks.numbers_by_key import type_key
from hushwood_papers.thesis_frameworks.releases import FRAMEWORK

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


def test_numbers_in_a_common_order_are_of_the_same_runs() -> None:
    """What must hold within a run holds at every place; joint tests rely on it."""
    measured = {
        name: experiment_named(name).measure(documents()[name]["outcomes"])
        for name in ("class-noise-trees", "categorical-noise", "accuracy-is-not-quality", "frameworks-adult")
    }
    numbers = {name: {key: np.array(v) for key, v in one.numbers.items()} for name, one in measured.items()}
    trees, cars, noise, adult = numbers.values()
    assert (trees["original tree, tests"] == trees["original tree, leaves"] - 1).all()
    least, most = (trees[f"RPT, {which} errors of its trees"] for which in ("fewest", "most"))
    assert (least <= most).all()
    assert (cars["leaf 1, Ford"] * cars["leaf 1, Nissan"] == cars["leaf 1, Ford - Nissan"]).all()
    assert measured["accuracy-is-not-quality"].repeats == {75: 5, 15: 1}
    before = noise["BHP tree, original, attributes"].repeat(5)
    kept = noise["BHP tree, RPT, attributes shared with the original tree"]
    lost = noise["BHP tree, RPT, attributes of the original tree that are missing"]
    assert (kept + lost == before).all()
    letters = [adult[type_key(FRAMEWORK, letter)] for letter in "ABCD"]
    assert np.allclose(sum(letters), 100, atol=0.01)


def test_the_docs_show_the_results() -> None:
    for path, text in pages_with_results(DOCS, documents()).items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make docs`"

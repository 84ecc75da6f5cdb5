"""Releases of a generated table: what is perturbed, what is measured, and that a seed gives it again."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from framework_samples import SETTING, WAYS, outcomes
from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import Size, public_streams
from hushwood.experiments.synthetic_tables import credit_risk
from hushwood.experiments.thesis_frameworks.runs import (
    BLOCK,
    largest_moves,
    measured_release,
    parts_of,
    releases,
    run_task,
    tasks_of,
)
from hushwood.experiments.thesis_frameworks.ways import FRAMEWORK, ORIGINAL, Way

PARTS = parts_of(PaperTables(), SETTING)
STREAMS = [public_streams("test", number) for number in (1, 2)]


def test_runs_are_cut_into_blocks() -> None:
    tasks = tasks_of((ORIGINAL, FRAMEWORK), Size(repeats=2 * BLOCK + 5))
    spans = [(task.settings["first"], task.settings["last"]) for task in tasks]
    assert spans == [(1, 1), (1, BLOCK), (BLOCK + 1, 2 * BLOCK), (2 * BLOCK + 1, 2 * BLOCK + 5)]
    assert len({task.name for task in tasks}) == len(tasks)
    json.dumps([dict(task.settings) for task in tasks])


def test_only_the_named_categories_are_perturbed() -> None:
    literal = Way("framework", capt="literal")
    for categories in (("City",), ()):
        setting = replace(SETTING, categories=categories)
        (released,) = releases(PARTS.training, literal, setting, STREAMS[:1])
        before = PARTS.training.table.columns
        changed = {name for name, values in released.columns.items() if (values != before[name]).any()}
        assert {"House Rent", "Income", "Job Grade", "No of Dependents"} < changed
        assert ("City" in changed) is ("City" in categories)


def test_other_noise_gives_other_releases_and_the_same_noise_the_same() -> None:
    first, second = releases(PARTS.training, FRAMEWORK, SETTING, STREAMS)
    (again,) = releases(PARTS.training, FRAMEWORK, SETTING, STREAMS[1:])
    assert not np.array_equal(first.columns["Income"], second.columns["Income"])
    assert np.array_equal(again.columns["Income"], second.columns["Income"])


def test_the_original_moves_nothing_and_hides_nothing() -> None:
    found = measured_release(PARTS, PARTS.training.table, STREAMS[0])
    assert (found["change"], found["shift"], found["unchanged"], found["near"]) == (0, 0, 100, 100)
    assert (
        found["right"][0]
        == found["right"][1]
        == found["original_tree_right"]
        > 0.8 * PARTS.training.table.rows
    )
    assert found["types"] == {"A": 100, "B": 0, "C": 0, "D": 0}
    assert found["label"] == "Exactly Same"
    assert found["differences"] == []


def test_outcomes_are_json_and_do_not_depend_on_other_tasks() -> None:
    task = tasks_of(WAYS, Size(repeats=5))[1]
    again = run_task("sample", SETTING, task, PaperTables())
    assert again == outcomes()[task.name]
    assert json.loads(json.dumps(again, allow_nan=False)) == again
    assert [run["number"] for run in again["runs"]] == [1, 2, 3, 4, 5]
    assert any(one["means"] != other["means"] for one, other in pairwise(again["runs"]))


def test_the_framework_keeps_every_record_under_its_rule() -> None:
    original = outcomes()["original, runs 1 to 1"]["runs"][0]["right"][0]
    for name in ("framework, runs 1 to 5", "extended-framework (gadp), runs 1 to 1"):
        assert {run["original_tree_right"] for run in outcomes()[name]["runs"]} == {original}


def test_a_literal_capt_does_not() -> None:
    (released,) = releases(PARTS.training, Way("framework", capt="literal"), SETTING, STREAMS[:1])
    found = measured_release(PARTS, released, STREAMS[0])
    kept = outcomes()["original, runs 1 to 1"]["runs"][0]["right"][0]
    assert found["original_tree_right"] < 0.9 * kept, "the tree tests the city"


def test_classes_changed_at_twice_the_errors() -> None:
    way = Way("random-framework", twice_the_errors=True)
    table = PARTS.training.table
    name = table.schema.class_attribute.name  # type: ignore[union-attr]
    wrong = table.rows - outcomes()["original, runs 1 to 1"]["runs"][0]["right"][0]
    (released,), (text,) = (
        releases(PARTS.training, w, SETTING, STREAMS[:1]) for w in (way, Way(way.technique))
    )
    changed = int((released.columns[name] != table.columns[name]).sum())
    assert changed == pytest.approx(2 * wrong, abs=4 * (2 * wrong) ** 0.5)
    assert all(np.array_equal(released.columns[n], text.columns[n]) for n in text.columns if n != name)


def test_largest_moves_by_hand() -> None:
    table = credit_risk(50, bytes(32))
    before = table.columns["Income"]
    after = before[::-1] + 10.0
    change, shift = largest_moves(table, table.with_columns({"Income": after}))
    names = ("House Rent", "Job Grade", "No of Dependents")
    wanted = [
        abs(float(np.corrcoef(before, table.columns[n])[0, 1] - np.corrcoef(after, table.columns[n])[0, 1]))
        for n in names
    ]
    assert change == pytest.approx(max(wanted))
    assert shift == pytest.approx(10.0 / float(before.std(ddof=1)))

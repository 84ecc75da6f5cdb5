"""The tasks of the experiment, and how outcomes of folds become numbers."""

from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.experiments.forest_framework.forest_framework import EXPERIMENT
from hushwood.experiments.protocol import Outcome, Size
from hushwood.experiments.registry import experiment_named
from hushwood.experiments.reproducing.printed_numbers import printed


def outcome(accuracies: list[float]) -> Outcome:
    table = {"records": 178, "numeric": 13, "categorical": 1, "classes": 3, "not normal": 7}
    ways = {"FF": {"accuracy": accuracies}}
    return {"label": "Wine", "table": table, "original": 90.0, "naive": 40.0, "ways": ways}


def test_one_task_for_every_table_and_fold() -> None:
    tasks = EXPERIMENT.tasks(EXPERIMENT.full)
    assert len(tasks) == len({task.name for task in tasks}) == 50
    assert tasks[11].name == "WBC, fold 2"
    assert tasks[11].settings == {"table": "wbc", "fold": 1, "repeats": 10}
    assert len(EXPERIMENT.tasks(Size(3, 1))) == 15


def test_more_folds_than_parts_are_refused() -> None:
    with pytest.raises(InputError, match="has 10 folds; 11 were asked for"):
        EXPERIMENT.tasks(Size(11, 1))


def test_a_folds_number_is_the_mean_of_its_releases() -> None:
    measured = EXPERIMENT.measure({"1": outcome([80.0, 90.0]), "2": outcome([70.0, 70.0])})
    assert measured.numbers["Wine: FF: accuracy"] == [85.0, 70.0]
    assert measured.numbers["Wine: original: accuracy"] == [90.0, 90.0]
    assert measured.numbers["Wine: records"] == [178]
    assert measured.claims == {}


def test_charts_leave_out_what_was_not_run() -> None:
    charts = EXPERIMENT.draw(EXPERIMENT.measure({"1": outcome([80.0])}), {})
    assert charts[0].title == "Figure 2: prediction accuracy"
    assert [row[:2] for row in charts[0].rows] == [("Wine", "original"), ("Wine", "FF"), ("Wine", "naive")]


def test_table_4_is_there_as_printed() -> None:
    sers = {number.what: number for number in printed("forest-framework").numbers if number.unit == "bits"}
    assert len(sers) == 20
    assert sers["CMC released by F: SERS"].value == 10.333
    assert [what for what, number in sers.items() if number.cannot] == ["WBC released by RT: SERS"]


def test_it_is_registered() -> None:
    assert experiment_named("forest-framework") is EXPERIMENT

"""The tasks of the experiment, and how outcomes of folds become numbers."""

from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood_papers.forest_framework.forest_framework import EXPERIMENT
from hushwood_papers.protocol import Outcome, Size
from hushwood_papers.registry import experiment_named
from hushwood_papers.reproducing.printed_numbers import printed

ACCURACY = "% of unseen records right"


def outcome(accuracies: list[float]) -> Outcome:
    counts = {"records": 178, "numeric": 13, "categorical": 1, "classes": 3, "min leaf": 10, "not normal": 7}
    return {
        "label": "Wine",
        "table": counts,
        "original": 90.0,
        "majority class": 40.0,
        "untouched": {"SERS, bits": 7.3},
        "ways": {"FF": {ACCURACY: accuracies}},
    }


def test_one_task_for_every_table_and_fold() -> None:
    tasks = EXPERIMENT.tasks(EXPERIMENT.full)
    assert len(tasks) == len({task.name for task in tasks}) == 50
    assert tasks[11].name == "WBC, fold 2"
    assert tasks[11].settings == {"table": "wbc", "fold": 1, "folds": 10, "repeats": 10}


@pytest.mark.parametrize(
    ("size", "folds", "done"), [(Size(3, 1), 3, 3), (Size(3, 1, small=True), 3, 2), (EXPERIMENT.small, 10, 2)]
)
def test_folds_are_those_of_a_cross_validation(size: Size, folds: int, done: int) -> None:
    settings = [task.settings for task in EXPERIMENT.tasks(size)]
    assert {one["folds"] for one in settings} == {folds}
    assert len(settings) == 5 * done


def test_more_folds_than_records_are_refused() -> None:
    with pytest.raises(InputError, match="Wine, has 178 records; 179 folds were asked for"):
        EXPERIMENT.tasks(Size(179, 1))


def test_a_folds_number_is_the_mean_of_its_releases() -> None:
    measured = EXPERIMENT.measure({"1": outcome([80.0, 90.0]), "2": outcome([70.0, 70.0])})
    assert measured.numbers[f"Wine, FF: {ACCURACY}"] == [85.0, 70.0]
    assert measured.numbers[f"Wine, original: {ACCURACY}"] == [90.0, 90.0]
    assert measured.numbers["Wine: records"] == [178]
    assert measured.numbers["Wine: smallest leaf, records"] == [10]
    assert measured.numbers["Wine, untouched: SERS, bits"] == [7.3, 7.3]
    assert measured.claims == {}


def test_charts_leave_out_what_was_not_run() -> None:
    charts = EXPERIMENT.draw(EXPERIMENT.measure({"1": outcome([80.0])}), {})
    assert charts[0].title == "Figure 2: prediction accuracy"
    assert [row[:2] for row in charts[0].rows] == [
        ("Wine", "original"),
        ("Wine", "FF"),
        ("Wine", "majority class"),
    ]


def test_table_4_is_there_as_printed() -> None:
    sers = {number.what: number for number in printed("forest-framework").numbers if number.unit == "bits"}
    assert len(sers) == 20
    assert sers["CMC released by F: SERS"].value == 10.333
    assert [what for what, number in sers.items() if number.cannot] == ["WBC released by RT: SERS"]


def test_it_is_registered() -> None:
    assert experiment_named("forest-framework") is EXPERIMENT

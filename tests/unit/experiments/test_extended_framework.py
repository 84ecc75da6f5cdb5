"""The experiment on a generated table: what is measured, and that a seed gives it again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.experiments.extended_framework import (
    SEEDS,
    WAYS,
    Experiment,
    Way,
    experiment_on,
    extended_framework,
    largest_moves,
)
from hushwood.experiments.synthetic_tables import credit_risk
from hushwood.experiments.thesis_tables import Setting
from hushwood.trees.options import GrowOptions

SETTING = Setting(GrowOptions(min_leaf=20), 0.15, threads=1)
ROTATION, FRAMEWORK = Way("extended-framework", "rotation"), Way("framework")


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    ways = (Way("original"), FRAMEWORK, ROTATION)
    return experiment_on("generated", credit_risk(800, bytes(32)), SETTING, (1, 2), ways)


def test_every_way_is_run_under_every_seed(experiment: Experiment) -> None:
    assert [(str(run.way), run.seed) for run in experiment.runs] == [
        *(("original", 1), ("framework", 1), ("extended-framework (rotation)", 1)),
        *(("original", 2), ("framework", 2), ("extended-framework (rotation)", 2)),
    ]
    assert sum(experiment.records) == 800
    assert [run.seed for run in experiment.of(ROTATION)] == [1, 2]


def test_the_original_moves_nothing_and_hides_nothing(experiment: Experiment) -> None:
    for run in experiment.of(Way("original")):
        assert (run.change, run.shift, run.unchanged, run.near) == (0, 0, 1, 1)
        assert run.own == run.training > 0.8
        assert run.test > 0.8


def test_rotation_keeps_what_the_framework_loses(experiment: Experiment) -> None:
    for kept, lost in zip(experiment.of(ROTATION), experiment.of(FRAMEWORK), strict=True):
        assert kept.change < lost.change
        assert kept.shift <= lost.shift
        assert kept.unchanged <= kept.near < 0.7


def test_the_same_seed_gives_the_same_numbers(experiment: Experiment) -> None:
    again = experiment_on("generated", credit_risk(800, bytes(32)), SETTING, (2,), (ROTATION,))
    assert again.runs == experiment.of(ROTATION)[1:]


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


def test_all_ways_of_the_extended_framework_are_run_by_default() -> None:
    assert [str(way) for way in WAYS].count("extended-framework (rotation)") == 1
    assert len([way for way in WAYS if way.technique == "extended-framework"]) == 5
    assert len(SEEDS) == 5


def test_other_tables_are_refused() -> None:
    with pytest.raises(InputError, match="'iris'"):
        extended_framework("iris", Path())

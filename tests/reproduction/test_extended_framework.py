"""Thesis 7.3: at most half of its Extended Framework's error in correlations, with at least its accuracy.

The thesis' error is read from the matrices that it prints. Its own method, GADP, is run beside ours.
"""

from __future__ import annotations

from functools import cache

import pytest

from hushwood.experiments.extended_framework import (
    SEEDS,
    WAYS,
    Experiment,
    Way,
    experiment_on,
    extended_framework,
)
from hushwood.experiments.extended_framework_table import Row, table_rows
from hushwood.experiments.printed_runs import printed_table
from hushwood.experiments.synthetic_tables import credit_risk
from hushwood.experiments.thesis_tables import THESIS_TABLES, Setting, complete_records
from hushwood.trees.options import GrowOptions
from real_data import data_folder, existing

THESIS, ROTATION = Way("extended-framework", "gadp"), Way("extended-framework", "rotation")
BETTER = (Way("extended-framework", "egadp"), Way("extended-framework", "shuffle"), ROTATION)


@cache
def experiment(name: str, seeds: tuple[int, ...] = SEEDS, ways: tuple[Way, ...] = WAYS) -> Experiment:
    folder = data_folder()
    existing(folder / THESIS_TABLES[name].file)
    return extended_framework(name, folder, seeds=seeds, ways=ways)


def rows(found: Experiment) -> dict[Way, Row]:
    return {row.way: row for row in table_rows(found, printed_table(found.table))}


def half_the_error_and_its_accuracy(found: Experiment, name: str, ways: tuple[Way, ...]) -> None:
    printed = printed_table(name)
    errors = printed.changes("extended-framework")
    accuracies = [run.test for run in printed.accuracies["extended-framework"]]
    for way in ways:
        row = rows(found)[way]
        assert row.change.mean <= min(errors) / 2, f"{way}: half of the thesis' best run"
        assert row.test.mean >= sum(accuracies) / len(accuracies), way


def test_a_generated_table_keeps_its_correlations_and_its_accuracy() -> None:
    setting = Setting(GrowOptions(min_leaf=20), 0.15)
    found = experiment_on("generated", credit_risk(1500, bytes(32)), setting, (1,), WAYS)
    by_way = {row.way: row for row in table_rows(found)}
    original = by_way[Way("original")].test.mean
    for way in BETTER:
        assert by_way[way].change.mean <= 0.5 * by_way[Way("framework")].change.mean
        assert by_way[way].test.mean >= original - 0.03


def test_complete_records_are_those_of_the_thesis() -> None:
    assert complete_records(THESIS_TABLES["wbc"], data_folder()).rows == 683
    assert complete_records(THESIS_TABLES["adult"], data_folder()).rows == 30_162


def test_wbc_in_two_seeds() -> None:
    found = experiment("wbc", (1, 2), (Way("original"), Way("framework"), THESIS, *BETTER))
    assert sum(found.records) == 683
    assert found.records[1] == pytest.approx(0.12 * 683, abs=4)
    half_the_error_and_its_accuracy(found, "wbc", BETTER)
    by_way = rows(found)
    assert by_way[Way("framework")].change.mean > by_way[THESIS].change.mean > by_way[ROTATION].change.mean


def test_adult_in_one_seed() -> None:
    found = experiment("adult", (1,), (ROTATION, Way("extended-framework", "shuffle")))
    assert found.records == pytest.approx((25_600, 4_562), rel=0.01)
    half_the_error_and_its_accuracy(found, "adult", (ROTATION, Way("extended-framework", "shuffle")))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adult", "wbc"])
def test_the_whole_experiment(name: str) -> None:
    found = experiment(name)
    half_the_error_and_its_accuracy(found, name, BETTER)
    by_way = rows(found)
    forest = by_way[Way("forest-extended-framework")]
    errors = printed_table(name).changes("extended-framework")
    assert forest.change.mean <= sum(errors) / len(errors) / 2
    # The thesis' own method comes out as the thesis prints it, within a factor of two.
    assert min(errors) / 2 <= by_way[THESIS].change.mean <= 2 * max(errors)
    assert by_way[Way("framework")].change.mean > by_way[THESIS].change.mean


@pytest.mark.slow
def test_adult_under_the_frameworks_comes_out_as_printed() -> None:
    """Means move as far as the thesis' moved: the noise is the same."""
    by_way = rows(experiment("adult"))
    for way in (Way("framework"), Way("random-framework")):
        printed = by_way[way].printed_shift
        assert printed is not None
        assert by_way[way].shift.mean == pytest.approx(printed.mean, rel=0.05)

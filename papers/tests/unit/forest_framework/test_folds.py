"""One fold: who is in it, what is released in it, and that a task gives the same numbers whatever else ran."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.tables.table import Table
from hushwood_papers.forest_framework.folds import (
    ACCURACY,
    MEASURES,
    NEAREST,
    PRINTED_WAYS,
    SERS,
    SHORTFALL,
    SYSFOR,
    UNTOUCHED,
    Fold,
    described,
    measured_fold,
    parts,
    roots_kept,
)
from hushwood_papers.paper_tables import PaperTables


@pytest.fixture(scope="module")
def wine() -> Table:
    return PaperTables().table("wine")


@pytest.fixture(scope="module")
def credit() -> Table:
    """A table with numbers and categories."""
    return credit_risk(300, bytes(32))


def test_every_record_is_tested_once(wine: Table) -> None:
    part = parts("wine", wine.rows, 10)
    assert sorted(np.bincount(part).tolist()) == [17] * 2 + [18] * 8
    folds = [Fold.of("wine", number, wine, 10) for number in range(10)]
    tested = np.concatenate([fold.test.columns["Proline"] for fold in folds])
    assert sorted(tested) == sorted(wine.columns["Proline"])
    assert all(fold.grown.table.rows + fold.test.rows == 178 for fold in folds)
    assert np.bincount(parts("wine", wine.rows, 3)).tolist() == [60, 59, 59]
    assert Fold.of("wine", 1, wine, 3).grown.table.rows == 119


def test_folds_are_dealt_anew_for_every_table() -> None:
    assert (parts("wine", 178, 10) != parts("wbc", 178, 10)).any()
    assert (parts("wine", 178, 10) == parts("wine", 178, 10)).all()


def test_the_forest_is_that_of_the_paper(wine: Table) -> None:
    grown = Fold.of("wine", 0, wine, 10).grown
    grow = grown.builder.grow
    assert (SYSFOR.trees, SYSFOR.goodness, SYSFOR.separation, SYSFOR.minimum_gain_ratio) == (
        3,
        0.5,
        0.3,
        0.01,
    )
    assert (grow.variant, grow.min_leaf, grow.confidence) == ("c45", 10, 0.25)
    assert len(grown.forest.trees) == 3
    leaves = [tree.counts[tree.attribute < 0].sum(axis=1) for tree in grown.forest.trees]
    assert min(counts.min() for counts in leaves) >= 10


def test_one_release_more_changes_nothing_else(wine: Table) -> None:
    fold = Fold.of("wine", 3, wine, 10)
    once, twice = (measured_fold(fold, repeats) for repeats in (1, 2))
    for way, found in once["ways"].items():
        for measure, (value,) in found.items():
            again = twice["ways"][way][measure]
            assert again[0] == value
    assert any(twice["ways"]["FF"][what][0] != twice["ways"]["FF"][what][1] for what in MEASURES)


def test_an_outcome_is_plain_data_and_within_bounds(credit: Table) -> None:
    found = json.loads(json.dumps(measured_fold(Fold.of("crx", 0, credit, 10), 1)))
    assert list(found["ways"]) == [*PRINTED_WAYS, "F, CAPT strict", "GADP, class left out"]
    for way in PRINTED_WAYS:
        numbers = {measure: values[0] for measure, values in found["ways"][way].items()}
        assert all(0 <= numbers[what] <= 100 for what in (ACCURACY, NEAREST))
        assert 0 <= numbers["EDUDS"] <= 1
        assert 0 <= numbers["EDUDS of one tree per table"] <= 1
        assert numbers["EDUSC, nodes weighted by records"] <= numbers["EDUSC"] <= 1
        assert numbers[SERS] + numbers[SHORTFALL] == pytest.approx(np.log2(270))


def test_untouched_records_are_all_found_and_sers_hardly_sees_it(wine: Table) -> None:
    found = measured_fold(Fold.of("wine", 0, wine, 10), 1)
    untouched = found[UNTOUCHED]
    assert untouched[NEAREST] == 100
    assert untouched[SERS] + untouched[SHORTFALL] == pytest.approx(np.log2(160))
    assert untouched[SERS] == pytest.approx(found["ways"]["FF"][SERS][0], abs=0.005)


def test_capt_strict_is_left_out_without_categories(wine: Table) -> None:
    assert list(measured_fold(Fold.of("wine", 0, wine, 10), 1)["ways"]) == [
        *PRINTED_WAYS,
        "GADP, class left out",
    ]


def test_counts_of_table_3(wine: Table) -> None:
    counts = described(wine.take(np.arange(100)), 78)
    assert counts["records"] == 178
    assert (counts["numeric"], counts["categorical"], counts["classes"]) == (13, 1, 3)
    assert 0 < counts["not normal"] <= 13


def test_first_attributes_found_again(wine: Table) -> None:
    forest = Fold.of("wine", 0, wine, 10).grown.forest
    assert roots_kept(forest, forest) == 1
    first = replace(forest, trees=forest.trees[:1])
    assert roots_kept(first, forest) == 1
    begins = [tree.attribute[0] for tree in forest.trees]
    assert roots_kept(forest, first) == pytest.approx(begins.count(begins[0]) / 3)

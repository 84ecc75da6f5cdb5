"""The 25,600 records of the thesis: what it prints about them comes out."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.thesis_frameworks.adult_records import LEAF_SIZES, TEST_RECORDS, adult_records
from hushwood.experiments.thesis_frameworks.runs import numbers_of
from hushwood.tables.table import Table
from real_data import data_folder

MEANS = [38.44, 189_669.70, 10.12, 1_102.66, 87.39, 40.88]  # thesis 7.3.1
CORRELATIONS = "-.075 .046 .082 .060 .104 -.043 .001 -.011 -.024 .126 .079 .152 -.032 .082 .049"


@pytest.fixture(scope="module")
def records() -> tuple[Table, Table]:
    return adult_records(PaperTables(data_folder()))


def test_so_many_of_each_leaf() -> None:
    assert sum(LEAF_SIZES) == 30_162
    assert sum(TEST_RECORDS) == 4_562
    assert all(abs(wanted - 0.15 * size) < 25 for wanted, size in zip(TEST_RECORDS, LEAF_SIZES, strict=True))


def test_the_printed_means_have_their_last_digits_cut_off(records: tuple[Table, Table]) -> None:
    training, test = records
    assert (training.rows, test.rows) == (25_600, 4_562)
    cut = np.floor(100 * numbers_of(training).mean(axis=1)) / 100
    assert cut.tolist() == pytest.approx(MEANS, abs=1e-9)


def test_all_printed_correlations_rounded_or_cut_off(records: tuple[Table, Table]) -> None:
    ours = np.asarray(np.corrcoef(numbers_of(records[0])))[np.triu_indices(6, 1)]
    theirs = np.array(CORRELATIONS.split(), float)
    assert (np.isclose(ours.round(3), theirs) | np.isclose(np.trunc(1000 * ours) / 1000, theirs)).all()

"""The first records of every leaf; the thesis' 25,600 and 600 records, which give the printed numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hushwood.demo.synthetic_tables import credit_risk
from hushwood.errors import InputError
from hushwood.measures.models.grown import Grown
from hushwood.measures.models.learners import TreeLearner
from hushwood.tables.table import Table, class_labels
from hushwood.trees.options import Builder, GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.thesis_frameworks.releases import numbers_of
from hushwood_papers.thesis_frameworks.training_records import (
    ADULT_LEAF_SIZES,
    ADULT_TEST_RECORDS,
    WBC_BUILDER,
    WBC_LEAF_SIZES,
    WBC_TEST_RECORDS,
    WbcRecords,
    adult_records,
    chapter_seven_records,
    first_of_leaves,
)
from support.real_data import data_folder

BUILDER = GrowOptions("see5", min_leaf=20)


def test_the_first_ones_of_every_leaf_are_marked() -> None:
    table = credit_risk(600, bytes(32))
    grown = Grown(table, Builder(BUILDER)).tree
    leaf = leaf_of_each(grown.trees[0], grown, table.columns).tolist()
    sizes = [count for _, count in sorted(Counter(leaf).items())]
    assert len(sizes) > 2
    wanted = [3 + place for place in range(len(sizes))]
    marked = first_of_leaves(table, BUILDER, sizes, wanted, "made.csv")
    of_leaf = dict(zip(sorted(set(leaf)), wanted, strict=True))
    expected = [leaf[:row].count(leaf[row]) < of_leaf[leaf[row]] for row in range(600)]
    assert marked.tolist() == expected


def test_another_table_is_refused() -> None:
    with pytest.raises(InputError, match=r"use that file \(made\.csv\)"):
        first_of_leaves(credit_risk(100, bytes(32)), BUILDER, [50, 50], [1, 1], "made.csv")


def test_marks_are_as_many_as_wanted() -> None:
    table = credit_risk(300, bytes(32))
    grown = Grown(table, Builder(BUILDER)).tree
    sizes = np.unique(leaf_of_each(grown.trees[0], grown, table.columns), return_counts=True)[1].tolist()
    assert int(first_of_leaves(table, BUILDER, sizes, [2] * len(sizes), "made.csv").sum()) == 2 * len(sizes)


MEANS = [38.44, 189_669.70, 10.12, 1_102.66, 87.39, 40.88]  # thesis 7.3.1
CORRELATIONS = "-.075 .046 .082 .060 .104 -.043 .001 -.011 -.024 .126 .079 .152 -.032 .082 .049"


@pytest.fixture(scope="module")
def records() -> tuple[Table, Table]:
    return adult_records(PaperTables(data_folder()))


def test_so_many_of_each_leaf() -> None:
    assert sum(ADULT_LEAF_SIZES) == 30_162
    assert sum(ADULT_TEST_RECORDS) == 4_562
    assert all(
        abs(wanted - 0.15 * size) < 25
        for wanted, size in zip(ADULT_TEST_RECORDS, ADULT_LEAF_SIZES, strict=True)
    )


def test_the_printed_means_have_their_last_digits_cut_off(records: tuple[Table, Table]) -> None:
    training, test = records
    assert (training.rows, test.rows) == (25_600, 4_562)
    cut = np.floor(100 * numbers_of(training).mean(axis=1)) / 100
    assert cut.tolist() == pytest.approx(MEANS, abs=1e-9)


def test_all_printed_correlations_rounded_or_cut_off(records: tuple[Table, Table]) -> None:
    ours = np.asarray(np.corrcoef(numbers_of(records[0])))[np.triu_indices(6, 1)]
    theirs = np.array(CORRELATIONS.split(), float)
    assert (np.isclose(ours.round(3), theirs) | np.isclose(np.trunc(1000 * ours) / 1000, theirs)).all()


WBC_MEANS = [4.44, 3.18, 3.24, 2.88, 3.23, 3.6, 3.41, 2.89, 1.63]  # thesis 7.3.2
WBC_CORRELATIONS = """.63 .64 .49 .52 .61 .56 .53 .36 .90 .72 .76 .70 .77 .72 .47 .70 .73 .73 .75 .71 .45
.59 .68 .69 .62 .42 .59 .62 .65 .49 .70 .60 .34 .68 .35 .46"""


@pytest.fixture(scope="module")
def wbc_records() -> WbcRecords:
    return chapter_seven_records(PaperTables(data_folder()))


def numbers(table: Table) -> np.ndarray:
    return np.stack([table.columns[attribute.name] for attribute in table.schema.inputs])


def test_so_many_of_each_leaf_of_wbc() -> None:
    assert sum(WBC_LEAF_SIZES) == 683
    assert sum(WBC_TEST_RECORDS) == 83


def test_the_printed_means_and_classes(wbc_records: WbcRecords) -> None:
    """Means with their last digits cut off, not rounded; 208 malignant wbc_records are the prior 0.931."""
    assert (wbc_records.training.rows, wbc_records.test.rows) == (600, 83)
    assert (np.floor(100 * numbers(wbc_records.training).mean(axis=1)) / 100).tolist() == pytest.approx(
        WBC_MEANS
    )
    assert int((class_labels(wbc_records.training)[0] == 1).sum()) == 208


def test_the_printed_correlations_but_two(wbc_records: WbcRecords) -> None:
    ours = np.corrcoef(numbers(wbc_records.training))[np.triu_indices(9, 1)]
    theirs = np.array(WBC_CORRELATIONS.split(), float)
    cut = np.floor(100 * ours + 1e-9) / 100
    wrong = ~np.isclose(cut, theirs)
    assert int(wrong.sum()) == 2
    beyond = np.maximum(theirs - ours, ours - theirs - 0.01)[wrong]
    assert beyond.max() < 0.0011


def test_the_printed_errors_of_the_tree(wbc_records: WbcRecords) -> None:
    predict = TreeLearner().fit(Grown(wbc_records.training, Builder(WBC_BUILDER)))
    wrong = [
        int((predict(table) != class_labels(table)[0]).sum())
        for table in (wbc_records.training, wbc_records.test)
    ]
    assert wrong == [4, 9]


def test_a_record_is_found_by_its_identifier(wbc_records: WbcRecords) -> None:
    row = wbc_records.row(1321264)
    assert numbers(wbc_records.training)[:, row].tolist() == [5, 2, 2, 2, 1, 1, 2, 1, 1]


def test_another_file_is_refused(tmp_path: Path) -> None:
    frame = pl.read_csv(data_folder() / "wbc" / "wbc.csv").with_columns(pl.col("Class").reverse())
    (tmp_path / "wbc").mkdir()
    frame.write_csv(tmp_path / "wbc" / "wbc.csv")
    with pytest.raises(InputError, match="other leaves"):
        chapter_seven_records(PaperTables(tmp_path))

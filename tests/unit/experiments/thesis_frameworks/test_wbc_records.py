"""The 600 records of the thesis: what it prints about them comes out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.thesis_frameworks.wbc_records import (
    LEAF_SIZES,
    SEE5,
    TEST_RECORDS,
    WbcRecords,
    chapter_seven_records,
)
from hushwood.measures.grown import Grown
from hushwood.measures.utility.learners import TreeLearner
from hushwood.tables.table import Table, class_labels
from real_data import data_folder

MEANS = [4.44, 3.18, 3.24, 2.88, 3.23, 3.6, 3.41, 2.89, 1.63]  # thesis 7.3.2
CORRELATIONS = """.63 .64 .49 .52 .61 .56 .53 .36 .90 .72 .76 .70 .77 .72 .47 .70 .73 .73 .75 .71 .45
.59 .68 .69 .62 .42 .59 .62 .65 .49 .70 .60 .34 .68 .35 .46"""


@pytest.fixture(scope="module")
def records() -> WbcRecords:
    return chapter_seven_records(PaperTables(data_folder()))


def numbers(table: Table) -> np.ndarray:
    return np.stack([table.columns[attribute.name] for attribute in table.schema.inputs])


def test_so_many_of_each_leaf() -> None:
    assert sum(LEAF_SIZES) == 683
    assert sum(TEST_RECORDS) == 83


def test_the_printed_means_and_classes(records: WbcRecords) -> None:
    """Means with their last digits cut off, not rounded; 208 malignant records are the prior 0.931."""
    assert (records.training.rows, records.test.rows) == (600, 83)
    assert (np.floor(100 * numbers(records.training).mean(axis=1)) / 100).tolist() == pytest.approx(MEANS)
    assert int((class_labels(records.training)[0] == 1).sum()) == 208


def test_the_printed_correlations_but_two(records: WbcRecords) -> None:
    ours = np.corrcoef(numbers(records.training))[np.triu_indices(9, 1)]
    theirs = np.array(CORRELATIONS.split(), float)
    cut = np.floor(100 * ours + 1e-9) / 100
    wrong = ~np.isclose(cut, theirs)
    assert int(wrong.sum()) == 2
    beyond = np.maximum(theirs - ours, ours - theirs - 0.01)[wrong]
    assert beyond.max() < 0.0011


def test_the_printed_errors_of_the_tree(records: WbcRecords) -> None:
    predict = TreeLearner().fit(Grown(records.training, SEE5))
    wrong = [
        int((predict(table) != class_labels(table)[0]).sum()) for table in (records.training, records.test)
    ]
    assert wrong == [4, 9]


def test_a_record_is_found_by_its_identifier(records: WbcRecords) -> None:
    row = records.row(1321264)
    assert numbers(records.training)[:, row].tolist() == [5, 2, 2, 2, 1, 1, 2, 1, 1]


def test_another_file_is_refused(tmp_path: Path) -> None:
    frame = pl.read_csv(data_folder() / "wbc" / "wbc.csv").with_columns(pl.col("Class").reverse())
    (tmp_path / "wbc").mkdir()
    frame.write_csv(tmp_path / "wbc" / "wbc.csv")
    with pytest.raises(InputError, match="other leaves"):
        chapter_seven_records(PaperTables(tmp_path))

"""Boston's records are those of the thesis' description: eleven numbers, a class of two values, 300 + 50 of them."""

from __future__ import annotations

import numpy as np

from hushwood.experiments.class_noise.boston_records import BOTTOM, TOP, boston_prices, drawn_records
from hushwood.experiments.paper_tables import PaperTables
from hushwood.random_streams import Streams
from hushwood.tables.table import class_labels
from real_data import data_folder


def test_the_class_is_the_top_fifth_and_two_columns_are_left_out() -> None:
    table = boston_prices(PaperTables(data_folder()))
    codes, names = class_labels(table)
    assert names == (BOTTOM, TOP)
    assert np.bincount(codes).tolist() == [404, 102]
    assert [name for name in table.columns if name in ("CHAS", "B", "MEDV")] == []
    assert len(table.columns) == 12


def test_drawn_records_are_never_in_both_parts_and_depend_on_the_key() -> None:
    table = boston_prices(PaperTables(data_folder()))
    numbered = table.with_columns({"CRIM": np.arange(506.0)})
    training, testing = drawn_records(numbered, Streams(bytes(32)))
    assert (training.rows, testing.rows) == (300, 50)
    first, second = training.columns["CRIM"], testing.columns["CRIM"]
    assert not set(first) & set(second)
    assert (np.diff(first) > 0).all()
    other = drawn_records(numbered, Streams(b"1" * 32))[0].columns["CRIM"]
    assert set(other) != set(first)

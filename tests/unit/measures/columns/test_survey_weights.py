"""What records count where they have survey weights."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.measures.columns.survey_weights import counted, mean_of, weight_of, with_weight
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table


def table(*, weighted: bool) -> Table:
    frame = pl.DataFrame({"age": [30, 40, 50], "w": [2.0, 0.0, 0.5]})
    return read_table(frame, weight="w" if weighted else None)


def test_records_without_weight_do_not_count() -> None:
    weighted, plain = table(weighted=True), table(weighted=False)
    assert with_weight(weighted).columns["age"].tolist() == [30.0, 50.0]
    assert with_weight(plain) is plain
    assert (weight_of(weighted), weight_of(plain)) == (2.5, 3)


def test_sums_and_means() -> None:
    met, weights = np.array([True, True, False]), np.array([2.0, 0.0, 0.5])
    assert (counted(met, None), counted(met, weights)) == (2.0, 2.0)
    assert (mean_of(met, None), mean_of(met, weights)) == (2 / 3, 0.8)
    assert mean_of(met, np.zeros(3)) == 2 / 3

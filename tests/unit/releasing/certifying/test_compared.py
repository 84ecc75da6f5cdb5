from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.releasing.certifying.records import compared
from hushwood.tables.reading import read_table

FRAME = pl.DataFrame({"age": [20, None, 31], "city": ["b", None, "new"]})
AGE = {"name": "age", "kind": "numeric", "precision": 0}
CITY = {"name": "city", "kind": "categorical", "values": ["a", "b"]}


def test_numbers_and_their_gaps() -> None:
    found = compared(FRAME, AGE)
    np.testing.assert_array_equal(found.values, [20.0, np.nan, 31.0])
    assert (found.gaps, found.ends) == (1, None)


@pytest.mark.parametrize(
    "dtype", [pl.String(), pl.Categorical(), pl.Enum(["new", "unused", "b", "a"])], ids=str
)
def test_known_categories_come_first_and_all_others_are_one(dtype: pl.DataType) -> None:
    found = compared(FRAME.with_columns(pl.col("city").cast(dtype)), CITY)
    assert found.values.tolist() == [1, -1, 2]
    assert found.values.dtype == np.int32
    assert found.gaps == 1


@pytest.mark.parametrize("dtype", [pl.String(), pl.Categorical(), pl.Enum(["b"]), pl.Null()], ids=str)
def test_a_batch_without_values(dtype: pl.DataType) -> None:
    assert compared(pl.DataFrame({"city": pl.Series([None, None], dtype=dtype)}), CITY).values.tolist() == [
        -1,
        -1,
    ]


def test_numbers_and_booleans_are_compared_as_texts() -> None:
    described = {"name": "x", "kind": "categorical", "values": ["false", "1", "2"]}
    assert compared(pl.DataFrame({"x": [1.0, 2.0, 3.0]}), described).values.tolist() == [1, 2, 3]
    assert compared(pl.DataFrame({"x": [True, False]}), described).values.tolist() == [3, 0]


def test_a_table_is_taken_as_it_is() -> None:
    table = read_table(FRAME, target="city")
    found = compared(table, CITY)
    assert found.values is table.columns["city"]
    assert found.gaps == 1

from __future__ import annotations

import datetime

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.row_keys import check_there, row_ids
from oracles.siphash import siphash

STREAMS = Streams(bytes(range(32)))


def test_ids_are_63_bits_of_the_hash_of_the_text() -> None:
    key = STREAMS.derive("row key", "", 0)[:16]
    texts = ["", "7", "Müller", "x" * 300, "a\nb"]
    assert row_ids(pl.Series("id", texts), STREAMS).tolist() == [siphash(key, t.encode()) >> 1 for t in texts]


@pytest.mark.parametrize("dtype", [pl.Int8, pl.UInt64, pl.Float64, pl.Int64, pl.String, pl.Categorical])
def test_a_number_has_the_same_id_in_every_type(dtype: type[pl.DataType]) -> None:
    column = pl.Series("id", ["1", "2", "100"])
    typed = column.cast(dtype) if dtype in (pl.String, pl.Categorical) else column.cast(pl.Int64).cast(dtype)
    np.testing.assert_array_equal(row_ids(typed, STREAMS), row_ids(column, STREAMS))


def test_ids_follow_the_rows_and_the_key() -> None:
    column = pl.Series("id", [f"person {n}" for n in range(1000)])
    ids = row_ids(column, STREAMS)
    assert ids.dtype == np.int64
    assert ids.min() >= 0
    np.testing.assert_array_equal(row_ids(column[::-1], STREAMS), ids[::-1])
    np.testing.assert_array_equal(row_ids(column[17:40], STREAMS), ids[17:40])
    assert not np.intersect1d(ids, row_ids(column, Streams(bytes(32)))).size


def test_dates_and_truths_can_identify_rows() -> None:
    days = pl.Series("day", [datetime.date(2020, 1, n) for n in (1, 2)])
    np.testing.assert_array_equal(
        row_ids(days, STREAMS), row_ids(pl.Series("day", ["2020-01-01", "2020-01-02"]), STREAMS)
    )
    assert len(row_ids(pl.Series("flag", [True, False]), STREAMS)) == 2


def test_no_rows_have_no_ids() -> None:
    assert row_ids(pl.Series("id", [], dtype=pl.String), STREAMS).tolist() == []


@pytest.mark.parametrize("values", [["a", None], ["a", "b", "a"], [1.0, float("nan")], [None, None]])
def test_missing_and_repeated_values_are_refused_in_the_same_words(values: list[object]) -> None:
    with pytest.raises(
        InputError, match="'person' cannot be the row key, because values in it are missing or repeat"
    ):
        row_ids(pl.Series("person", values), STREAMS)


def test_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(
        InputError, match="no column 'id' to be the row key; name one of these with --row-key: a, b"
    ):
        check_there("id", ["a", "b"])

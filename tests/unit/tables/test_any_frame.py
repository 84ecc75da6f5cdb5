"""Frames of other libraries come in, and the same kind and data types go out."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from hushwood.errors import InputError
from hushwood.tables.any_frame import like, to_polars
from hushwood.tables.frames import frame_from_table
from hushwood.tables.reading import read


def pandas_frame() -> Any:
    index = pd.Index([30, 10, 20], name="row")
    days = pd.to_datetime(["2020-01-01", None, "2020-01-03"])

    def objects(values: list[Any]) -> Any:
        return pd.Series(values, dtype=object, index=index)

    return pd.DataFrame(
        {
            "int64": [1, 2, 3],
            "int8": np.array([1, 2, 3], dtype=np.int8),
            "Int64": pd.array([1, None, 3], dtype="Int64"),
            "float": [1.5, np.nan, 2.0],
            "float32": np.array([0.1, 0.2, np.nan], dtype=np.float32),
            "Float64": pd.array([1.5, None, 2.0], dtype="Float64"),
            "bool": [True, False, True],
            "boolean": pd.array([True, None, False], dtype="boolean"),
            "category": pd.Categorical(["x", "y", None], categories=["y", "x", "z"]),
            "ordered": pd.Categorical(["m", "s", None], categories=["s", "m", "l"], ordered=True),
            "numbers": pd.Categorical([30, 4, 30]),
            "str": ["a", None, "c"],
            "string": pd.array(["a", None, "c"], dtype="string"),
            "object": objects(["a", None, "c"]),
            "object nan": objects(["a", np.nan, "c"]),
            "dates": objects([date(2020, 1, 1), None, date(2020, 1, 3)]),
            "decimals": objects([Decimal("1.10"), None, Decimal("2.25")]),
            "truths": objects([True, None, False]),
            "datetime": days,
            "nanoseconds": days.astype("datetime64[ns]"),
            "zoned": days.tz_localize("Europe/Berlin"),
            "timedelta": pd.to_timedelta([1, 2, None], unit="s"),
            "arrow": pd.array([1, None, 2], dtype="int64[pyarrow]"),
            5: [1, 2, 3],
        },
        index=index,
    )


def test_pandas_through_a_table() -> None:
    native = pandas_frame()
    reading = read(native)
    back = reading.frame_like(frame_from_table(reading.table))
    pd.testing.assert_frame_equal(back, native.reset_index(drop=True))


def test_pandas_order_of_categories_wins() -> None:
    schema = read(pandas_frame()).table.schema
    assert schema["category"].categories == ("y", "x", "z")
    assert schema["ordered"].categories == ("s", "m", "l")
    assert schema["numbers"].categories == ("4", "30")
    assert schema["5"].kind == "numeric"


def test_polars_frames() -> None:
    frame = pl.DataFrame({"a": [1, None], "b": ["x", "y"]})
    assert to_polars(frame) is frame
    assert like(frame, frame) is frame
    lazy = frame.lazy()
    assert to_polars(lazy).equals(frame)
    back = like(lazy, frame)
    assert isinstance(back, pl.LazyFrame)
    assert back.collect().equals(frame)


def arrow_table() -> Any:
    ordered = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, None], pa.int8()), pa.array(["q", "p"]), ordered=True
    )
    return pa.table(
        {
            "int32": pa.array([1, None, 3], pa.int32()),
            "float": pa.array([0.5, None, 1.5]),
            "string": pa.array(["x", None, "y"]),
            "dictionary": pa.array(["z", None, "a"]).dictionary_encode(),
            "ordered": ordered,
            "numbers": pa.array([5, 6, 5]).dictionary_encode(),
            "seconds": pa.array([1, 2, None], pa.timestamp("s")),
            "date": pa.array([date(2020, 1, 1), None, date(2020, 1, 2)]),
            "decimal": pa.array([Decimal("1.25"), None, Decimal("2.50")], pa.decimal128(8, 2)),
            "bool": pa.array([True, None, False]),
            "null": pa.nulls(3),
        }
    )


def test_arrow_tables_come_back_the_same() -> None:
    native = arrow_table()
    reading = read(native)
    assert reading.table.schema["ordered"].categories == ("q", "p")
    assert reading.table.schema["dictionary"].categories == ("a", "z")
    back = reading.frame_like(frame_from_table(reading.table))
    assert back.schema.equals(native.schema)
    assert back.equals(native)


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(InputError, match="A int is not a table"):
        to_polars(3)

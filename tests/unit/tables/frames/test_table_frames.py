"""Frames into tables and back: values and data types are the same."""

from __future__ import annotations

import time as clock
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.columns.inference import infer_schema
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.frames.table_frames import released_frame, table_from_frame
from hushwood.tables.read_options import ReadOptions
from hushwood.tables.schema import LARGEST_NUMBER, Attribute, Schema

VALUES: dict[Any, st.SearchStrategy[Any]] = {
    pl.Int64(): st.integers(-(2**53), 2**53),
    pl.Int8(): st.integers(-128, 127),
    pl.UInt32(): st.integers(0, 2**32 - 1),
    pl.UInt64(): st.integers(0, 2**53),
    pl.Float64(): st.floats(-LARGEST_NUMBER, LARGEST_NUMBER)
    | st.integers(-(10**9), 10**9).map(lambda whole: whole / 1000),
    pl.Float32(): st.floats(width=32, allow_nan=False, allow_infinity=False),
    pl.Boolean(): st.booleans(),
    pl.String(): st.text(max_size=5) | st.integers(0, 30).map(str),
    pl.Categorical(): st.sampled_from(["b", "a", "10", ""]),
    pl.Enum(["z", "y", "é"]): st.sampled_from(["z", "y", "é"]),
    pl.Date(): st.dates(),
    pl.Datetime("us"): st.datetimes(datetime(1900, 1, 1), datetime(2040, 1, 1)),
    pl.Datetime("ms", "Europe/Berlin"): st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)).map(
        lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    ),
    pl.Datetime("ns"): st.datetimes(datetime(1900, 1, 1), datetime(2040, 1, 1)),
    pl.Time(): st.times(),
    pl.Duration("us"): st.timedeltas(timedelta(days=-9999), timedelta(days=9999)),
    pl.Decimal(12, 3): st.decimals(-(10**8), 10**8, places=3, allow_nan=False),
    pl.Null(): st.none(),
}


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6) | st.sampled_from(
    ["*", "^a.*$", "^.*$", "a", "ab", "^$"]
)


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    rows = draw(st.integers(1, 8))
    columns = []
    for name in names:
        dtype = draw(st.sampled_from(list(VALUES)))
        values = draw(st.lists(VALUES[dtype] | st.none(), min_size=rows, max_size=rows))
        if isinstance(dtype, pl.Datetime) and dtype.time_zone:
            local = pl.Series(values, dtype=pl.Datetime(dtype.time_unit)).dt.replace_time_zone("UTC")
            columns.append(local.dt.convert_time_zone(dtype.time_zone).alias(name))
        else:
            columns.append(pl.Series(values, dtype=dtype).alias(name))
    return pl.DataFrame({column.name: column for column in columns})


@settings(max_examples=300)
@given(frames())
def test_frames_come_back_the_same(frame: pl.DataFrame) -> None:
    schema, _ = infer_schema(frame)
    back = frame_from_table(table_from_frame(frame, schema))
    assert back.schema == frame.schema
    assert back.equals(frame)


@settings(max_examples=100)
@given(frames())
def test_columns_declared_categorical_come_back_the_same(frame: pl.DataFrame) -> None:
    usable = pl.DataFrame([column for column in frame if not isinstance(column.dtype, pl.Duration)])
    if not usable.width:
        return
    given_kinds = {name: {"kind": "categorical"} for name in usable.columns}
    schema, _ = infer_schema(usable, declared=given_kinds)
    back = frame_from_table(table_from_frame(usable, schema))
    assert back.schema == usable.schema
    assert back.equals(usable)


def through(frame: pl.DataFrame, **options: Any) -> dict[str, list[Any]]:
    schema, _ = infer_schema(frame, ReadOptions(**options))
    table = table_from_frame(frame, schema, infinite=options.get("infinite", "refuse"))
    return {name: values.tolist() for name, values in table.columns.items()}


def test_arrays() -> None:
    frame = pl.DataFrame(
        {
            "i": [3, None],
            "f": [0.5, float("nan")],
            "b": [True, None],
            "s": ["x", None],
            "d": [date(1970, 1, 2), None],
            "t": [time(0, 1), None],
        }
    )
    columns = through(frame)
    assert columns["b"] == [1, -1]
    assert columns["s"] == [0, -1]
    assert [columns[name][0] for name in "ifdt"] == [3.0, 0.5, 1.0, 60.0]
    assert all(np.isnan(columns[name][1]) for name in "ifdt")


def test_array_types() -> None:
    frame = pl.DataFrame({"i": [1, 2], "f": [0.5, 1.0], "s": ["x", "y"]})
    columns = table_from_frame(frame, infer_schema(frame)[0]).columns
    assert [columns[name].dtype for name in "ifs"] == [np.float64, np.float64, np.int32]
    assert np.shares_memory(columns["f"], frame["f"].to_numpy())


def test_float32_on_a_grid_becomes_the_decimal_meant() -> None:
    assert through(pl.DataFrame({"a": pl.Series([0.1, 0.25], dtype=pl.Float32)}))["a"] == [0.1, 0.25]


def test_noise_is_rounded_to_the_grid() -> None:
    frame = pl.DataFrame({"i": [1, 5], "f": [0.1, 0.9], "d": [date(2020, 1, 1), date(2020, 1, 9)]})
    table = table_from_frame(frame, infer_schema(frame)[0])
    day = table.columns["d"][0]
    noisy = table.with_columns(
        {
            "i": np.array([2.0, 4.0]),
            "f": np.array([0.1 + 0.2, 0.7000000001]),
            "d": np.array([day + 1, day + 2]),
        }
    )
    assert frame_from_table(noisy).to_dict(as_series=False) == {
        "i": [2, 4],
        "f": [0.3, 0.7],
        "d": [date(2020, 1, 2), date(2020, 1, 3)],
    }


def test_infinities() -> None:
    frame = pl.DataFrame({"a": [1.0, float("inf")]})
    assert np.isnan(through(frame, infinite="missing")["a"][1])
    with pytest.raises(InputError, match="'a' contains infinite"):
        table_from_frame(frame, Schema((Attribute("a", "numeric"),)))


def test_identifiers_stay_out_and_ignored_columns_are_copied() -> None:
    frame = pl.DataFrame({"id": [7, 8], "x": [1, 2], "note": [["a"], ["b", "c"]]})
    schema, _ = infer_schema(frame, ReadOptions(roles={"id": "identifier", "note": "ignored"}))
    table = table_from_frame(frame, schema)
    assert list(table.columns) == ["x"]
    assert table.carried.columns == ["id", "note"]
    assert frame_from_table(table).equals(frame.drop("id"))
    assert frame_from_table(table, identifiers=True).equals(frame)
    without = table_from_frame(frame.drop("id"), schema)
    assert without.schema.names == ("x", "note")


def test_frames_that_do_not_fit_the_schema() -> None:
    schema = Schema((Attribute("a", "categorical", storage="String", categories=("x",)),))
    with pytest.raises(InputError, match="'b' is not in the schema"):
        table_from_frame(pl.DataFrame({"a": ["x"], "b": [1]}), schema)
    with pytest.raises(InputError, match="'a' of the schema is not in the data"):
        table_from_frame(pl.DataFrame(), schema)
    with pytest.raises(InputError, match="not among its categories: 'y'"):
        table_from_frame(pl.DataFrame({"a": ["x", "y"]}), schema)


def test_numbers_held_as_texts() -> None:
    frame = pl.DataFrame({"a": ["1", "2.5", None]})
    schema, _ = infer_schema(frame, declared={"a": {"kind": "numeric"}})
    table = table_from_frame(frame, schema)
    assert table.columns["a"][:2].tolist() == [1.0, 2.5]
    assert frame_from_table(table).equals(frame)


def test_a_hundred_thousand_categories() -> None:
    texts = pl.Series("a", [f"category {n % 100_000}" for n in range(300_000)])
    frame = texts.to_frame()
    started = clock.perf_counter()
    schema, warnings = infer_schema(frame)
    table = table_from_frame(frame, schema)
    assert frame_from_table(table).equals(frame)
    assert clock.perf_counter() - started < 5
    assert len(schema["a"].categories) == 100_000
    assert [warning.code for warning in warnings] == ["many-categories"]


def test_only_used_categories() -> None:
    frame = pl.DataFrame(
        {
            "size": pl.Series(["l", "s", None], dtype=pl.Enum(["s", "m", "l"])),
            "text": ["a", "b", "c"],
            "y": pl.Series(["a", "b", "a"], dtype=pl.Enum(["b", "gone", "a"])),
            "copied": pl.Series([["s"], [], None], dtype=pl.List(pl.Enum(["s", "m"]))),
            "record": pl.Series([{"a": "s"}] * 3, dtype=pl.Struct({"a": pl.Enum(["s", "m"])})),
        }
    )
    schema = infer_schema(frame, ReadOptions(target="y", roles={"copied": "ignored", "record": "ignored"}))[0]
    used = released_frame(table_from_frame(frame, schema))
    assert used.schema["size"] == pl.Enum(["s", "l"])
    assert used.schema["y"] == pl.Enum(["b", "a"])
    assert used.schema["copied"] == pl.List(pl.String)
    assert used.schema["record"] == pl.Struct({"a": pl.String})
    assert used.rows() == frame.rows()


@pytest.mark.parametrize("dtype", [pl.Int64(), pl.UInt8(), pl.Float64(), pl.Float32()])
def test_flags_are_categories_and_come_back_as_their_numbers(dtype: pl.DataType) -> None:
    frame = pl.DataFrame({"smoker": pl.Series([0, 1, None, 1] * 9, dtype=dtype)})
    schema = infer_schema(frame)[0]
    assert schema["smoker"].flag
    table = table_from_frame(frame, schema)
    assert table.columns["smoker"][:4].tolist() == [0, 1, -1, 1]
    assert frame_from_table(table).equals(frame)
    assert not infer_schema(frame, by_type=True)[0]["smoker"].flag

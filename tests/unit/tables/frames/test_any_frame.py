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
from hushwood.tables.frames.any_frame import like, names_of_columns, to_polars, unordered_categories
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.frames.table_frames import released_frame
from hushwood.tables.reading import read, read_table

DAYS = pd.to_datetime(["2020-01-01", None, "2020-01-03"])


def objects(*values: Any) -> Any:
    return pd.Series(values, dtype=object)


COLUMNS: dict[str, Any] = {
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
    "intervals": pd.cut([1, 5, 9], [0, 4, 10]),
    "no categories": pd.Categorical([None, None, None]),
    "str": ["a", None, "c"],
    "string": pd.array(["a", None, "c"], dtype="string"),
    "object": objects("a", None, "c"),
    "object nan": objects("a", np.nan, "c"),
    "dates": objects(date(2020, 1, 1), None, date(2020, 1, 3)),
    "decimals": objects(Decimal("1.10"), None, Decimal("2.25")),
    "truths": objects(True, None, False),
    "datetime": DAYS,
    "nanoseconds": DAYS.astype("datetime64[ns]"),
    "zoned": DAYS.tz_localize("Europe/Berlin"),
    "timedelta": pd.to_timedelta([1, 2, None], unit="s"),
    "arrow": pd.array([1, None, 2], dtype="int64[pyarrow]"),
}


def pandas_frame() -> Any:
    columns: dict[Any, Any] = {**COLUMNS, 5: [1, 2, 3]}
    return pd.DataFrame(columns).set_index(pd.Index([30, 10, 20], name="row"))


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


def dictionary(codes: list[int | None], values: list[Any], *, ordered: bool = False) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(values), ordered=ordered)


ARROW_COLUMNS = {
    "int32": pa.array([1, None, 3], pa.int32()),
    "float": pa.array([0.5, None, 1.5]),
    "string": pa.array(["x", None, "y"]),
    "dictionary": pa.array(["z", None, "a"]).dictionary_encode(),
    "ordered": dictionary([0, 1, None], ["q", "p"], ordered=True),
    "numbers": pa.array([5, 6, 5]).dictionary_encode(),
    "short numbers": dictionary([0, 1, 0], [5, 6]),
    "seconds": pa.array([1, 2, None], pa.timestamp("s")),
    "date": pa.array([date(2020, 1, 1), None, date(2020, 1, 2)]),
    "decimal": pa.array([Decimal("1.25"), None, Decimal("2.50")], pa.decimal128(8, 2)),
    "bool": pa.array([True, None, False]),
    "null": pa.nulls(3),
}


@pytest.mark.parametrize("name", ARROW_COLUMNS)
def test_arrow_columns_come_back_the_same(name: str) -> None:
    native = pa.table({name: ARROW_COLUMNS[name]})
    back = like(native, to_polars(native))
    assert back.schema.equals(native.schema)
    assert back.equals(native)


def test_arrow_tables_come_back_the_same() -> None:
    native = pa.table(ARROW_COLUMNS)
    reading = read(native)
    assert reading.table.schema["ordered"].categories == ("q", "p")
    assert reading.table.schema["dictionary"].categories == ("a", "z")
    back = reading.frame_like(frame_from_table(reading.table))
    assert back.schema.equals(native.schema)
    assert back.equals(native)


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(InputError, match="A int is not a table"):
        to_polars(3)


@pytest.mark.parametrize("name", COLUMNS)
def test_pandas_columns_come_back_the_same(name: str) -> None:
    native = pd.DataFrame({name: COLUMNS[name]})
    pd.testing.assert_frame_equal(like(native, to_polars(native)), native)


def test_categories_become_enums_in_their_order() -> None:
    frame = to_polars(pd.DataFrame({name: COLUMNS[name] for name in ("category", "numbers", "intervals")}))
    assert frame.dtypes == [pl.Enum(["y", "x", "z"]), pl.Enum(["4", "30"]), pl.Enum(["(0, 4]", "(4, 10]"])]
    assert frame["category"].to_list() == ["x", "y", None]


def test_labels_that_are_no_texts_come_back() -> None:
    native = pd.DataFrame({5: [1], ("a", 1): ["x"]})
    assert to_polars(native).columns == ["5", "('a', 1)"]
    assert like(native, to_polars(native)).columns.tolist() == [5, ("a", 1)]


def test_columns_and_rows_can_be_dropped_and_the_index_stays_out() -> None:
    native = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}, index=["Ann", "Bob", "Cy"])
    back = like(native, pl.DataFrame({"b": ["z", "x"]}))
    pd.testing.assert_frame_equal(back, pd.DataFrame({"b": ["z", "x"]}))


@pytest.mark.parametrize(
    ("native", "words"),
    [
        (pd.DataFrame({"m": objects(1, "a")}), "'m' mixes kinds"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than once: a"),
        (pd.DataFrame([[1, 2]], columns=[1, "1"]), "more than once: 1"),
        (pd.DataFrame({"a": pd.Categorical([1, "1"])}), "with the same text"),
    ],
)
def test_frames_that_cannot_be_used(native: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        to_polars(native)


def test_periods_can_be_read_but_not_given_back() -> None:
    native = pd.DataFrame({"p": pd.period_range("2020-01", periods=2, freq="M")})
    assert to_polars(native)["p"].to_list() == ["2020-01", "2020-02"]
    with pytest.raises(InputError, match="Convert it to texts or dates"):
        like(native, to_polars(native))


def test_names_of_groups_need_other_types() -> None:
    native = pd.DataFrame(
        {
            "truth": [True, False, True],
            "number": [1, 2, 3],
            "boolean": pd.array([True, None, False], dtype="boolean"),
            "text": ["a", "b", "c"],
            "category": pd.Categorical(["x", "y", None], categories=["y", "x", "z"]),
            "numbers": pd.Categorical([30, 4, 30]),
        }
    )
    released = pl.DataFrame(
        {
            "truth": ["ALL"] * 3,
            "number": ["{1, 2}", "{1, 2}", "3"],
            "boolean": ["true", None, "ALL"],
            "text": ["{a, b}", "{a, b}", "c"],
            "category": ["{x, y}", "{x, y}", None],
            "numbers": ["ALL", "4", "ALL"],
        }
    )
    back = like(native, released)
    for name in released.columns:
        texts = [None if pd.isna(value) else value for value in back[name].tolist()]
        assert texts == released[name].to_list()
    assert back["category"].cat.categories.tolist() == ["{x, y}"]
    assert back["numbers"].cat.categories.tolist() == ["4", "ALL"]
    assert back["truth"].dtype == back["text"].dtype


def test_an_enum_says_which_categories_there_are() -> None:
    native = pd.DataFrame({name: COLUMNS[name] for name in ("ordered", "numbers", "intervals")})
    fewer = pl.DataFrame(
        [
            pl.Series("ordered", ["l", "s", None], dtype=pl.Enum(["s", "l"])),
            pl.Series("numbers", ["30", "30", "30"], dtype=pl.Enum(["30"])),
            pl.Series("intervals", [None, None, None], dtype=pl.Enum([])),
        ]
    )
    back = like(native, fewer)
    assert back["ordered"].tolist()[:2] == ["l", "s"]
    assert back["ordered"].cat.categories.tolist() == ["s", "l"]
    assert back["ordered"].cat.ordered
    assert back["numbers"].tolist() == back["numbers"].cat.categories.tolist() * 3 == [30] * 3
    assert back["intervals"].isna().all()
    assert len(back["intervals"].cat.categories) == 0


def test_only_an_ordered_dictionary_has_an_order() -> None:
    native = pa.table(
        {"o": dictionary([0, 1], ["q", "p"], ordered=True), "d": dictionary([0, 1], ["q", "p"])}
    )
    assert to_polars(native).schema == {"o": pl.Enum(["q", "p"]), "d": pl.Categorical()}


def test_dictionaries_of_several_chunks_are_joined() -> None:
    chunks = pa.chunked_array(
        [dictionary([0], ["b"], ordered=True), dictionary([0, 1], ["c", "b"], ordered=True)]
    )
    frame = to_polars(pa.table({"a": chunks}))
    assert frame["a"].to_list() == ["b", "c", "b"]
    assert frame.schema["a"] == pl.Enum(["b", "c"])


def test_numbers_in_dictionaries_may_change() -> None:
    native = pa.table({"a": dictionary([0, 1, 0], [5, 6])})
    back = like(native, pl.DataFrame({"a": [5, 7, None]}))
    assert back.schema.equals(native.schema)
    assert back["a"].to_pylist() == [5, 7, None]


def test_dropped_columns_and_what_the_owner_noted_stay_out() -> None:
    fields = [pa.field("a", pa.int64()), pa.field("b", pa.string(), metadata={"note": "x was Ann"})]
    schema = pa.schema(fields, metadata={"made by": "hand", "pandas": '{"attributes": {"ward": "3"}}'})
    native = pa.table({"a": [1], "b": ["x"]}, schema=schema)
    back = like(native, pl.DataFrame({"b": ["y"]}))
    assert back.to_pydict() == {"b": ["y"]}
    assert back.schema.metadata is None
    assert back.schema.field("b").metadata is None
    texts = like(native, pl.DataFrame({"a": ["ALL"], "b": ["y"]}))
    assert texts.schema.field("a").metadata is None


def test_dictionaries_list_what_the_release_has() -> None:
    native = pa.table(
        {
            "ordered": dictionary([0, 1, 2], ["q", "p", "o"], ordered=True),
            "whole": dictionary([0, 1, 2], ["q", "p", "o"], ordered=True),
            "text": dictionary([0, 1, 2], ["q", "p", "o"]),
            "number": dictionary([0, 1, 2], [7, 6, 5]),
        }
    )
    released = pl.DataFrame(
        [
            pl.Series("ordered", ["o", "q", None], dtype=pl.Enum(["q", "o"])),
            pl.Series("whole", ["o", "o", None], dtype=pl.Enum(["q", "p", "o"])),
            pl.Series("text", ["{x}", "o", "q"]),
            pl.Series("number", [5, 5, 7]),
        ]
    )
    back = like(native, released)
    assert back.to_pydict() == released.to_dict(as_series=False)
    listed = {name: back[name].chunk(0).dictionary.to_pylist() for name in back.column_names}
    assert listed == {
        "ordered": ["q", "o"],
        "whole": ["q", "p", "o"],
        "text": ["q", "o", "{x}"],
        "number": [7, 5],
    }
    assert back.schema.equals(native.schema)


def test_names_must_be_unique() -> None:
    with pytest.raises(InputError, match="more than once: a"):
        to_polars(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]))


def test_names_of_groups_become_texts() -> None:
    native = pa.table(
        {
            "truth": [True, False],
            "number": dictionary([0, 1], [5, 6]),
            "text": dictionary([0, 1], ["q", "p"]),
            "plain": ["a", "b"],
        }
    )
    released = {"truth": ["ALL"] * 2, "number": ["{5, 6}"] * 2, "text": ["q", "{p, r}"], "plain": ["ALL"] * 2}
    back = like(native, pl.DataFrame(released))
    assert back.to_pydict() == released
    assert [str(kind) for kind in back.schema.types[:2]] == ["string", "string"]
    assert back.schema.field("text").type == native.schema.field("text").type


def test_only_some_categories_of_pandas_have_an_order() -> None:
    columns = {
        "grade": pd.Categorical(["b", "a", "b"], ["c", "b", "a"], ordered=True),
        "city": pd.Categorical(["b", "a", "b"], ["b", "a"]),
        "age": [1, 2, 3],
    }
    frame = pd.DataFrame(columns)
    assert unordered_categories(frame) == {"city"}
    assert unordered_categories(pl.DataFrame({"a": [1]})) == frozenset()
    table = read_table(frame)
    assert table.schema["grade"].ordered
    assert not table.schema["city"].ordered
    back = like(frame, released_frame(table))
    assert back["grade"].cat.ordered
    assert list(back["grade"].cat.categories) == ["b", "a"]
    assert not back["city"].cat.ordered
    # The table itself can be read again, and its unordered categories stay unordered.
    assert read_table(table, roles={"age": "confidential"}).schema["city"] == table.schema["city"]


def test_names_of_groups_end_an_order() -> None:
    frame = pd.DataFrame({"grade": pd.Categorical(["b", "a", "b"], ["b", "a"], ordered=True)})
    back = like(frame, pl.DataFrame({"grade": ["b", "{b, a}", "b"]}))
    assert list(back["grade"].cat.categories) == ["b", "{b, a}"]
    assert not back["grade"].cat.ordered


def test_arrays_of_every_kind_become_columns() -> None:
    numbers = np.array([[1.5, np.nan], [2.0, 3.0]])
    assert to_polars(numbers).to_dict(as_series=False) == {"column_0": [1.5, 2.0], "column_1": [None, 3.0]}
    masked = np.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    assert to_polars(masked).to_dict(as_series=False) == {"column_0": [1, 3], "column_1": [None, 4]}
    objects = np.array([[1, "a"], [2, np.nan]], dtype=object)
    assert to_polars(objects).to_dict(as_series=False) == {"column_0": [1, 2], "column_1": ["a", None]}
    fields = np.array([(1, "a"), (2, "b")], dtype=[("n", int), ("t", "U1")])
    assert to_polars(fields).to_dict(as_series=False) == {"n": [1, 2], "t": ["a", "b"]}
    mapping = {"a": np.array([1, 2]), 5: ["x", None], "c": pd.Series([1.5, np.nan])}
    assert to_polars(mapping).to_dict(as_series=False) == {"a": [1, 2], "5": ["x", None], "c": [1.5, None]}
    assert like(mapping, to_polars(numbers)).columns == ["column_0", "column_1"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (np.zeros(3), "two dimensions, rows and columns; the array has 1"),
        (np.zeros((2, 2, 2)), "the array has 3"),
        ({"a": [1, 2], "b": [1]}, "The columns have different lengths"),
        ({"a": [1, "x"]}, "Column 'a' mixes kinds of values"),
        ({"a": [1], "b": 2}, "Column 'b'"),
        ({"1": [1], 1: [2]}, "Column names must be unique"),
        (5, "A int is not a table. Give a file, a pandas, Polars or Arrow frame, an array"),
    ],
    ids=str,
)
def test_what_is_no_table(given: object, says: str) -> None:
    with pytest.raises(InputError, match=says):
        to_polars(given)


def test_columns_by_their_places() -> None:
    assert names_of_columns(np.zeros((2, 3)), [0, -1, "x"]) == ["column_0", "column_2", "x"]
    assert names_of_columns(pd.DataFrame({7: [1]}), np.int64(7)) == "7"
    assert names_of_columns(np.zeros((2, 3)), None) is None
    for place in (3, -4):
        with pytest.raises(InputError, match=f"3 columns, from 0 to 2; {place} was given"):
            names_of_columns(np.zeros((2, 3)), place)

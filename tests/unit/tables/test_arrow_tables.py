"""Arrow tables into Polars and back, field types and dictionaries included."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from hushwood.errors import InputError
from hushwood.tables.arrow_tables import like, to_polars


def dictionary(codes: list[int | None], values: list[Any], *, ordered: bool = False) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int8()), pa.array(values), ordered=ordered)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1, None, 3], pa.int32()),
        pa.array([0.5, None, 1.5]),
        pa.array(["x", None, "y"]),
        pa.array(["z", None, "a"]).dictionary_encode(),
        dictionary([0, 1, None], ["q", "p"], ordered=True),
        dictionary([0, 1, 0], [5, 6]),
        pa.array([1, 2, None], pa.timestamp("s")),
        pa.array([date(2020, 1, 1), None, date(2020, 1, 2)]),
        pa.array([Decimal("1.25"), None, Decimal("2.50")], pa.decimal128(8, 2)),
        pa.array([True, None, False]),
        pa.nulls(3),
    ],
    ids=lambda column: str(column.type)[:20],
)
def test_columns_come_back_the_same(column: Any) -> None:
    native = pa.table({"a": column})
    back = like(native, to_polars(native))
    assert back.schema.equals(native.schema)
    assert back.equals(native)


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
    with pytest.raises(InputError, match="twice: a"):
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

from __future__ import annotations

import polars as pl
import pytest

from hushwood.releasing.certifying.records import Shape, type_fault
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.laws.promises import COPIED, GENERALISED, INSIDE, RANGES, Promise
from support.mixed_tables import number


@pytest.mark.parametrize(
    ("storage", "dtype", "promise", "typed", "broken"),
    [
        ("Int64", pl.Int64(), INSIDE, True, False),
        ("Int64", pl.Int32(), INSIDE, True, True),
        ("Int64", pl.Float64(), INSIDE, False, True),
        ("Int128", pl.Int64(), INSIDE, False, False),
        ("Float64", pl.String(), INSIDE, False, True),
        ("Datetime[us]", pl.Datetime("us"), INSIDE, True, False),
        ("Datetime[us]", pl.Datetime("ms"), INSIDE, True, True),
        ("Datetime[us]", pl.Date(), INSIDE, False, True),
        ("Enum", pl.Enum(["a"]), COPIED, True, False),
        ("Categorical", pl.String(), COPIED, True, False),
        ("Boolean", pl.String(), COPIED, True, True),
        ("Boolean", pl.String(), GENERALISED, True, False),
        ("Boolean", pl.Int64(), GENERALISED, True, True),
    ],
    ids=str,
)
def test_types(storage: str, dtype: pl.DataType, promise: Promise, typed: bool, broken: bool) -> None:
    attribute = Attribute("x", "categorical", storage=storage)
    found = type_fault(attribute, dtype, promise, typed)
    assert (found is not None) == broken
    if found:
        assert found.startswith("column 'x' was written as ")
        assert found.endswith(f" and not as {storage}")


def test_ranges_are_texts() -> None:
    age = number("age", 0, 100)
    assert type_fault(age, pl.String(), RANGES, True) is None
    assert type_fault(age, pl.String(), GENERALISED, True) is not None
    assert type_fault(age, pl.Int64(), RANGES, False) is None


AGE = Attribute("age", "numeric", storage="Int64", low=0, high=100)
NAME = Attribute("name", "categorical", storage="String")


def shape(*batches: pl.DataFrame, typed: bool = True, rows: int = 2) -> Shape:
    found = Shape(Schema((AGE, NAME)), rows, {"age": INSIDE, "name": COPIED}, typed)
    for batch in batches:
        found.add(batch)
    return found


RIGHT = pl.DataFrame({"age": [1], "name": ["a"]})
EMPTY = pl.DataFrame({"age": [None], "name": ["a"]}, schema_overrides={"age": pl.String})
WRONG = RIGHT.with_columns(pl.col("age").cast(pl.String))


def test_the_right_shape() -> None:
    assert shape(RIGHT, RIGHT).faults == ()
    assert not shape(RIGHT, RIGHT).broken


def test_lost_and_added_records_are_the_first_fault() -> None:
    assert shape(RIGHT).faults == ("the file has 1 records instead of 2",)
    assert shape(RIGHT, WRONG, RIGHT).faults == ("the file has 3 records instead of 2",)
    assert shape(RIGHT, RIGHT, RIGHT).broken


@pytest.mark.parametrize("place", [0, 1])
def test_other_columns_in_any_batch(place: int) -> None:
    batches = [RIGHT, RIGHT]
    batches[place] = RIGHT.select("name", "age")
    found = shape(*batches)
    assert found.broken
    assert found.faults == ("the file has other columns than those that were to go out",)


def test_a_column_without_values_has_a_type_only_where_files_have_types() -> None:
    said = ("column 'age' was written as String and not as Int64",)
    for batches in ((EMPTY, RIGHT), (RIGHT, EMPTY), (EMPTY, EMPTY)):
        assert shape(*batches).faults == said
        assert shape(*batches, typed=False).faults == ()
    assert shape(EMPTY, WRONG, typed=False).faults == said


def test_without_promises_only_rows_are_counted() -> None:
    found = Shape(Schema(()), 2, None, typed=True)
    found.add(WRONG)
    assert (found.faults, found.found, found.broken) == ((), 1, False)

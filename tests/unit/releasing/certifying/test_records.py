from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Array
from hushwood.errors import BrokenCertificate, InternalFault
from hushwood.releasing.certificate import Claims, certify
from hushwood.releasing.certifying.records import (
    KeptRecords,
    MatchedRecords,
    Routes,
    Shape,
    Together,
    compared,
    type_fault,
)
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.tables.frames.table_frames import released_frame
from hushwood.tables.reading import read_table
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.laws.promises import COPIED, GENERALISED, INSIDE, NUMBERED, RANGES, Promise
from hushwood.trees.model_file import forest_to_json
from oracles.certificates import leaf_of
from support.mixed_tables import mixed_table, number, plain_rows, random_model
from support.visits import STREAMS, table_of_visits

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


AGE_SHAPE = Attribute("age", "numeric", storage="Int64", low=0, high=100)
NAME = Attribute("name", "categorical", storage="String")


def shape(*batches: pl.DataFrame, typed: bool = True, rows: int = 2) -> Shape:
    found = Shape(Schema((AGE_SHAPE, NAME)), rows, {"age": INSIDE, "name": COPIED}, typed)
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


AGE_ROUTES = {"name": "age", "kind": "numeric"}
SEX = {"name": "sex", "kind": "categorical", "values": ["f", "m"]}
TREE: list[dict[str, Any]] = [
    {"id": 9, "test": {"attribute": "age", "threshold": 30}, "children": {"le": 4, "gt": 7}, "missing_to": 7},
    {"id": 4},
    {"id": 7, "test": {"attribute": "sex"}, "children": {"f": 1, "x": 2}, "missing_to": 2},
    {"id": 1},
    {"id": 2},
]
FOREST = {"attributes": [AGE_ROUTES, SEX], "trees": [{"nodes": TREE}, {"nodes": [{"id": 5}]}]}
ROUTES = Routes(FOREST, {"age": AGE_ROUTES, "sex": SEX})


def leaves(routes: Routes, before: dict[str, Array], after: dict[str, Array]) -> list[list[list[int]]]:
    """The identities of the leaves, before and after, in each tree."""
    rows = len(next(iter(before.values())))
    found = routes.leaves(before, after, rows)
    return [[ids[places].tolist() for ids, places in zip(routes.ids, side, strict=True)] for side in found]


def test_gaps_limits_and_texts_that_only_the_tree_knows() -> None:
    assert ROUTES.tested["sex"]["values"] == ("f", "m", "x")
    before = {"age": np.array([30, 30.5, np.nan, np.inf, 40]), "sex": np.array([0, 0, 1, 2, -1], np.int32)}
    after = {"age": np.array([40, -5, 99, np.nan, 31]), "sex": np.array([0, 0, 3, 0, 1], np.int32)}
    assert leaves(ROUTES, before, after) == [[[4, 1, 2, 2, 2], [5] * 5], [[1, 4, 2, 1, 2], [5] * 5]]


def test_codes_that_no_text_has_are_refused() -> None:
    ages = np.zeros(1)
    with pytest.raises(InternalFault, match="Codes of column 'sex' must lie from -1 to 3"):
        leaves(ROUTES, {"age": ages, "sex": np.array([4])}, {"age": ages, "sex": np.array([0])})


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_every_record_goes_where_the_oracle_sends_it(seed: int) -> None:
    """Before and after are tables that have nothing to do with each other."""
    tables = mixed_table(seed, 60), mixed_table(seed + 1, 60)
    model = random_model(seed, tables[0])
    described = {
        a.name: {"name": a.name, "kind": a.kind, "values": a.categories} for a in tables[0].schema.inputs
    }
    found = leaves(Routes(model, described), dict(tables[0].columns), dict(tables[1].columns))
    for table, side in zip(tables, found, strict=True):
        for tree, reached in zip(model["trees"], side, strict=True):
            assert reached == [leaf_of(tree["nodes"], record) for record in plain_rows(table)]


LEFT = [np.array([0, 0, 1, 1], np.int32), np.array([0, 1, 0, 1], np.int32)]
REACHED = [np.array([0, 1, 1, 0], np.int32), np.array([0, 1, 1, 0], np.int32)]


@pytest.mark.parametrize("size", [4, 3, 1])
def test_records_in_the_same_row_or_anywhere(size: int) -> None:
    kept, matched = KeptRecords([2, 2]), MatchedRecords([2, 2])
    for first in range(0, 4, size):
        left, reached = ([leaves[first : first + size] for leaves in side] for side in (LEFT, REACHED))
        for counted in (kept, matched):
            counted.add(left, reached, len(left[0]))
    assert kept.totals() == (1, (2, 2))
    # Before are 00, 01, 10, 11; after are 00, 11, 11, 00.
    assert matched.totals() == (2, (4, 4))


def test_without_trees_all_are_kept() -> None:
    for counted in (KeptRecords([]), MatchedRecords([])):
        counted.add([], [], 3)
        assert counted.totals() == (3, ())


PROMISES = {"who": NUMBERED, "age": Promise(per="who")}


def looked_at(*batches: tuple[list[Any], list[Any], list[float], list[int]]) -> Together:
    found = Together("who", PROMISES, [9])
    for names, numbers, ages, leaves in batches:
        found.add(
            pl.Series(names, dtype=pl.String),
            pl.Series(numbers),
            {"age": np.array(ages)},
            [np.array(leaves, np.int32)],
        )
    return found


def test_persons_are_counted_over_batches() -> None:
    found = looked_at(
        (["a", "b"], ["2", "1"], [5.0, 7.0], [1, 2]), (["a", None], ["2", "3"], [5.0, np.nan], [1, 1])
    )
    assert found.fault() is None
    assert found.said() == {"units": 3, "whole": 3}


@pytest.mark.parametrize(
    ("batch", "says"),
    [
        ((["a", "a", "b"], [1, 1, 2], [5.0, 6.0, 7.0], [1, 1, 1]), "several values in one 'who' (1 of 2)"),
        ((["a", "a", "b"], [1, 1, 3], [5.0, 5.0, 7.0], [1, 1, 1]), "does not number its 2 units"),
        ((["a", "a", "b"], [1, 1, 1], [5.0, 5.0, 5.0], [1, 1, 1]), "does not number its 2 units"),
        ((["a", "a", "b"], ["1", "1", "b"], [5.0, 5.0, 5.0], [1, 1, 1]), "does not number its 2 units"),
    ],
    ids=["differs", "gap", "lost", "name"],
)
def test_what_is_wrong_is_said(batch: Any, says: str) -> None:
    fault = looked_at(batch).fault()
    assert fault is not None
    assert says in fault


def test_a_split_person_is_not_whole() -> None:
    found = looked_at((["a", "b"], [1, 2], [5.0, 7.0], [1, 2]), (["a"], [1], [5.0], [2]))
    assert found.said() == {"units": 2, "whole": 1}


@pytest.mark.parametrize("technique", ["segment-shuffle", "forest-framework", "rpt"])
def test_the_certificate_counts_persons(technique: str) -> None:
    table = table_of_visits()
    done = perturb(table, PerturbOptions(technique), STREAMS)
    model, promises = forest_to_json(done.forest), done.plan.promises(table.schema)
    frame = released_frame(done.table)
    claimed = done.plan.keeps_segments
    found = certify(table, frame, model, Claims(claimed, promises))
    found.check()
    units = frame["patient"].n_unique()
    assert found.to_json()["together"] == {"patient": {"units": units, "whole": units}}
    # One row gets another person's sex, and the counts of rows stay the same.
    other = pl.when(pl.col("sex") == "f").then(pl.lit("m")).otherwise(pl.lit("f"))
    broken = frame.with_columns(sex=pl.when(pl.int_range(pl.len()) == 0).then(other).otherwise(pl.col("sex")))
    with pytest.raises(BrokenCertificate):
        certify(table, broken, model, Claims(claimed, promises)).check()

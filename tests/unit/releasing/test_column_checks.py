from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.releasing.column_checks import Groups, carried_fault, column_fault, compared, type_fault
from hushwood.tables.reading import read_table
from hushwood.tables.schema import Attribute
from hushwood.techniques.laws.promises import (
    COPIED,
    GENERALISED,
    INSIDE,
    RANGES,
    Promise,
    dealt,
    inside_if,
    redrawn,
)
from support.mixed_tables import category, number

GAP = np.nan
AGE = number("age", 0, 100)
SEX = category("sex", ("f", "m"))
IDS = np.array([0, 0, 0, 1, 1, 1])
SHUFFLED = Promise(values="dealt", lone_moves=True)


def fault(
    attribute: Attribute, promise: Promise, before: list[float], after: list[float], ids: Any = IDS
) -> str | None:
    dtype: Any = np.float64 if attribute.kind == "numeric" else np.int32
    first, second = (np.array(values, dtype) for values in (before, after))
    groups = Groups.of(np.zeros(6, np.int64) if promise.within == "table" else ids, [first])
    return column_fault(attribute, promise, first, second, groups)


AGES = [1.0, 2, GAP, 4, 5, 6]
SEXES = [0.0, 1, -1, 0, 0, 0]


@pytest.mark.parametrize(
    ("attribute", "promise", "after"),
    [
        (AGE, COPIED, AGES),
        (AGE, INSIDE, [0, 100, GAP, 7, 7, 7]),
        (AGE, inside_if(bounded=False), [-1e9, 1e9, GAP, 7, 7, 7]),
        (AGE, Promise("added"), [1, 2, GAP, 4, GAP, 6]),
        (AGE, Promise("added", "dealt"), [2, 1, GAP, GAP, 4, 5]),
        (AGE, GENERALISED, [2, 2, 2, 5, 5, 5]),
        (AGE, Promise(values="dealt"), [2, 1, GAP, 6, 4, 5]),
        (AGE, Promise(values="dealt", within="table"), [6, 5, GAP, 4, 2, 1]),
        (SEX, dealt("segment"), [-1, 0, 1, 0, 0, 0]),
        (SEX, dealt("table"), [0, 0, 0, 0, 1, -1]),
        (SEX, redrawn("held", "segment"), [-1, -1, 1, 0, 0, 0]),
        (SEX, redrawn("inside", "table"), [1, 1, 1, 1, -1, -1]),
        (SEX, GENERALISED, [2, 3, 0, 0, 1, 4]),
        (SEX, Promise("any", "inside"), [-1, -1, -1, -1, -1, -1]),
    ],
    ids=str,
)
def test_kept_promises(attribute: Attribute, promise: Promise, after: list[float]) -> None:
    assert fault(attribute, promise, AGES if attribute is AGE else SEXES, after) is None


@pytest.mark.parametrize(
    ("attribute", "promise", "after", "said"),
    [
        (
            AGE,
            COPIED,
            [1, 2, GAP, 4, 5, 7],
            "has other values than the original (1 of 6) though it is copied",
        ),
        (AGE, INSIDE, [1, GAP, 2, 4, 5, 6], "has gaps in other records than the original (2 of 6)"),
        (AGE, INSIDE, [-1, 101, GAP, 4, 5, 6], "has numbers outside 0 to 100 (2 of 6)"),
        (AGE, inside_if(bounded=False), [np.inf, 2, GAP, 4, 5, 6], "has numbers outside"),
        (AGE, Promise("added"), [1, 2, 3, 4, 5, 6], "has gaps in other records"),
        (AGE, Promise("added"), [1, 2, GAP, 4, 4, GAP], "has other values than the original (1 of 6)"),
        (AGE, Promise("added", "dealt"), [2, 2, GAP, GAP, 4, 5], "has other counts of its values"),
        (AGE, GENERALISED, [2, 2, 2, 5, GAP, 5], "has gaps in other records"),
        (AGE, Promise(values="dealt"), [2, 4, GAP, 1, 5, 6], "(in 2 of 2 segments)"),
        (
            AGE,
            Promise(values="dealt", within="table"),
            [6, 5, GAP, 4, 2, 2],
            "has other counts of its values",
        ),
        (AGE, Promise(values="held"), [1, 1, GAP, 4, 4, 2], "(in 1 of 2 segments)"),
        (SEX, dealt("segment"), [0, 0, -1, 0, 0, 1], "(in 2 of 2 segments)"),
        (SEX, dealt("segment"), [0, 1, 0, 0, 0, -1], "(in 2 of 2 segments)"),
        (SEX, dealt("table"), [0, 1, 1, 0, 0, -1], "has other counts of its values"),
        (SEX, redrawn("held", "segment"), [0, 1, -1, 0, 0, 1], "(in 1 of 2 segments)"),
        (SEX, redrawn("inside", "segment"), [0, 1, -1, 0, 0, -1], "(in 1 of 2 segments)"),
        (
            SEX,
            redrawn("inside", "table"),
            [0, 2, -1, 0, 0, 0],
            "has values that are none of its categories (1 of 6)",
        ),
    ],
    ids=str,
)
def test_broken_promises(attribute: Attribute, promise: Promise, after: list[float], said: str) -> None:
    found = fault(attribute, promise, AGES if attribute is AGE else SEXES, after)
    assert found is not None
    assert found.startswith(f"column {attribute.name!r} ")
    assert said in found


def test_a_gap_drawn_where_the_column_has_none() -> None:
    assert "has other counts of its values" in str(
        fault(SEX, redrawn("inside", "table"), [0] * 6, [0, 0, 0, 0, 0, -1])
    )


def test_many_values_do_not_all_become_missing_by_chance() -> None:
    codes = np.zeros(101, np.int32)
    codes[0] = -1
    groups = Groups.of(np.zeros(101, np.int64), [])
    lost = np.full(101, -1, np.int32)
    assert "lost all its values" in str(column_fault(SEX, redrawn("inside", "table"), codes, lost, groups))
    assert column_fault(SEX, Promise("any", "inside"), codes, lost, groups) is None


def test_a_lone_number_may_move_but_no_other() -> None:
    ids = np.array([0, 0, 0, 0, 0, 1])
    assert fault(AGE, SHUFFLED, AGES, [2, 1, GAP, 5, 4, 9], ids) is None
    assert "(in 1 of 2 segments)" in str(fault(AGE, SHUFFLED, AGES, [2, 1, GAP, 5, 9, 9], ids))
    assert "(in 1 of 2 segments)" in str(fault(AGE, Promise(values="dealt"), AGES, [2, 1, GAP, 5, 4, 9], ids))


@pytest.mark.parametrize("width", [3, 10**9], ids=["counted", "sorted"])
def test_both_ways_to_count_agree(width: int) -> None:
    groups = Groups.of(IDS, [])
    before, after = (np.array(codes, np.int64) for codes in ([0, 1, -1, 0, 0, 0], [1, 1, -1, 0, -1, 0]))
    found = [part.tolist() for part in groups.counts(before, after, width)]
    assert found == [[0, 0, 0, 1, 1], [0, 1, 2, 0, 1], [1, 1, 1, 0, 3], [1, 0, 2, 1, 2]]


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


@pytest.mark.parametrize(
    ("after", "same"),
    [
        (pl.Series("x", ["a", None], pl.Enum(["a"])), True),
        (pl.Series("x", ["a", None]), True),
        (pl.Series("x", ["a", "a"]), False),
        (pl.Series("x", [None, "a"]), False),
    ],
    ids=str,
)
def test_carried_columns(after: pl.Series, same: bool) -> None:
    before = pl.Series("x", ["a", None], pl.Enum(["b", "a"]))
    assert (carried_fault(before, after) is None) == same


FRAME = pl.DataFrame({"age": [20, None, 31], "city": ["b", None, "new"]})
WRITTEN_AGE = {"name": "age", "kind": "numeric", "precision": 0}
CITY = {"name": "city", "kind": "categorical", "values": ["a", "b"]}


def test_numbers_and_their_gaps() -> None:
    found = compared(FRAME, WRITTEN_AGE)
    np.testing.assert_array_equal(found.values, [20.0, np.nan, 31.0])
    assert (found.texts, found.gaps) == (None, 1)


def test_known_categories_come_first_and_unknown_ones_after_them() -> None:
    found = compared(FRAME, CITY)
    assert found.values.tolist() == [1, -1, 2]
    assert (found.texts, found.gaps) == (("a", "b", "new"), 1)
    assert compared(FRAME.head(1), CITY).texts == ("a", "b")


def test_a_table_is_taken_as_it_is() -> None:
    table = read_table(FRAME, target="city")
    found = compared(table, CITY)
    assert found.values is table.columns["city"]
    assert (found.texts, found.gaps) == (("b", "new"), 1)


def ranges_fault(texts: list[str | None]) -> str | None:
    """What is wrong with ages 1, 2, missing, 4 that were released as these texts."""
    described = {"name": "age", "kind": "numeric", "precision": 0, "ranges": AGE}
    found = compared(pl.DataFrame({"age": texts}), described)
    before = np.array([1.0, 2, GAP, 4])
    return column_fault(AGE, RANGES, before, found.values, None, found.ends)


def test_ranges_must_hold_the_original_number() -> None:
    assert ranges_fault(["1-2", "1-2", "4", "4"]) is None
    assert ranges_fault(["0-100", "*", None, "< 5"]) is None
    wrong = "has ranges that do not hold the original's number (1 of 4)"
    assert ranges_fault(["1-2", "1", None, "4"]) == f"column 'age' {wrong}"
    assert ranges_fault(["1-2", "1-2", None, "young"]) == f"column 'age' {wrong}"
    assert "gaps" in str(ranges_fault(["1-2", None, None, "4"]))


def test_ranges_are_texts() -> None:
    assert type_fault(AGE, pl.String(), RANGES, True) is None
    assert type_fault(AGE, pl.String(), GENERALISED, True) is not None
    assert type_fault(AGE, pl.Int64(), RANGES, False) is None

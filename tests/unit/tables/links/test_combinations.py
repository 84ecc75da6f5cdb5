"""Combinations of categories as one column, and back."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InternalFault
from hushwood.tables.links.combinations import Combined, distinct_rows, rows_of
from hushwood.tables.links.structure import Together
from hushwood.tables.schema import Attribute, Schema

OF = Together(("city", "state"), ("tax",))
COLUMNS = {
    "city": np.array([0, 1, 2, 0, -1], np.int32),
    "state": np.array([1, 1, 0, 1, -1], np.int32),
    "tax": np.array([3.0, 4.0, np.nan, 3.0, 9.0]),
}
SCHEMA = Schema(
    (
        Attribute("city", "categorical", "quasi-identifier", categories=("Bern", "Biel", "Chur")),
        Attribute("state", "categorical", categories=("A", "B")),
        Attribute("tax", "numeric"),
    )
)


def combined() -> Combined:
    return Combined.from_rows(OF, rows_of(OF, COLUMNS))


def test_every_combination_is_a_category() -> None:
    found = combined().attribute("city & state", SCHEMA)
    assert found.categories == ("? & ?", "Bern & B", "Biel & B", "Chur & A")
    assert found.role == "quasi-identifier"


def test_records_come_back_with_their_numbers() -> None:
    codes = combined().encoded(COLUMNS)
    assert codes.tolist() == [1, 2, 3, 1, 0]
    back = combined().decoded(codes)
    for name, values in COLUMNS.items():
        np.testing.assert_array_equal(back[name], values)
        assert back[name].dtype == values.dtype


def test_names_that_run_into_each_other_are_told_apart() -> None:
    clash = Schema(
        (
            Attribute("a", "categorical", categories=("x", "x & y")),
            Attribute("b", "categorical", categories=("y & z", "z")),
        )
    )
    of = Together(("a", "b"))
    columns = {"a": np.array([0, 1], np.int32), "b": np.array([0, 1], np.int32)}
    found = Combined.from_rows(of, rows_of(of, columns)).attribute("a & b", clash)
    assert len(set(found.categories)) == 2


def test_a_combination_that_was_never_seen_is_a_fault() -> None:
    for strange in ({"city": 0, "state": 0}, {"city": 2, "state": 1}, {"city": 3, "state": 1}):
        columns = {name: np.array([code], np.int32) for name, code in strange.items()}
        with pytest.raises(InternalFault, match="never seen"):
            combined().encoded(columns)


def test_many_wide_columns_do_not_overflow() -> None:
    chance = np.random.default_rng(1)
    names = tuple("abcdefghijklmnop")
    columns = {name: chance.integers(-1, 30_000, 200).astype(np.int32) for name in names}
    whole = Combined.from_rows(Together(names), rows_of(Together(names), columns))
    back = whole.decoded(whole.encoded(columns))
    for name in names:
        np.testing.assert_array_equal(back[name], columns[name])


def test_distinct_rows_count_missing_numbers_as_equal() -> None:
    rows = np.array([[1.0, np.nan], [1.0, np.nan], [1.0, 2.0]])
    assert len(distinct_rows(rows)) == 2
    assert len(distinct_rows(rows[:0])) == 0

"""Rows that belong together, what they have in common, and what is said about them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.persons.units import (
    constant_columns,
    described_people,
    different,
    largest_of,
    levels_of,
    mean_of,
    most_frequent,
    outermost,
    smallest_of,
    units_of,
)
from oracles.persons import constant, rows_of, summary
from support.visits import CONSTANT, VARYING, table_of_visits, visits


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=20))
def test_units_are_those_of_a_dictionary(names: list[str | None]) -> None:
    units = units_of(pl.Series(names, dtype=pl.String))
    wanted = rows_of(names)
    assert units.count == len(wanted)
    assert [np.flatnonzero(units.of_row == unit).tolist() for unit in range(units.count)] == wanted
    assert units.first.tolist() == [rows[0] for rows in wanted]
    assert units.rows.tolist() == [len(rows) for rows in wanted]
    assert units.rows_of(np.array([0])).tolist() == wanted[0]


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from([1.0, 2.0, float("nan")])), min_size=1, max_size=8
    )
)
def test_missing_counts_as_a_value_of_a_constant_column(rows: list[tuple[str, float]]) -> None:
    names, values = zip(*rows, strict=True)
    found = constant_columns({"x": np.array(values)}, ["x"], units_of(pl.Series(names)))
    assert bool(found) == constant(values, rows_of(names))


def test_every_column_belongs_to_one_level() -> None:
    people, rows = levels_of(table_of_visits())
    assert (people.columns, rows.columns) == (CONSTANT, VARYING)
    assert (people.column, rows.column) == ("patient", "")
    assert rows.above.tolist() == people.units.of_row.tolist()
    assert people.units.rows.tolist() == rows.children.tolist()


def homes(**more: list[Any]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "home": ["h", "h", "g", "g"],
            "person": ["a", "b", "c", "c"],
            "rent": [1, 1, 2, 2],
            "age": [30, 40, 50, 50],
        }
        | {"visit": [1, 2, 3, 4]}
        | more
    )


def test_persons_lie_in_households() -> None:
    table = table_of_visits(homes(), {"home": "household", "person": "person"}, None)
    levels = levels_of(table)
    assert [level.columns for level in levels] == [("rent",), ("age",), ("visit",)]
    assert levels[1].above.tolist() == [0, 0, 1]
    units = outermost(table)
    assert units is not None
    assert units.count == 2


def test_a_person_in_two_households_is_refused() -> None:
    table = table_of_visits(
        homes(person=["a", "b", "b", "c"]), {"home": "household", "person": "person"}, None
    )
    with pytest.raises(InputError, match="rows of several households"):
        levels_of(table)


def test_two_columns_cannot_name_the_person() -> None:
    with pytest.raises(InputError, match="Only one column can name the person"):
        table_of_visits(homes(), {"home": "person", "person": "person"}, None)


def test_a_table_without_persons_has_no_units() -> None:
    assert outermost(table_of_visits(visits(10), {"patient": "identifier"})) is None


def test_persons_in_words() -> None:
    frame = pl.DataFrame(
        {"patient": list("aaabbc"), "age": [40, 40, 40, 50, 50, 60], "stay": [1, 2, 3, 4, 5, 6]}
    )
    assert list(described_people(table_of_visits(frame, target=None))) == [
        "3 persons (patient) with 6 rows: 1 to 3, in the middle 2 each.",
        "The same in all rows of a person: age.",
        "Different between rows: stay.",
    ]


def test_persons_of_households() -> None:
    frame = pl.DataFrame({"home": list("ggh"), "who": list("xyz"), "rent": [1, 1, 2], "age": [30, 40, 50]})
    assert list(described_people(table_of_visits(frame, {"home": "household", "who": "person"}, None))) == [
        "2 households (home) with 3 rows: 1 to 2, in the middle 1.5 each.",
        "The same in all rows of a household: rent.",
        "3 persons (who) with 3 rows: 1 each.",
        "The same in all rows of a person, but not of a household: age.",
    ]


def test_rows_that_are_persons_need_no_words() -> None:
    assert list(described_people(table_of_visits(visits(5), {"patient": "identifier"}))) == []


NAN = float("nan")


def same(found: Any, wanted: list[Any], gone: float) -> None:
    assert found.tolist() == pytest.approx(
        [gone if value is None else value for value in wanted], nan_ok=True
    )


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from([1.0, 2.5, -7.0, 1e6, NAN])),
        min_size=1,
        max_size=12,
    )
)
def test_numbers_are_summed_up_as_one_by_one(rows: list[tuple[str, float]]) -> None:
    names, values = zip(*rows, strict=True)
    units, column = units_of(pl.Series(names)), np.array(values)
    wanted = [summary(values, those) for those in rows_of(names)]
    same(mean_of(column, units), [one["mean"] for one in wanted], NAN)
    same(smallest_of(column, units), [one["smallest"] for one in wanted], NAN)
    same(largest_of(column, units), [one["largest"] for one in wanted], NAN)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-1, 3)), min_size=1, max_size=12))
def test_categories_are_counted_as_one_by_one(rows: list[tuple[str, int]]) -> None:
    names, codes = zip(*rows, strict=True)
    units = units_of(pl.Series(names))
    known = [NAN if code < 0 else float(code) for code in codes]
    wanted = [summary(known, those) for those in rows_of(names)]
    same(most_frequent(np.array(codes), units), [one["most frequent"] for one in wanted], -1)
    same(different(np.array(codes), units), [one["different"] for one in wanted], 0)


def test_means_of_large_numbers_keep_their_digits() -> None:
    units = units_of(pl.Series(["a"] * 3))
    assert mean_of(np.array([1e15, 1e15 + 1, 1e15 + 2]), units).tolist() == [1e15 + 1]

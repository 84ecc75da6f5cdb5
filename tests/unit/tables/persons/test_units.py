from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.persons.units import constant_columns, levels_of, outermost, units_of
from oracles.persons import constant, rows_of
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

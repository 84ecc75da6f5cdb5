"""Different records with their counts: their order, which of them are taken, and which columns they have."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InternalFault
from hushwood.tables.schema import Attribute
from hushwood.value_clusters.record_tuples import RecordTuples, clustered_columns
from mixed_tables import category, mixed_table, number, table_of, target
from oracles import record_clusters as oracle
from record_rows import SPAN, Row, row_lists, tuples_of


@given(row_lists())
def test_the_most_frequent_come_first(rows: list[Row]) -> None:
    tuples = tuples_of(rows)
    in_order = [tuple(row) for row in (tuples.values % SPAN).tolist()]
    assert in_order == oracle.in_order(rows)
    assert tuples.weight.tolist() == [rows.count(row) for row in in_order]


def _weighing(*weight: int) -> RecordTuples:
    return RecordTuples(np.arange(len(weight), dtype=np.int32)[:, None], np.array(weight), len(weight))


def test_equally_frequent_ones_are_taken_at_even_steps() -> None:
    """Not the first by code: where every record is different, these would all have the same first value."""
    assert _weighing(5, 1, 1, 1, 1, 1, 1).most_frequent(3).values[:, 0].tolist() == [0, 1, 4]
    assert _weighing(5, 4, 3, 2, 1).most_frequent(2).values[:, 0].tolist() == [0, 1]
    assert _weighing(5, 4, 3).most_frequent(9).values[:, 0].tolist() == [0, 1, 2]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=30), st.integers(1, 40))
def test_none_is_left_out_for_a_rarer_one(weights: list[int], count: int) -> None:
    descending = sorted(weights, reverse=True)
    taken = _weighing(*descending).most_frequent(count)
    assert taken.weight.tolist() == descending[:count]
    assert len(set(taken.values[:, 0].tolist())) == len(taken) == min(count, len(weights))


def test_every_value_has_its_own_number() -> None:
    table = table_of(
        {
            "b": (category("b", "xyz"), [0, 2, -1]),
            "a": (target("a", "no"), [1, -1, 0]),
            "n": (number("n", 0, 9), [1, 2, 3]),
        }
    )
    columns = clustered_columns(table)
    assert (columns.names, columns.first, columns.width) == (("a", "b"), (0, 3), 7)
    assert columns.values(table.columns).tolist() == [[2, 4], [0, 6], [1, 3]]


def test_columns_without_two_values_or_with_too_many_are_left_out() -> None:
    assert clustered_columns(mixed_table(1, 60)).names == ("city", "job", "risk")
    many = category("many", [str(i) for i in range(1001)])
    table = table_of(
        {
            "many": (many, [0, 1, 2]),
            "one": (category("one", "xy"), [1, 1, 1]),
            "gap": (category("gap", "xy"), [1, 1, -1]),
        }
    )
    assert clustered_columns(table).names == ("gap",)
    assert clustered_columns(table.take(np.array([], np.int64))).names == ()


def test_a_binned_class_is_its_bins() -> None:
    amount = Attribute("amount", "categorical", role="class", categories=("1", "2", "7", "9"), bins=(2.0,))
    table = table_of({"amount": (amount, [0, 1, 2, 3, -1]), "c": (category("c", "xy"), [0, 1, 0, 1, 0])})
    columns = clustered_columns(table)
    assert columns.first == (0, 3)
    assert columns.values(table.columns)[:, 0].tolist() == [1, 1, 2, 2, 0]


def test_values_that_no_category_has_are_refused() -> None:
    columns = clustered_columns(
        table_of({"a": (category("a", "pq"), [0, 1]), "y": (target("y", "no"), [0, 1])})
    )
    with pytest.raises(InternalFault, match="Values of clustered columns must lie from 0 to 5"):
        columns.values({"a": np.array([0, 1]), "y": np.array([0, 5])})

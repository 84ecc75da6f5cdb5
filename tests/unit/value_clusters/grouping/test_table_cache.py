"""A clustering is remembered for the same columns and parameters, and for nothing else."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from weakref import ref

import numpy as np

from hushwood.arrays import Integers
from hushwood.tables.table import Table
from hushwood.value_clusters.grouping.records import cached_per_table
from support.mixed_tables import category, mixed_table


def counting() -> tuple[list[int], Callable[..., int]]:
    calls: list[int] = []

    @cached_per_table
    def rows(table: Table, more: int = 0) -> int:
        """How many rows, and some more."""
        calls.append(table.rows)
        return table.rows + more

    return calls, rows


def test_the_same_table_is_asked_once() -> None:
    calls, rows = counting()
    table = mixed_table(1, 20)
    assert [rows(table), rows(table), rows(table.with_columns({}))] == [20, 20, 20]
    assert calls == [20]
    assert rows(table, 5) == 25
    assert rows(table, more=5) == 25
    assert rows(table) == 20
    assert len(calls) == 4, "only the last question is remembered, as it was put"


def test_rows_are_the_same_only_if_they_are_the_same_array() -> None:
    calls: list[int] = []

    @cached_per_table
    def some(table: Table, rows: Integers | None = None) -> int:
        calls.append(table.rows)
        return table.rows if rows is None else len(rows)

    table, rows = mixed_table(1, 20), np.arange(5)
    assert [some(table, rows), some(table, rows), some(table, rows=rows), some(table, rows=rows)] == [5] * 4
    assert len(calls) == 2
    assert [some(table, rows.copy()), some(table), some(table)] == [5, 20, 20]
    assert len(calls) == 4


def test_another_table_is_another_question() -> None:
    """An equal copy of a column counts as another one: what is inside is not compared."""
    calls, rows = counting()
    table = mixed_table(1, 20)
    rows(table)
    rows(table.with_columns({"city": np.array(table.columns["city"])}))
    rows(table)
    renamed = replace(table, schema=table.schema.with_attribute(category("city", ("x", "y", "z", "w"))))
    rows(renamed)
    assert len(calls) == 4


def test_tables_are_not_kept_in_memory() -> None:
    _, rows = counting()
    table = mixed_table(1, 20)
    column = ref(table.columns["city"])
    rows(table)
    del table
    gc.collect()
    assert column() is None
    assert rows(mixed_table(1, 20)) == 20

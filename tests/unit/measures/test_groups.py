"""Groups of equal quasi-identifiers, and the sensitive values counted in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.groups import (
    NO_QUASI_IDENTIFIERS,
    NO_RECORDS,
    EqualGroups,
    counts_within,
    groups_of,
    released_groups,
    sensitive_columns,
    value_codes,
)
from hushwood.measures.protocol import NotComputable
from hushwood.tables.recoding.cells import Generalised, category_cells, numeric_cells
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from oracles import anonymity
from support.anonymity_tables import QUASI, nobody, random_people
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of


def same_groups(first: list[int], second: list[int]) -> bool:
    """Whether two numberings put the same records together."""
    return len(set(zip(first, second, strict=True))) == len(set(first)) == len(set(second))


@given(st.integers(0, 50), st.integers(1, 60))
def test_groups_are_the_oracles(seed: int, rows: int) -> None:
    table = random_people(seed, rows)
    found = groups_of(table, QUASI, {})
    expected = anonymity.groups(plain_rows(table), QUASI)
    assert sorted(found.sizes.tolist()) == sorted(map(len, expected))
    cells = [tuple(row[name] for name in QUASI) for row in plain_rows(table)]
    assert same_groups(found.ids.tolist(), [sorted(set(map(str, cells))).index(str(cell)) for cell in cells])


def test_missing_is_a_value() -> None:
    table = table_of({"x": (number("x", 0, 9), [1, np.nan, np.nan]), "c": (category("c", "ab"), [0, -1, -1])})
    assert groups_of(table, ["x"], {}).sizes.tolist() == [1, 2]
    assert groups_of(table, ["c"], {}).sizes.tolist() == [2, 1]


def test_equal_middles_of_different_ranges_are_different() -> None:
    cells = numeric_cells(pl.Series(["20-30", "24-26", "[20, 30)", "25"]), 0, 90)
    table = table_of({"x": (number("x", 0, 90), cells.values.tolist())})
    ranges = {"x": Generalised(cells.suppressed, cells.low, cells.high)}
    assert set(table.columns["x"].tolist()) == {25.0}
    assert same_groups(groups_of(table, ["x"], ranges).ids.tolist(), [0, 1, 0, 2])


def test_categories_that_mean_the_same_are_the_same() -> None:
    texts = ("a", "b", "{a, b}", "b|a", "*", "{a}", "x", "y")
    cells = category_cells(texts, texts[:2])
    table = table_of({"c": (category("c", texts), [*range(8), -1])})
    read = {"c": Generalised(np.zeros(9, bool), covers=cells.covers)}
    assert same_groups(groups_of(table, ["c"], read).ids.tolist(), [0, 1, 2, 2, 2, 0, 3, 4, 5])


def test_the_declared_columns_count() -> None:
    assert released_groups(mixed_table(0, 5), {}) is NO_QUASI_IDENTIFIERS
    assert released_groups(nobody(), {}) is NO_RECORDS
    found = released_groups(random_people(0, 5), {})
    assert isinstance(found, EqualGroups)
    assert found.names == QUASI
    assert isinstance(NO_RECORDS, NotComputable)


@pytest.mark.parametrize(
    "column", [np.array([3.0, -1.0, np.nan, 3.0, np.nan]), np.array([1, 0, -1, 1, -1], np.int32)]
)
def test_codes_are_equal_where_values_are(column: np.ndarray) -> None:
    codes = value_codes(column)
    assert codes.min() == 0
    assert same_groups(codes.tolist(), [0, 1, 2, 0, 2])
    assert codes[0] > codes[1]


def test_confidential_attributes_come_first_the_class_else() -> None:
    assert [c.name for c in sensitive_columns(random_people(1, 9))] == ["risk"]
    found = sensitive_columns(random_people(1, 9, ["ratio", "nothing"]))
    assert [(c.name, c.ordered) for c in found] == [("ratio", True), ("nothing", False)]


def test_a_table_without_a_class_has_nothing_sensitive() -> None:
    assert sensitive_columns(table_of({"x": (number("x", 0, 1), [0.0])})) == []


def binned() -> Table:
    target = Attribute(
        "pay", "categorical", role="class", storage="Int64", categories=("1", "5", "9"), bins=(4.0,)
    )
    return table_of({"x": (number("x", 0, 1), [0, 0, 0, 0]), "pay": (target, [0, 1, 2, -1])})


def test_a_binned_class_is_ordered_by_its_bins() -> None:
    (column,) = sensitive_columns(binned())
    assert column.ordered
    assert column.missing.tolist() == [False, False, False, True]
    assert column.codes[0] < column.codes[1] == column.codes[2]
    plain = replace(binned().schema["pay"], bins=())
    table = replace(binned(), schema=binned().schema.with_attribute(plain))
    assert not sensitive_columns(table)[0].ordered


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1))
def test_counts_are_those_of_a_loop(pairs: list[tuple[int, int]]) -> None:
    groups, values = (np.array(part) for part in zip(*pairs, strict=True))
    counts = counts_within(groups, values)
    found = list(zip(counts.group.tolist(), counts.value.tolist(), counts.count.tolist(), strict=True))
    assert found == [(*pair, pairs.count(pair)) for pair in sorted(set(pairs))]
    assert counts.group[counts.starts].tolist() == sorted(set(groups.tolist()))

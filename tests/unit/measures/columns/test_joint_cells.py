"""Columns as codes of few cells: the same groups as plain words, and what the cells are called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.measures.columns.joint_cells import joint_columns
from oracles import joint_cells as oracle
from support.mixed_tables import category, mixed_table, number, table_of
from support.noisy_tables import cells, noisy


@pytest.mark.parametrize("count", [2, 3, 8])
def test_codes_are_those_of_plain_cells(count: int) -> None:
    original = mixed_table(count, 70)
    released = noisy(original, 1, gaps=True)
    before, after = cells(original), cells(released)
    for column in joint_columns(original, released, count):
        words = [
            oracle.cell_words(
                before[column.name], rows[column.name], original.schema[column.name].categories, count
            )
            for rows in (before, after)
        ]
        both = set(zip([*column.before, *column.after], [*words[0], *words[1]], strict=True))
        assert len(both) == len({code for code, _ in both}) == len({word for _, word in both})
        assert max(code for code, _ in both) < column.size


def test_cells_are_called_after_the_originals_values() -> None:
    table = table_of(
        {
            "x": (number("x", 0, 99), [1, 2, 3, 4, np.nan]),
            "c": (category("c", ("few", "many", "gone", "some")), [1, 1, 3, 1, -1]),
        }
    )
    x, c = joint_columns(table, table, 2)
    assert x.words == (None, "below 1", "1 to 2", "3 to 4", "above 4")
    assert x.before.tolist() == [2, 2, 3, 3, 0]
    assert c.words == (None, "many", "some", None)
    assert c.before.tolist() == [1, 1, 2, 1, 0]
    exact = joint_columns(table, table, 9)[0]
    assert exact.words == (None, "below 1", "1", "2", "3", "4", "above 4")


def test_a_binned_class_has_the_cells_of_its_bins() -> None:
    price = replace(category("price", ("1", "5", "9")), role="class", bins=(4.0,))
    table = table_of({"price": (price, [0, 1, 2])})
    (column,) = joint_columns(table, table, 5)
    assert [column.words[code] for code in column.before] == ["<= 4", "> 4", "> 4"]

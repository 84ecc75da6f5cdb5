"""Columns as codes of few cells: the same groups as plain words, and what the cells are called."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.measures.columns.joint_cells import (
    count_items,
    frequent_triples,
    item_bits,
    joint_columns,
    pair_counts,
    triple_counts,
)
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


@given(st.integers(0, 10**6), st.integers(1, 200), st.integers(0, 7))
@settings(max_examples=25)
def test_counts_are_plain_sums(seed: int, records: int, items: int) -> None:
    flags = np.random.default_rng(seed).random((items, records)) < 0.5
    bits = item_bits(list(flags), records)
    counts = count_items(bits, records)
    assert counts.single.tolist() == flags.sum(axis=1).tolist()
    plain = {t: int(flags[list(t)].all(axis=0).sum()) for t in combinations(range(items), 3)}
    pairs = np.array(list(combinations(range(items), 2)), np.int64).reshape(-1, 2)
    assert pair_counts(counts, pairs).tolist() == [int((flags[a] & flags[b]).sum()) for a, b in pairs]
    triples = np.array(list(plain), np.int64).reshape(-1, 3)
    assert triple_counts(bits, triples).tolist() == list(plain.values())
    least = records / 8
    found = frequent_triples(bits, counts, least)
    assert [tuple(t) for t in found.tolist()] == [t for t, count in plain.items() if count >= least]

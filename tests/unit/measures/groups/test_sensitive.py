from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.groups.sensitive import counts_within, sensitive_columns
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from support.anonymity_tables import random_people
from support.mixed_tables import number, table_of


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

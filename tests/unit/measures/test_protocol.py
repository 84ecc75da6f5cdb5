from __future__ import annotations

from dataclasses import replace

import numpy as np

from hushwood.tables.table import Table
from support.mixed_tables import mixed_table, table_of, target
from support.table_pairs import context_for


def reason(original: Table, released: Table) -> str:
    refused = context_for(original, released, paired=False).nothing_to_learn()
    return refused.reason if refused is not None else ""


def test_ordinary_tables_can_be_learnt_from() -> None:
    assert reason(mixed_table(1, 30), mixed_table(2, 1)) == ""


def test_a_table_without_classes_is_named() -> None:
    table = mixed_table(1, 30)
    nobody = table.with_columns({"risk": np.full(30, -1, np.int32)})
    assert "original" in reason(nobody, table)
    assert "released" in reason(table, nobody)
    assert "released" in reason(table, table.take(np.array([], np.int64)))


def test_without_an_attribute_no_rule_can_be_written() -> None:
    only_class = table_of({"class": (target("class", ("a", "b")), [0, 1])})
    assert "attribute" in reason(only_class, only_class)
    table = mixed_table(1, 30)
    carried = replace(table, schema=table.schema.with_role([a.name for a in table.schema.inputs], "ignored"))
    assert "attribute" in reason(carried, carried)

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.utility.rule_types import RuleTypes, verdict
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from support.mixed_tables import category, mixed_table, number, table_of, target
from support.nested_trees import Nested, context_with, forest_of
from support.rearranged_tables import in_another_unit, shuffled_rows
from support.table_pairs import context_for

P, Q, R = (number(name, 1, 10) for name in "PQR")
S = category("S", ("s1", "s2", "s3"))
# The example of the thesis, 7.3; R is totally innocent.
ORIGINAL: Nested = ("P", 5, "c2", ("Q", 2, ("S", {"s1": "c1", "s2": "c2", "s3": "c1"}), "c2"))


def forest(tree: Nested) -> Forest:
    return forest_of([tree], (P, Q, R, S), ("c1", "c2"))


def people() -> Table:
    values = {"P": [1, 4, 6, 7, 8, 9, 10, 2], "Q": [1, 1, 1, 2, 2, 5, 9, 9], "R": [1] * 8}
    columns = {name: (number(name, 1, 10), values[name]) for name in "PQR"}
    groups = {
        "S": (S, [0, 1, 0, 1, 2, 0, 1, 2]),
        "class": (target("class", ("c1", "c2")), [1, 1, 0, 1, 0, 1, 1, 1]),
    }
    return table_of({**columns, **groups})


def measured(original: Table, released: Table, before: Nested, after: Nested) -> Measurement:
    found = RuleTypes().compute(
        original, released, context_with(original, released, forest(before), forest(after))
    )
    assert isinstance(found, Measurement)
    return found


def test_rules_are_weighted_by_the_released_records() -> None:
    table = people()
    released = table.with_columns({"P": np.full(8, 1.0)})
    tree: Nested = ("P", 5, "c2", ("Q", 3, "c1", "c2"))
    assert measured(table, table, ORIGINAL, tree).value == 3 / 8  # P <= 5 holds three records
    assert measured(table, released, ORIGINAL, tree).value == 1.0  # and all of the release
    shares = measured(table, table, ORIGINAL, tree).details["shares"]
    assert shares == {"A": 3 / 8, "B": 2 / 8, "C": 3 / 8, "D": 0.0}


def test_details_give_both_readings_and_every_rule() -> None:
    table = people()
    details = measured(table, table, ORIGINAL, ("P", 5, "c2", ("Q", 2, "c1", "c2"))).details
    assert details["shares"]["C"] == details["shares_if_shortened_is_b"]["B"] == 3 / 8
    assert details["verdict"] == "Very Similar"
    assert details["totally_innocent"] == ["R"]
    assert [rule["type"] for rule in details["rules"]] == ["A", "C", "A"]
    assert details["rules"][1] == {
        "leaf": 3,
        "type": "C",
        "type_if_shortened_is_b": "B",
        "rule": "P > 5 and Q ≤ 2 → c1",
        "records": 3,
    }
    assert [rule["kept"] for rule in details["original_rules"]] == [True, False, False, False, True]
    assert details["original_tree"] == {"nodes": 8, "leaves": 5}
    assert json.loads(json.dumps(details)) == details


@pytest.mark.parametrize(
    ("same", "innocent", "word"),
    [
        (1.0, 0.0, "Exactly Same"),
        (0.6, 0.049, "Very Similar"),
        (0.6, 0.05, "unclassified"),
        (0.151, 0.0, "Similar"),
        (0.15, 0.0, "unclassified"),
        (0.09, 0.11, "Dissimilar"),
        (0.09, 0.1, "unclassified"),
        (0.12, 0.07, "unclassified"),
    ],
)
def test_the_verdict_follows_the_thesis(same: float, innocent: float, word: str) -> None:
    assert verdict(same, innocent) == word


@pytest.mark.parametrize("seed", range(4))
def test_a_table_has_the_rules_of_itself(seed: int) -> None:
    table = mixed_table(seed, 200)
    found = RuleTypes().compute(table, table, context_for(table, table))
    assert isinstance(found, Measurement)
    assert (found.value, found.details["verdict"]) == (1.0, "Exactly Same")


def test_rows_shifts_and_scales_change_nothing() -> None:
    original, released = mixed_table(1, 400), replace(mixed_table(2, 400), schema=mixed_table(1, 400).schema)
    plain = RuleTypes().compute(original, released, context_for(original, released))
    moved = [shuffled_rows(in_another_unit(t, 8, -64), 3) for t in (original, released)]
    assert isinstance(plain, Measurement)
    assert len(plain.details["rules"]) > 3
    again = RuleTypes().compute(moved[0], moved[1], context_for(moved[0], moved[1]))
    assert isinstance(again, Measurement)
    assert again.details["shares"] == plain.details["shares"]


def test_value_only_gives_the_same_value() -> None:
    original, released = mixed_table(1, 200), replace(mixed_table(2, 200), schema=mixed_table(1, 200).schema)
    full = RuleTypes().compute(original, released, context_for(original, released))
    short = RuleTypes().compute(original, released, context_for(original, released, value_only=True))
    assert isinstance(full, Measurement)
    assert short == Measurement(full.value)


def test_without_a_class_it_says_why() -> None:
    table = people()
    nobody = table.with_columns({"class": np.full(8, -1, np.int32)})
    assert isinstance(RuleTypes().compute(table, nobody, context_for(table, nobody)), NotComputable)

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.utility.eduds import Eduds
from hushwood.tables.table import Table
from hushwood.trees.model_file import forest_from_json, forest_to_json
from oracles.eduds import Domain, eduds
from support.mixed_tables import (
    category,
    grown_forest,
    mixed_table,
    number,
    plain_rows,
    random_model,
    table_of,
    target,
)
from support.nested_trees import Nested, context_with, forest_of
from support.rearranged_tables import (
    column_by_column_shuffled,
    in_another_unit,
    shuffled_columns,
    shuffled_rows,
)
from support.table_pairs import context_for

X, S = number("x", 0, 10), category("s", ("a", "b", "c"))


def small(values: list[float], groups: list[int] | None = None, **domain: Any) -> Table:
    rows = len(values)
    return table_of(
        {
            "x": (replace(X, **domain), values),
            "s": (S, [i % 3 for i in range(rows)] if groups is None else groups),
            "class": (target("class", ("n", "y")), [i % 2 for i in range(rows)]),
        }
    )


def compared(table: Table, before: Nested, after: Nested) -> Measurement:
    forests = [forest_of([tree], table.schema.inputs, ("n", "y")) for tree in (before, after)]
    found = Eduds().compute(table, table, context_with(table, table, *forests))
    assert isinstance(found, Measurement)
    return found


def test_a_moved_threshold_by_hand() -> None:
    found = compared(small([float(x) for x in range(11)]), ("x", 4, "n", "y"), ("x", 6, "n", "y"))
    # Up to 4: [0, 4] and [0, 6]; 5 and 6: [5, 10] and [0, 6]; from 7 on: [5, 10] and [7, 10].
    assert found.value == pytest.approx(1 - (5 * 0.2 + 2 * 0.9 + 4 * 0.2) / 11)
    assert found.details["attributes"][0] == {
        "name": "x",
        "difference": pytest.approx((5 * 0.2 + 2 * 0.9 + 4 * 0.2) / 11),
        "counted": 1.0,
    }
    assert found.details["attributes"][1] == {"name": "s", "difference": None, "counted": 0.0}


def test_categories_tested_by_one_forest_only_differ_wholly() -> None:
    found = compared(small([1.0] * 6), ("s", {"a": "n", "b": "y", "c": "n"}), ("x", 4, "n", "y"))
    # s differs by 1, x by the 6 of 10 that the released forest cuts off: [0, 10] and [0, 4].
    assert found.value == pytest.approx(1 - (1.0 + 0.6) / 2)


def test_sets_of_categories_differ_by_jaccard() -> None:
    found = compared(small([1.0] * 3), ("s", {"a,b": "n", "c": "y"}), ("s", {"a": "n", "b,c": "y"}))
    # a: {a, b} and {a}; b: {a, b} and {b, c}; c: {c} and {b, c}.
    assert found.value == pytest.approx(1 - (1 / 2 + 2 / 3 + 1 / 2) / 3)


def test_forests_without_tests_are_alike() -> None:
    assert compared(small([1.0, 2.0]), "n", "y").value == 1.0


def test_a_test_of_a_constant_column_counts_against_the_release_only_if_nothing_else_does() -> None:
    constant = small([1.0] * 3, low=1, high=1)
    assert compared(constant, "n", ("x", 3, "n", "y")).value == 0.0
    both = ("s", {"a": ("x", 3, "n", "y"), "b": "y", "c": "n"})
    assert compared(constant, ("s", {"a": "n", "b": "y", "c": "n"}), both).value == 1.0


def test_a_record_without_a_value_never_counts_below_zero() -> None:
    table = small([float("nan")] * 2)
    forests = [
        forest_from_json(
            forest_to_json(forest_of([("x", limit, "n", "y")], table.schema.inputs, ("n", "y")))
            | {"attributes": [{"name": "x", "kind": "numeric", "precision": 0}]}
        )
        for limit in (1, 8)
    ]
    away = replace(
        forests[1], trees=(replace(forests[1].trees[0], missing_to=np.array([2, -1, -1], np.int32)),)
    )
    found = Eduds().compute(table, table, context_with(table, table, forests[0], away))
    assert isinstance(found, Measurement)
    assert found.value == 0.0  # [0, 1] and [9, 10] lie 1.8 domains apart


def test_limits_outside_the_domain_are_moved_to_its_ends() -> None:
    found = compared(small([1.0, 5.0, 9.0]), ("x", -40, "n", "y"), ("x", 99, "n", "y"))
    assert found.value == 1.0


def domains(table: Table) -> dict[str, Domain]:
    return {
        a.name: list(a.categories) if a.kind == "categorical" else (a.low or 0.0, a.high or 0.0, a.precision)
        for a in table.schema.inputs
    }


@pytest.mark.parametrize("seed", range(12))
def test_eduds_of_random_forests_equals_the_oracle(seed: int) -> None:
    table = mixed_table(seed, 80)
    models = [random_model(seed + shift, table) for shift in (100, 200)]
    before, after = (forest_from_json(model) for model in models)
    found = Eduds().compute(table, table, context_with(table, table, before, after))
    assert isinstance(found, Measurement)
    assert 0.0 <= found.value <= 1.0
    assert found.value == pytest.approx(
        eduds(models[0], models[1], plain_rows(table), domains(table)), abs=1e-9
    )
    differences = [row["difference"] for row in found.details["attributes"] if row["difference"] is not None]
    assert differences
    assert all(0.0 <= difference <= 1.0 for difference in differences)


@pytest.mark.parametrize("seed", range(4))
def test_eduds_of_grown_forests_equals_the_oracle(seed: int) -> None:
    original = mixed_table(seed, 150)
    released = column_by_column_shuffled(original, seed)
    before, after = grown_forest(original), grown_forest(released)
    models = [forest_to_json(forest) for forest in (before, after)]
    found = Eduds().compute(original, released, context_with(original, released, before, after))
    assert isinstance(found, Measurement)
    wanted = eduds(models[0], models[1], plain_rows(original), domains(original))
    assert found.value == pytest.approx(wanted, abs=1e-9)
    assert found.value < 1.0


@settings(max_examples=15)
@for_all(st.integers(0, 10**6))
def test_a_table_against_itself_is_the_best(seed: int) -> None:
    table = mixed_table(seed, 60)
    found = Eduds().compute(table, table, context_for(table, table))
    assert isinstance(found, Measurement)
    assert found.value == Eduds.best == 1.0
    assert found.details["identical"] == 1.0


@settings(max_examples=10)
@for_all(st.integers(0, 10**6))
def test_the_order_of_rows_and_columns_changes_nothing(seed: int) -> None:
    table = mixed_table(seed, 60)
    forests = [forest_from_json(random_model(seed + shift, table)) for shift in (1, 2)]
    plain = Eduds().compute(table, table, context_with(table, table, *forests))
    again = shuffled_rows(shuffled_columns(table, seed), seed)
    found = Eduds().compute(again, again, context_with(again, again, *forests))
    assert isinstance(plain, Measurement)
    assert isinstance(found, Measurement)
    assert found.value == pytest.approx(plain.value, abs=1e-12)


@settings(max_examples=10)
@for_all(st.integers(0, 10**6), st.sampled_from([-37.0, 1024.0]))
def test_a_shift_changes_nothing(seed: int, offset: float) -> None:
    original = mixed_table(seed, 120)
    # Prices with cents would leave their grid by rounding.
    original = replace(original, schema=original.schema.with_role(("price",), "ignored"))
    tables = original, column_by_column_shuffled(original, seed)
    moved = [in_another_unit(table, 1, offset) for table in tables]
    plain = Eduds().compute(*tables, context_for(*tables))
    found = Eduds().compute(moved[0], moved[1], context_for(moved[0], moved[1]))
    assert isinstance(plain, Measurement)
    assert isinstance(found, Measurement)
    assert found.value == pytest.approx(plain.value, abs=1e-9)


def test_details_are_plain_and_complete() -> None:
    original = mixed_table(3, 200)
    released = column_by_column_shuffled(original, 3)
    found = Eduds().compute(original, released, context_for(original, released))
    assert isinstance(found, Measurement)
    details = found.details
    assert json.loads(json.dumps(details)) == details
    assert details["records"] == 200
    assert [row["share"] for row in details["quantiles"]] == [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0]
    similar = [row["similarity"] for row in details["quantiles"]]
    assert similar == sorted(similar)
    assert similar[0] <= found.value <= similar[-1]
    assert details["trees"]["original"] >= 1
    assert 0.0 <= details["one_tree"] <= 1.0
    short = Eduds().compute(original, released, context_for(original, released, value_only=True))
    assert short == Measurement(found.value)


def test_nobody_to_route_is_no_number() -> None:
    table = small([1.0, 2.0])
    nobody = table.take(np.array([], np.int64))
    assert isinstance(Eduds().compute(nobody, table, context_for(nobody, table, paired=False)), NotComputable)
    assert isinstance(Eduds().compute(table, nobody, context_for(table, nobody, paired=False)), NotComputable)

"""Changes of all coefficients, against plain loops over pairs of columns."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.utility.correlations import WIDEST, Correlations
from hushwood.tables.table import Table
from oracles import associations as oracle
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of, target
from support.rearranged_tables import (
    column_by_column_shuffled,
    in_another_unit,
    shuffled_columns,
    shuffled_rows,
)
from support.table_pairs import context_for


def measured(
    original: Table, released: Table, measure: Correlations | None = None, **more: Any
) -> Measurement:
    paired = original.rows == released.rows
    context = context_for(original, released, paired=paired, **more)
    found = (measure or Correlations()).compute(original, released, context)
    assert isinstance(found, Measurement)
    return found


def coefficients(table: Table, corrected: bool) -> dict[tuple[str, str], float | None]:
    rows = plain_rows(table)
    cells: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in table.columns}
    numeric = {a.name for a in table.schema.attributes if a.kind == "numeric"}
    found: dict[tuple[str, str], float | None] = {}
    for (first, one), (second, other) in permutations(cells.items(), 2):
        if {first, second} <= numeric:
            value = oracle.pearson(one, other)
        elif first in numeric:
            value = oracle.correlation_ratio(one, other, corrected)
        elif second in numeric:
            value = oracle.correlation_ratio(other, one, corrected)
        else:
            value = oracle.cramers_v(one, other, corrected)
        found[first, second] = value
    return found


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(4, 40), st.booleans())
def test_equals_a_loop_over_pairs_of_columns(seed: int, rows: int, corrected: bool) -> None:
    original, released = mixed_table(seed, rows), mixed_table(seed + 1, rows + 5)
    before, after = coefficients(original, corrected), coefficients(released, corrected)
    changes = [
        abs((before[pair] or 0.0) - (after[pair] or 0.0))
        for pair in before
        if before[pair] is not None or after[pair] is not None
    ]

    found = measured(original, released, Correlations(corrected))

    assert found.value == pytest.approx(max(changes), abs=1e-6)
    assert found.details["mean_change"] == pytest.approx(np.mean(changes), abs=1e-6)
    names = found.details["names"]
    for (first, second), value in before.items():
        entry = found.details["before"][names.index(first)][names.index(second)]
        assert (entry is None) == (value is None)
        assert entry == pytest.approx(value, abs=1e-6)


def test_a_lost_correlation_by_hand() -> None:
    """x and y rise together; in the release x is what it was and y turns round: 1 becomes −1."""
    values, classes = [1.0, 2.0, 3.0, 4.0], (target("k", "no"), [0, 1, 1, 0])
    x, y = number("x", 1, 4), number("y", 1, 4)
    original = table_of({"x": (x, values), "y": (y, values), "k": classes})
    released = table_of({"x": (x, values), "y": (y, values[::-1]), "k": classes})

    found = measured(original, released)

    assert found.value == pytest.approx(2.0)
    largest = found.details["largest"][0]
    assert (largest["first"], largest["second"], largest["kind"]) == ("x", "y", "pearson")
    assert (largest["before"], largest["after"]) == pytest.approx((1.0, -1.0))
    assert found.details["kinds"] == [
        ["pearson", "pearson", "eta"],
        ["pearson", "pearson", "eta"],
        ["eta", "eta", "cramers_v"],
    ]
    assert found.details["spearman"]["after"][0][1] == pytest.approx(-1.0)


def test_a_column_that_stopped_varying_lost_all_it_had() -> None:
    values, classes = [1.0, 2.0, 3.0, 4.0], (target("k", "no"), [0, 1, 1, 0])
    x, y = number("x", 1, 4), number("y", 1, 4)
    original = table_of({"x": (x, values), "y": (y, values), "k": classes})
    released = table_of({"x": (x, values), "y": (y, [2.0] * 4), "k": classes})

    found = measured(original, released)

    assert found.value == pytest.approx(1.0)
    assert found.details["after"][0][1] is None


def test_a_table_and_itself_do_not_differ() -> None:
    table = mixed_table(5, 200)

    found = measured(table, table, segment_ids=np.zeros(200, np.int32))

    assert found.value == 0.0
    assert found.details["covariance"]["frobenius"] == 0.0
    assert found.details["within_segments"]["mean_change"] == 0.0


def test_shuffled_columns_lose_what_they_had() -> None:
    table = mixed_table(6, 400)

    found = measured(table, column_by_column_shuffled(table, 1))

    coefficient = np.array(
        [[0.0 if v is None else abs(v) for v in row] for row in found.details["before"]]
    ) - np.eye(len(found.details["names"]))
    assert found.value == pytest.approx(coefficient.max(), abs=0.15)


def test_order_units_and_signs_change_nothing() -> None:
    original, released = mixed_table(7, 120), mixed_table(8, 120)
    value = measured(original, released).value

    assert measured(shuffled_rows(original, 1), shuffled_rows(released, 2)).value == pytest.approx(value)
    assert measured(shuffled_columns(original, 1), shuffled_columns(released, 1)).value == pytest.approx(
        value
    )
    for factor, offset in ((-1.0, 0.0), (8.0, 0.0), (1.0, 64.0)):
        before, after = (in_another_unit(table, factor, offset) for table in (original, released))
        assert measured(before, after).value == pytest.approx(value)


def test_dropped_records_are_left_out_inside_segments() -> None:
    table = mixed_table(9, 100)
    kept = np.arange(30, 100)
    partner = np.concatenate([np.full(30, -1), np.arange(70)])
    context = context_for(table, table.take(kept), partner=partner, segment_ids=np.zeros(100, np.int32))

    found = Correlations().compute(table, table.take(kept), context)

    assert isinstance(found, Measurement)
    assert found.details["within_segments"]["records"] == 70
    assert found.details["within_segments"]["mean_change"] == pytest.approx(0.0, abs=1e-9)


def test_very_wide_tables_are_cut_but_keep_their_class() -> None:
    draw = np.random.default_rng(2)
    columns = {f"x{i}": (number(f"x{i}", 0, 9), draw.integers(0, 10, 30).tolist()) for i in range(WIDEST + 5)}
    table = table_of({**columns, "k": (target("k", "no"), draw.integers(0, 2, 30).tolist())})

    details = measured(table, table).details

    assert (len(details["names"]), details["names"][-1], details["left_out"]) == (WIDEST, "k", 6)


def test_nothing_that_varies_gives_no_answer() -> None:
    table = table_of({"c": (category("c", "a"), [0, 0, 0]), "k": (target("k", "no"), [0, 1, 0])})

    assert isinstance(Correlations().compute(table, table, context_for(table, table)), NotComputable)

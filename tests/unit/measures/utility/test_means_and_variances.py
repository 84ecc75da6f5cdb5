"""Means and variances against plain sums, and on columns that can be worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.protocol import NotComputable
from hushwood.measures.utility.means_and_variances import MeansAndVariances
from hushwood.tables.table import Table
from oracles.associations import mean, variance
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of, target
from support.rearranged_tables import in_another_unit, shuffled_columns, shuffled_rows
from support.table_pairs import context_for, measuring

measured = measuring(MeansAndVariances)


def one_column(*values: float) -> Table:
    return table_of(
        {"x": (number("x", 0, 10), values), "k": (target("k", "no"), [i % 2 for i in range(len(values))])}
    )


def test_a_shift_by_hand() -> None:
    """1, 3 and 5 have mean 3 and deviation 2; 3, 3 and 9 have mean 5 and variance 12."""
    found = measured(one_column(1, 3, 5, np.nan), one_column(3, 3, 9))

    assert found.value == 1.0
    (column,) = found.details["columns"]
    assert (column["mean_before"], column["mean_after"]) == (3.0, 5.0)
    variances = column["variance_before"], column["variance_after"], column["variance_ratio"]
    assert variances == pytest.approx((4.0, 12.0, 3.0))
    assert (column["missing_before"], column["missing_after"]) == (0.25, 0.0)


def test_the_direction_is_in_the_details_only() -> None:
    found = measured(one_column(1, 3, 5), one_column(1, 1, 1))

    assert found.value == 1.0
    assert found.details["columns"][0]["shift_in_sd"] == -1.0


def test_a_column_that_does_not_vary_is_left_out_with_a_reason() -> None:
    found = measured(mixed_table(1, 50), mixed_table(2, 60))

    reasons = {column["column"]: column["left_out"] for column in found.details["columns"]}
    assert {name for name, reason in reasons.items() if reason} == {"constant", "void"}


@pytest.mark.parametrize(
    ("original", "released"),
    [((7.0,) * 4, (1.0, 2.0)), ((1.0,), (2.0,)), ((1.0, 2.0), (np.nan,)), ((np.nan,) * 2, (1.0,))],
)
def test_without_a_spread_or_values_there_is_no_answer(
    original: tuple[float, ...], released: tuple[float, ...]
) -> None:
    pair = one_column(*original), one_column(*released)

    assert isinstance(MeansAndVariances().compute(*pair, context_for(*pair)), NotComputable)


def test_without_a_numeric_column_there_is_no_answer() -> None:
    table = table_of({"c": (category("c", "ab"), [0, 1]), "k": (target("k", "no"), [0, 1])})

    assert isinstance(MeansAndVariances().compute(table, table, context_for(table, table)), NotComputable)


@given(st.integers(0, 10**6), st.integers(5, 60))
def test_equals_plain_sums(seed: int, rows: int) -> None:
    original, released = mixed_table(seed, rows), mixed_table(seed + 1, rows + 3)
    cells = plain_rows(original), plain_rows(released)
    shifts = []
    for name in ("count", "price", "ratio"):
        before, after = ([v for row in side if isinstance(v := row[name], float)] for side in cells)
        if len(after) and len(set(before)) > 1:
            shifts.append(abs(mean(after) - mean(before)) / variance(before) ** 0.5)

    assert measured(original, released).value == pytest.approx(max(shifts))


def test_order_units_and_signs_change_nothing() -> None:
    original, released = mixed_table(3, 80), mixed_table(4, 80)
    value = measured(original, released).value

    assert measured(shuffled_rows(original, 1), shuffled_rows(released, 2)).value == pytest.approx(value)
    assert measured(shuffled_columns(original, 1), shuffled_columns(released, 1)).value == value
    for factor, offset in ((-1.0, 0.0), (8.0, 0.0), (1.0, 64.0)):
        pair = [in_another_unit(table, factor, offset) for table in (original, released)]
        assert measured(*pair).value == pytest.approx(value)


def test_enormous_numbers_neither_burst_nor_vanish() -> None:
    huge = measured(one_column(1e308, -1e308, 0, 0), one_column(1e308, 1e308))
    tiny = measured(one_column(1e-300, 3e-300), one_column(3e-300))

    assert huge.value == pytest.approx(1 / (2 / 3) ** 0.5)
    assert huge.details["columns"][0]["variance_before"] is None
    assert tiny.value == pytest.approx(1 / 2**0.5)


def test_outsiders_cannot_work_out_a_number_far_out() -> None:
    """It makes up most of a variance, which is that of the release over the ratio."""
    plain = [float(i % 10) for i in range(80)]
    original, released = one_column(*plain, 9_000_000.0), one_column(*plain, 5.0)
    found = measured(original, released)
    value, details = MeansAndVariances().publishable(found.value, found.details, 81)
    assert details["columns"] == [{"column": "x", "shift_in_sd": None, "variance_ratio": None}]
    assert value == 0.1  # of 0.111
    shown = MeansAndVariances().publishable_details(measured(released, released).details)
    assert shown["columns"] == [{"column": "x", "shift_in_sd": 0.0, "variance_ratio": 1.0}]

"""Unchanged cells, counted by hand and by plain loops."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.measures.protocol import NOT_PAIRED, Measurement, NotComputable
from hushwood.measures.risk.unchanged_cells import UnchangedCells, near_share, unchanged_cells
from hushwood.tables.table import Table
from support.mixed_tables import category, mixed_table, number, plain_rows, table_of, target
from support.rearranged_tables import column_by_column_shuffled
from support.table_pairs import context_for

AGE, JOB, RISK = number("age", 20, 60), category("job", "abc"), target("risk", ("good", "bad"))


def table(age: list[float], job: list[int], risk: list[int]) -> Table:
    return table_of({"age": (AGE, age), "job": (JOB, job), "risk": (RISK, risk)})


ORIGINAL = table([20, 30, 30, 40, np.nan, 60], [0, 0, 0, 0, 0, 2], [0, 0, 1, 0, 1, 1])
RELEASED = table([20, 31, 30, 44, np.nan, 59], [0, 0, 0, 0, 2, 0], [0, 1, 0, 0, 1, 1])


def test_unchanged_cells_leave_out_missing_numbers() -> None:
    found = unchanged_cells(ORIGINAL, RELEASED, ["age", "job"])

    age, job = found.details["columns"]
    assert (age["cells"], age["unchanged"], age["missing_kept"]) == (5, 2, 1)
    assert (job["cells"], job["unchanged"]) == (6, 4)
    assert found.value == pytest.approx(6 / 11)
    assert age["by_chance"] == pytest.approx((1 + 4 + 1 + 1) / 25)
    assert job["by_chance"] == pytest.approx((25 + 1) / 36)


def test_nothing_to_compare_gives_no_division_by_zero() -> None:
    assert unchanged_cells(ORIGINAL, RELEASED, []).value == 0.0


def test_the_measure_counts_all_columns_and_the_untouched_table_is_all_unchanged() -> None:
    found = UnchangedCells().compute(ORIGINAL, RELEASED, context_for(ORIGINAL, RELEASED))
    same = UnchangedCells().compute(ORIGINAL, ORIGINAL, context_for(ORIGINAL, ORIGINAL))

    assert isinstance(found, Measurement)
    assert isinstance(same, Measurement)
    assert found.value == pytest.approx((2 + 4 + 4) / (5 + 6 + 6))
    assert [column["column"] for column in found.details["columns"]] == ["age", "job", "risk"]
    assert same.value == same.details["untouched_table"] == 1.0


def test_records_are_compared_with_their_own_partners() -> None:
    order = np.array([3, 1, 5, 0])
    partner = np.full(6, -1)
    partner[order] = np.arange(4)

    moved = ORIGINAL.take(order)
    found = UnchangedCells().compute(ORIGINAL, moved, context_for(ORIGINAL, moved, partner=partner))

    assert isinstance(found, Measurement)
    assert (found.value, found.details["cells"]) == (1.0, 12)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 40))
def test_equals_plain_counting(seed: int, rows: int) -> None:
    original = mixed_table(seed, rows)
    released = column_by_column_shuffled(original, seed)
    cells = same = 0
    for before, after in zip(plain_rows(original), plain_rows(released), strict=True):
        for name in original.columns:
            if original.schema[name].kind == "categorical" or before[name] is not None:
                cells += 1
                same += before[name] == after[name]

    found = UnchangedCells().compute(original, released, context_for(original, released))

    assert isinstance(found, Measurement)
    assert found.value == pytest.approx(same / cells)


def test_chance_is_what_shuffles_leave_in_place() -> None:
    original = mixed_table(4, 60)
    shares = [
        unchanged_cells(original, column_by_column_shuffled(original, seed), ["city", "job", "risk"]).value
        for seed in range(300)
    ]

    chance = unchanged_cells(original, original, ["city", "job", "risk"]).details["by_chance"]
    assert chance == pytest.approx(np.mean(shares), abs=0.01)


def test_without_partners_there_is_no_answer() -> None:
    context = context_for(ORIGINAL, RELEASED)

    assert UnchangedCells().compute(ORIGINAL, RELEASED, replace(context, partner=None)) is NOT_PAIRED
    nobody = replace(context, partner=np.full(6, -1))
    assert isinstance(UnchangedCells().compute(ORIGINAL, RELEASED, nobody), NotComputable)


def test_numbers_that_are_nearly_told_are_counted() -> None:
    before = np.array([0.0, 10.0, 20.0, 30.0, np.nan])
    after = np.array([0.5, 9.5, 25.0, np.nan, 0.0])
    assert near_share(before, before) == 1
    assert near_share(before, after) == pytest.approx(2 / 3)
    assert near_share(-3 * before + 7, -3 * after + 7) == pytest.approx(2 / 3)
    assert near_share(np.full(3, 7.0), np.full(3, 7.0)) is None
    assert near_share(np.full(3, np.nan), np.full(3, np.nan)) is None

"""Rounding that keeps totals: nothing moves further than a step, nothing leaves its box, totals are kept."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.techniques.balanced_rounding import balanced
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.learnt_groups import LearntGroup
from mixed_tables import number, table_of

DRAWN = np.array([False])  # the one cell hands out no copies


def rows_of(values: list[float], low: float, high: float, precision: int | None = 0) -> GroupRows:
    table = table_of({"x": (number("x", low, high, precision), values)})
    segments = whole_table(table)
    learnt = LearntGroup.of(table, ["x"], segments, "table")
    return GroupRows.of(
        *(learnt.group, learnt.given, learnt.cells, table.columns, segments.ids),
        *(range(len(values)), Streams(bytes(32)), "x"),
    )


def test_the_numbers_nearest_to_the_next_step_go_the_other_way() -> None:
    rows = rows_of([1, 2, 3, 4], 1, 9)
    drawn = np.array([[1.4], [2.45], [3.1], [4.05]])  # sums to 11, plain rounding gives 10
    assert balanced(rows, drawn, DRAWN).ravel().tolist() == [1, 3, 3, 4]


def test_numbers_at_the_end_of_the_box_are_made_up_for_elsewhere() -> None:
    rows = rows_of([1, 1, 1, 5], 1, 9)
    drawn = np.array([[0.6], [0.6], [0.7], [6.1]])  # the first three can only become 1
    assert balanced(rows, drawn, DRAWN).ravel().tolist() == [1, 1, 1, 5]
    full = rows_of([1, 1], 1, 2)
    assert balanced(full, np.array([[2.4], [2.4]]), DRAWN).ravel().tolist() == [2, 2]


def test_continuous_columns_go_to_their_grid() -> None:
    rows = rows_of([0.1, 0.9, 0.4], 0, 1, None)
    step = float(rows.group.step[0, 0])
    drawn = np.array([[0.25 + 0.4 * step], [0.5 + 0.45 * step], [0.75 + 0.3 * step]])
    found = balanced(rows, drawn, DRAWN).ravel()
    assert found.tolist() == [0.25, 0.5 + step, 0.75]
    assert step == 2.0**-30


def test_copied_numbers_of_continuous_columns_stay_to_the_last_bit() -> None:
    copied = np.array([[0.1], [1 / 3]])
    assert balanced(rows_of([0.1, 0.9], 0, 1, None), copied, ~DRAWN).tolist() == copied.tolist()


def test_far_from_zero_totals_are_kept_too() -> None:
    rows = rows_of([1e15, 1e15 + 1, 1e15 + 3], 1e15, 1e15 + 8, None)
    drawn = np.array([[1e15 + 0.375], [1e15 + 1.375], [1e15 + 3.25]])
    found = balanced(rows, drawn, DRAWN).ravel()
    assert (found - 1e15).tolist() == [0.375, 1.375, 3.25]


@given(st.lists(st.floats(0.51, 9.49), min_size=2, max_size=40))
@settings(max_examples=60)
def test_totals_are_kept_to_half_a_step(drawn: list[float]) -> None:
    rows = rows_of([1.0, 9.0] + [5.0] * (len(drawn) - 2), 1, 9)
    found = balanced(rows, np.array(drawn)[:, None], DRAWN).ravel()
    assert ((found >= 1) & (found <= 9)).all()
    assert (np.abs(found - drawn) < 1.5).all()
    assert abs(found.sum() - sum(drawn)) <= 0.5 + 1e-9 or set(found) in ({1.0}, {9.0})

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Floats
from hushwood.tables.domains import Intervals, from_steps, to_steps
from hushwood.techniques.blurring.blur import COMMON, SortedColumn, blurred
from oracles import blur as oracle

GAP = float("nan")


def box_of(records: int, low: float, high: float, precision: int | None = 0) -> Intervals:
    return Intervals(np.full(records, low), np.full(records, high), precision)


def blur(
    values: list[float],
    column: list[float],
    width: int,
    box: tuple[float, float] = (-1000.0, 1000.0),
    u: float = 0.5,
    place: float = 0.5,
    precision: int | None = 0,
) -> tuple[list[float], int]:
    n = len(values)
    new, stuck = blurred(
        np.array(values),
        box_of(n, *box, precision),
        SortedColumn.of(np.array(column)),
        width,
        np.full(n, u),
        np.full(n, place),
    )
    return new.tolist(), stuck


TENS = [0.0, 10, 20, 30, 40, 50, 60]


@pytest.mark.parametrize(
    ("u", "width", "expected"),
    [
        (0.0, 1, 20.0),  # the lowest of 20, 21, ..., 40
        (0.5, 1, 30.0),
        (0.999, 1, 40.0),
        (0.0, 2, 10.0),
        (0.999, 2, 50.0),
        (0.0, 50, 0.0),  # cut off at the smallest of the column
        (0.999, 50, 60.0),
    ],
)
def test_a_rare_number_goes_between_its_neighbours(u: float, width: int, expected: float) -> None:
    assert blur([30.0], TENS, width, u=u) == ([expected], 0)


def test_at_the_ends_the_window_is_cut_off() -> None:
    assert blur([0.0, 60.0], TENS, 2, u=0.0) == ([0.0, 40.0], 0)
    assert blur([0.0, 60.0], TENS, 2, u=0.999) == ([20.0, 60.0], 0)


def test_a_number_stays_inside_its_box() -> None:
    assert blur([30.0], TENS, 2, (29, 31), u=0.0) == ([29.0], 0)
    assert blur([30.0], TENS, 2, (29, 31), u=0.999) == ([31.0], 0)


def test_a_box_without_another_number_is_counted() -> None:
    assert blur([30.0, 30.0], TENS, 2, (30, 30)) == ([30.0, 30.0], 2)


def test_neighbours_without_another_number_are_counted() -> None:
    assert blur([7.0], [6.0] * 9 + [7.0] + [8.0] * 9, 1) == ([7.0], 0)
    assert blur([7.0] * 4, [*[6.0] * 9, *[7.0] * 4, *[8.0] * 9], 1, place=0.4) == ([7.0] * 4, 4)


def test_the_place_among_equal_numbers_is_drawn() -> None:
    column = [0.0, 10, 10, 10, 20]
    assert blur([10.0], column, 1, u=0.0, place=0.1) == ([0.0], 0)
    assert blur([10.0], column, 1, u=0.999, place=0.9) == ([20.0], 0)
    assert blur([10.0], column, 1, place=0.5) == ([10.0], 1)  # its neighbours are equal to it


def test_common_numbers_stay() -> None:
    column = [1.0] * COMMON + [2.0] * (COMMON - 1) + [9.0, 30.0]
    assert blur([1.0, 2.0], column, 5, u=0.999) == ([1.0, 30.0], 0)


def test_missing_numbers_and_those_of_nobody_stay() -> None:
    new, stuck = blur([GAP, 31.0], [*TENS, GAP], 2, u=0.0)
    assert np.isnan(new[0])
    assert (new[1], stuck) == (31.0, 0)


@pytest.mark.parametrize("column", [[], [GAP], [4.0], [4.0, 4.0, GAP]])
def test_a_constant_column_stays(column: list[float]) -> None:
    assert blur([4.0], column, 5) == ([4.0], 0)


def test_width_0_changes_nothing() -> None:
    assert blur(TENS, TENS, 0) == (TENS, 0)


def test_decimals_are_kept() -> None:
    column = [1.1, 1.2, 1.3]
    assert [blur([1.2], column, 1, (0, 99), u=u, precision=1)[0] for u in (0.0, 0.5, 0.99)] == [
        [1.1],
        [1.2],
        [1.3],
    ]


def test_full_precision_lies_on_the_grid_of_the_segment() -> None:
    column = np.sqrt(np.arange(1.0, 40.0))
    inside = box_of(39, 0.0, 7.0, None)
    new, stuck = blurred(
        column, inside, SortedColumn.of(column), 3, np.linspace(0.01, 0.99, 39), np.full(39, 0.5)
    )
    steps = new / inside.fitted_to(column).step
    assert stuck == 0
    assert (steps == np.rint(steps)).all()
    assert (new != column).sum() > 30


def test_single_precision_stays_single_and_inside() -> None:
    column = np.sqrt(np.arange(1.0, 40.0)).astype(np.float32).astype(np.float64)
    low, high = column - 1e-3, column + 1e-3
    inside = Intervals(low, high, None, single=True)
    new, stuck = blurred(
        column, inside, SortedColumn.of(column), 3, np.linspace(0.01, 0.99, 39), np.full(39, 0.5)
    )
    assert stuck == 0
    assert np.array_equal(new, new.astype(np.float32))
    assert ((low <= new) & (new <= high)).all()
    assert (new != column).mean() > 0.9


def test_order_statistics_are_the_known_values() -> None:
    assert SortedColumn.of(np.array([3.0, GAP, 1.0])).values.tolist() == [1.0, 3.0]


def test_the_draw_is_uniform_over_the_window() -> None:
    count = 50_000
    u = (np.arange(count) + 0.5) / count
    new, _ = blurred(
        np.full(count, 30.0),
        box_of(count, 0, 100),
        SortedColumn.of(np.array(TENS)),
        1,
        u,
        np.full(count, 0.5),
    )
    values, times = np.unique(new, return_counts=True)
    assert values.tolist() == list(range(20, 41))
    assert np.ptp(times) <= 1


@st.composite
def cases(draw: st.DrawFn, precision: int) -> tuple[Floats, Floats, Floats, Floats, int, Floats, Floats]:
    """Some records of a column, each with a box around its value, in steps; and numbers to draw with."""
    numbers = st.integers(-30, 30).map(float) | st.integers(0, 2).map(float)
    column = np.array(draw(st.lists(numbers | st.just(GAP), min_size=1, max_size=40)))
    known = column[~np.isnan(column)]
    part = draw(st.lists(st.sampled_from(column.tolist()), min_size=1, max_size=12))
    values = np.array(part)
    around = [draw(st.tuples(st.integers(0, 9), st.integers(0, 9))) for _ in part]
    middle = np.where(np.isnan(values), known[0] if len(known) else 0.0, values)
    low = middle - [a for a, _ in around]
    high = middle + [b for _, b in around]
    chances = st.floats(0.001, 0.999)
    u, place = (np.array(draw(st.lists(chances, min_size=len(part), max_size=len(part)))) for _ in range(2))
    scale = 10.0**precision
    return values / scale, column / scale, low, high, draw(st.integers(0, 6)), u, place


def exact(value: float) -> Fraction:
    return Fraction(str(value))


@given(st.data(), st.integers(0, 2))
def test_it_does_what_the_oracle_does(data: st.DataObject, precision: int) -> None:
    values, column, low, high, width, u, place = data.draw(cases(precision))
    step = Fraction(1, 10**precision)
    new, stuck = blurred(values, Intervals(low, high, precision), SortedColumn.of(column), width, u, place)
    known = [exact(x) for x in column if not np.isnan(x)]
    found = [
        oracle.blurred(
            None if np.isnan(x) else exact(x),
            known,
            width,
            (Fraction(a) * step, Fraction(b) * step),
            step,
            float(p),
            float(q),
        )
        for x, a, b, p, q in zip(values, low, high, u, place, strict=True)
    ]
    assert [None if np.isnan(x) else exact(x) for x in new] == [value for value, _ in found]
    assert stuck == sum(stays for _, stays in found)


@given(st.data(), st.integers(0, 2))
def test_every_number_stays_in_its_box_its_window_and_on_the_grid(
    data: st.DataObject, precision: int
) -> None:
    values, column, low, high, width, u, place = data.draw(cases(precision))
    new, _ = blurred(values, Intervals(low, high, precision), SortedColumn.of(column), width, u, place)
    there = ~np.isnan(values)
    assert np.array_equal(np.isnan(new), ~there)
    steps = to_steps(new, precision)[there]
    assert np.array_equal(from_steps(steps, precision), new[there])
    assert ((low[there] <= steps) & (steps <= high[there])).all()
    ordered = np.sort(column[~np.isnan(column)])
    first, end = np.searchsorted(ordered, values[there]), np.searchsorted(ordered, values[there], "right")
    last = max(len(ordered) - 1, 0)
    assert (new[there] >= ordered[np.maximum(first - width, 0)]).all()
    assert (new[there] <= ordered[np.minimum(end - 1 + width, last)]).all()
    shared = end - first >= COMMON
    assert np.array_equal(new[there][shared], values[there][shared])


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=40), st.integers(1, 6), st.floats(0.001, 0.999))
def test_full_precision_stays_in_its_window(values: list[float], width: int, u: float) -> None:
    column = np.array(values)
    n = len(column)
    inside = box_of(n, -1e3, 1e3, None)
    new, stuck = blurred(column, inside, SortedColumn.of(column), width, np.full(n, u), np.full(n, 0.5))
    ordered = np.sort(column)
    first, end = np.searchsorted(ordered, column), np.searchsorted(ordered, column, "right")
    assert (new >= ordered[np.maximum(first - width, 0)]).all()
    assert (new <= ordered[np.minimum(end - 1 + width, n - 1)]).all()
    assert stuck <= (new == column).sum()

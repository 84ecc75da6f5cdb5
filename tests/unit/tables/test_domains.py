"""Wrapping and reflecting never leave the interval; grids and thresholds meet exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.domains import (
    Intervals,
    as_stored,
    first_above,
    from_steps,
    last_below,
    reflect,
    to_steps,
    whole_domain,
    wrap,
)
from hushwood.tables.schema import Attribute

reals = st.floats(-1e9, 1e9)
whole = st.integers(-(10**6), 10**6)


def one(low: float, high: float, precision: int | None) -> Intervals:
    return Intervals(np.array([float(low)]), np.array([float(high)]), precision)


@given(reals, reals, reals)
def test_wrapping_reals_stays_in_the_half_open_interval(low: float, high: float, moved: float) -> None:
    assume(low < high)
    (back,) = wrap(np.array([moved]), one(low, high, None)).tolist()
    assert low < back <= high


@given(st.integers(-1000, 1000), st.integers(1, 1000), st.integers(-(10**7), 10**7))
def test_wrapping_reals_moves_by_whole_turns(low: int, width: int, moved: int) -> None:
    """In quarters, where floats are exact."""
    (back,) = wrap(np.array([moved / 4]), one(low / 4, (low + width) / 4, None)).tolist()
    turns = (Fraction(moved, 4) - Fraction(back)) / Fraction(width, 4)
    assert turns.denominator == 1


@given(whole, st.integers(0, 1000), whole)
def test_wrapping_a_grid_is_modulo_the_number_of_values(low: int, more: int, moved: int) -> None:
    (back,) = wrap(np.array([float(moved)]), one(low, low + more, 0)).tolist()
    assert low <= back <= low + more
    assert back.is_integer()
    assert (moved - int(back)) % (more + 1) == 0


def test_the_papers_formula_would_leave_the_range() -> None:
    """Errata B1: l = 1, u = 2, B = 2.3 gives 0.3 by the printed formula."""
    (back,) = wrap(np.array([2.3]), one(1, 2, None)).tolist()
    assert back == pytest.approx(1.3)


def test_zero_of_the_circle_is_the_upper_end() -> None:
    values = np.array([1.0, 2.0, 3.0, 0.0])
    inside = Intervals(np.full(4, 1.0), np.full(4, 2.0), None)
    assert wrap(values, inside).tolist() == [2.0] * 4


def test_several_turns_both_ways() -> None:
    inside = Intervals(np.full(4, 1.0), np.full(4, 10.0), 0)
    assert wrap(np.array([11.0, 31.0, 0.0, -25.0]), inside).tolist() == [1, 1, 10, 5]


@given(reals, reals, reals)
def test_reflecting_reals_stays_inside(low: float, high: float, moved: float) -> None:
    assume(low < high)
    (back,) = reflect(np.array([moved]), one(low, high, None)).tolist()
    assert low < back <= high


@given(whole, st.integers(0, 50), st.integers(-200, 200))
def test_reflecting_a_grid_is_a_walk_that_turns_at_the_ends(low: int, more: int, steps: int) -> None:
    """Every end is stood on twice, as if a mirror stood half a step behind it."""
    place, direction = low, 1 if steps > 0 else -1
    for _ in range(abs(steps)):
        if low <= place + direction <= low + more:
            place += direction
        else:
            direction = -direction
    (back,) = reflect(np.array([float(low + steps)]), one(low, low + more, 0)).tolist()
    assert back == place


def test_reflecting_reals_by_hand() -> None:
    inside = Intervals(np.full(5, 0.0), np.full(5, 10.0), None)
    assert reflect(np.array([4.0, 11.0, -3.0, 23.0, -13.0]), inside).tolist() == [4, 9, 3, 3, 7]


def test_missing_stays_missing() -> None:
    for inside in (one(0, 5, None), one(0, 5, 2)):
        assert np.isnan(wrap(np.array([np.nan]), inside)).all()
        assert np.isnan(reflect(np.array([np.nan]), inside)).all()


@given(st.integers(-(10**10), 10**10), st.integers(0, 8))
def test_steps_and_decimals_go_both_ways(steps: int, precision: int) -> None:
    (value,) = from_steps(np.array([float(steps)]), precision).tolist()
    assert value == float(Fraction(steps, 10**precision))
    assert to_steps(np.array([value]), precision).tolist() == [steps]


def test_reals_have_no_steps() -> None:
    values = np.array([0.1, np.pi])
    assert to_steps(values, None) is values
    assert from_steps(values, None) is values
    assert last_below(values, None) is values
    assert first_above(values, None) is values


@given(st.integers(-(10**12), 10**12), st.integers(0, 8), st.integers(-3, 3), st.sampled_from([1, 2, 3, 10]))
def test_thresholds_cut_the_grid_where_trees_do(steps: int, precision: int, bits: int, part: int) -> None:
    """Data values, midpoints and their neighbouring floats: `<=` of the values decides, nothing else."""
    threshold = (steps + 1 / part) / 10**precision
    for _ in range(abs(bits)):
        threshold = float(np.nextafter(threshold, np.inf * np.sign(bits)))
    (last,) = last_below(np.array([threshold]), precision).tolist()
    (first,) = first_above(np.array([threshold]), precision).tolist()
    assert first == last + 1
    assert (
        from_steps(np.array([last]), precision)[0] <= threshold < from_steps(np.array([first]), precision)[0]
    )


@pytest.mark.parametrize(
    ("threshold", "precision", "last"),
    [
        (7.041, 3, 7041),
        (7.0415, 3, 7041),
        (2.5, 0, 2),
        (-2.5, 0, -3),
        ((0.01 + 0.09) / 2, 2, 4),
        (1e12 + 1.5, 0, 10**12 + 1),
    ],
)
def test_last_value_up_to_a_threshold(threshold: float, precision: int, last: int) -> None:
    """(0.01 + 0.09) / 2 is a bit below 0.05, so a tree sends 0.05 to the right."""
    assert last_below(np.array([threshold]), precision).tolist() == [last]


def test_width_counts_values_on_a_grid_and_measures_reals() -> None:
    assert one(1, 10, 0).width.tolist() == [10]
    assert one(1, 10, None).width.tolist() == [9]
    assert one(5, 4, 0).width.tolist() == [0]
    assert one(5, 2, 0).width.tolist() == [0]
    assert one(5, 2, None).width.tolist() == [0]


def test_whole_domain_is_in_steps() -> None:
    domain = whole_domain(Attribute("price", "numeric", low=0.1, high=2.29, precision=2))
    assert (domain.low.tolist(), domain.high.tolist(), domain.on_grid) == ([10], [229], True)
    with pytest.raises(InputError, match="no domain"):
        whole_domain(Attribute("price", "numeric"))


def test_take_gives_every_record_its_interval() -> None:
    taken = Intervals(np.array([0.0, 5.0]), np.array([4.0, 9.0]), 0).take(np.array([1, 0, 1]))
    assert (taken.low.tolist(), taken.high.tolist()) == ([5, 0, 5], [9, 4, 9])


def test_single_precision_is_known_from_the_storage() -> None:
    real = Attribute("x", "numeric", storage="Float32", low=0.0, high=1.0)
    assert whole_domain(real).single
    assert whole_domain(real).take(np.array([0, 0])).single
    assert not whole_domain(Attribute("x", "numeric", storage="Float32", low=0, high=1, precision=1)).single
    assert not whole_domain(Attribute("x", "numeric", low=0.0, high=1.0)).single


singles = st.floats(-1e9, 1e9, width=32)


@given(singles, singles, st.floats(0, 1), st.booleans())
def test_single_precision_never_rounds_out_of_the_interval(
    low: float, high: float, share: float, between: bool
) -> None:
    """Also for thresholds between two singles, as long as one single (the original value) is inside."""
    assume(low < high)
    floor = float(np.nextafter(low, -np.inf)) if between else low
    value = wrap(np.array([low + share * (high - low)]), one(floor, high, None))
    inside = Intervals(np.array([floor]), np.array([high]), None, single=True)
    (stored,) = as_stored(value, inside).tolist()
    assert floor < stored <= high
    assert stored == float(np.float32(stored))


def test_double_precision_is_left_alone() -> None:
    values = np.array([0.1])
    assert as_stored(values, one(0, 1, None)) is values


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**6))
def test_turning_whole_steps_is_exact(distance: int, width: int) -> None:
    inside = Intervals(np.array([0.0]), np.array([float(width - 1)]), 0)
    assert wrap(np.array([float(distance)]), inside).tolist() == [distance % width]

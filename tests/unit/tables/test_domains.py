"""Wrapping and reflecting never leave the interval; every interval has its grid; grids and thresholds meet exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.domains import (
    GRID_BITS,
    Intervals,
    as_stored,
    evenly_drawn,
    first_above,
    from_steps,
    last_below,
    reflect,
    to_steps,
    whole_domain,
    wrap,
)
from hushwood.tables.schema import Attribute
from support.mixed_tables import category, number

reals = st.floats(-1e9, 1e9)
whole = st.integers(-(10**6), 10**6)


singles = st.floats(-1e9, 1e9, width=32)

STREAMS = Streams(bytes(32))


def one(low: float, high: float, precision: int | None) -> Intervals:
    return Intervals(np.array([float(low)]), np.array([float(high)]), precision)


@given(st.integers(1, 1000), whole)
def test_wrapping_is_modulo_the_number_of_points(points: int, place: int) -> None:
    assert wrap(np.array([float(place)]), np.array([float(points)])).tolist() == [place % points]


@given(st.integers(-(10**12), 10**12), st.integers(1, 2**31))
def test_turning_whole_steps_is_exact(place: int, points: int) -> None:
    assert wrap(np.array([float(place)]), np.array([float(points)])).tolist() == [place % points]


@given(st.integers(1, 51), st.integers(-200, 200))
def test_reflecting_is_a_walk_that_turns_at_the_ends(points: int, steps: int) -> None:
    """Every end is stood on twice, as if a mirror stood half a step behind it."""
    place, direction = 0, 1 if steps > 0 else -1
    for _ in range(abs(steps)):
        if 0 <= place + direction < points:
            place += direction
        else:
            direction = -direction
    assert reflect(np.array([float(steps)]), np.array([float(points)])).tolist() == [place]


def test_missing_stays_missing() -> None:
    assert np.isnan(wrap(np.array([np.nan]), np.array([5.0]))).all()
    assert np.isnan(reflect(np.array([np.nan]), np.array([5.0]))).all()


def on_grid(value: float, step: float) -> bool:
    return (Fraction(value) / Fraction(step)).denominator == 1


@given(reals, reals)
def test_a_continuous_interval_has_a_binary_grid_of_its_own(one_end: float, other: float) -> None:
    low, high = sorted((one_end, other))
    assume(low < high)
    box = one(low, high, None)
    step, first, last = (float(x[0]) for x in (box.step, box.first, box.last))
    assert np.frexp(step)[0] == 0.5
    assert low <= first <= last <= high
    assert on_grid(first, step)
    assert on_grid(last, step)
    assert Fraction(first) - Fraction(low) < step
    assert Fraction(high) - Fraction(last) < step
    assert float(box.points[0]) == (Fraction(last) - Fraction(first)) / Fraction(step) + 1
    # As many points as wanted, unless the floats themselves are farther apart.
    farthest = max(abs(low), abs(high))
    assert (high - low) / step >= 2.0**GRID_BITS or step == np.spacing(farthest)


@given(st.floats(-1e300, 1e300), st.integers(0, 3))
def test_the_smallest_boxes_hold_a_grid_point(low: float, floats: int) -> None:
    """Of one, two or a few floats: also across a power of two and next to zero."""
    high = low
    for _ in range(floats):
        high = float(np.nextafter(high, np.inf))
    box = one(low, high, None)
    assert low <= box.first[0] <= box.last[0] <= high


@given(st.floats(-(2.0**99), 2.0**99, width=32), st.integers(0, 3), st.booleans())
def test_the_smallest_boxes_of_singles_hold_a_single(low: float, singles: int, between: bool) -> None:
    """Also if a threshold lies between two singles."""
    high = np.float32(low)
    for _ in range(singles):
        high = np.nextafter(high, np.float32(np.inf))
    floor = float(np.nextafter(low, -np.inf)) if between else low
    box = Intervals(np.array([floor]), np.array([float(high)]), None, single=True)
    assert floor <= box.first[0] <= box.last[0] <= high
    for point in (box.first, box.last):
        assert point.tolist() == point.astype(np.float32).tolist()


def test_grids_go_by_the_spread_where_that_asks_for_finer_ones() -> None:
    box = one(0.0, 2.0**40, None)
    assert box.step.tolist() == [2.0**10]
    values = np.array([-4.0, 4.0, np.nan])
    assert box.fitted_to(values).step.tolist() == [2.0**-12]  # the floats at 2⁴⁰
    assert one(0.0, 2.0**30, None).fitted_to(values).step.tolist() == [2.0**-18]  # 2⁻²⁰ of a spread of 4
    assert one(0.0, 1.0, None).fitted_to(values).step.tolist() == [2.0**-30]
    assert one(0, 9, 0).fitted_to(values) == one(0, 9, 0)
    still = np.array([3.0, 3.0])
    assert one(0.0, 1.0, None).fitted_to(still) == one(0.0, 1.0, None)


@given(st.integers(-(10**10), 10**10), st.integers(0, 8))
def test_steps_and_decimals_go_both_ways(steps: int, precision: int) -> None:
    (value,) = from_steps(np.array([float(steps)]), precision).tolist()
    assert value == float(Fraction(steps, 10**precision))
    assert to_steps(np.array([value]), precision).tolist() == [steps]


def test_reals_have_no_decimal_steps() -> None:
    values = np.array([0.1, np.pi])
    assert to_steps(values, None) is values
    assert from_steps(values, None) is values
    assert last_below(values, None) is values
    assert first_above(values, None).tolist() == np.nextafter(values, 9.0).tolist()


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
    assert (domain.low.tolist(), domain.high.tolist(), domain.decimal) == ([10], [229], True)
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


@given(singles, singles, st.floats(0, 1), st.booleans())
def test_single_precision_never_rounds_out_of_the_interval(
    low: float, high: float, share: float, between: bool
) -> None:
    """Also for thresholds between two singles, as long as one single (the original value) is inside."""
    assume(low < high)
    floor = float(np.nextafter(low, -np.inf)) if between else low
    inside = Intervals(np.array([floor]), np.array([high]), None, single=True)
    value = np.clip(np.array([low + share * (high - low)]), floor, high)
    (stored,) = as_stored(value, inside).tolist()
    assert floor <= stored <= high
    assert stored == float(np.float32(stored))


def test_double_precision_is_left_alone() -> None:
    values = np.array([0.1])
    assert as_stored(values, one(0, 1, None)) is values


def test_every_value_of_a_domain_is_equally_likely() -> None:
    for attribute, expected in (
        (number("age", -2, 3), [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]),
        (number("price", 0.1, 0.3, 1), [0.1, 0.2, 0.3]),
        (category("job", "abcd"), [0, 1, 2, 3]),
    ):
        values, counts = np.unique(evenly_drawn(attribute, 12_000, STREAMS, "test"), return_counts=True)
        assert values.tolist() == expected
        assert counts.tolist() == pytest.approx([12_000 / len(expected)] * len(expected), rel=0.1)


def test_reals_lie_inside_the_domain() -> None:
    values = evenly_drawn(number("height", 1.5, 2.5, None), 5000, STREAMS, "test")
    assert 1.5 < values.min() < 1.51
    assert 2.49 < values.max() < 2.5


def test_without_a_domain_values_are_missing() -> None:
    assert np.isnan(evenly_drawn(Attribute("age", "numeric"), 3, STREAMS, "test")).all()
    assert evenly_drawn(category("job", ()), 3, STREAMS, "test").tolist() == [-1, -1, -1]


def test_purposes_draw_different_values() -> None:
    one, other = (evenly_drawn(number("age", 0, 1000), 50, STREAMS, purpose) for purpose in ("a", "b"))
    assert (one != other).any()

"""Moments and counts of batches against those of the whole column."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.columns.column_tallies import (
    MomentTally,
    NumberCounts,
    Outermost,
    common_unit,
    counted,
    finite_or_none,
    is_constant,
    known,
    mean_of,
    numeric_names,
    weight_of,
    with_weight,
)
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from support.mixed_tables import mixed_table, number


@given(st.lists(st.floats(allow_nan=True, allow_infinity=False), min_size=1, max_size=5))
def test_a_unit_makes_squares_and_sums_safe_and_loses_nothing(values: list[float]) -> None:
    column = np.array(values)

    unit = common_unit(column)

    assert math.frexp(unit)[0] == 0.5
    scaled = known(column) / unit
    assert (np.abs(scaled) <= 2.0**24).all()
    large = np.abs(scaled) > 1e-290
    assert np.array_equal(scaled[large] * unit, known(column)[large])


def test_no_values_and_zeros_have_the_unit_one() -> None:
    assert common_unit(np.array([np.nan])) == common_unit(np.zeros(3)) == 1.0


def test_only_the_numeric_columns_in_table_order() -> None:
    assert numeric_names(mixed_table(1, 3)) == ["count", "price", "ratio", "constant", "void"]


def test_constants_and_endless_numbers() -> None:
    assert is_constant(np.array([0.1] * 3))
    assert is_constant(np.array([]))
    assert not is_constant(np.array([0.1, 0.2]))
    assert (finite_or_none(math.inf), finite_or_none(2)) == (None, 2.0)


def table(*, weighted: bool) -> Table:
    frame = pl.DataFrame({"age": [30, 40, 50], "w": [2.0, 0.0, 0.5]})
    return read_table(frame, weight="w" if weighted else None)


def test_records_without_weight_do_not_count() -> None:
    weighted, plain = table(weighted=True), table(weighted=False)
    assert with_weight(weighted).columns["age"].tolist() == [30.0, 50.0]
    assert with_weight(plain) is plain
    assert (weight_of(weighted), weight_of(plain)) == (2.5, 3)


def test_sums_and_means() -> None:
    met, weights = np.array([True, True, False]), np.array([2.0, 0.0, 0.5])
    assert (counted(met, None), counted(met, weights)) == (2.0, 2.0)
    assert (mean_of(met, None), mean_of(met, weights)) == (2 / 3, 0.8)
    assert mean_of(met, np.zeros(3)) == 2 / 3


VALUES = st.lists(st.lists(st.one_of(st.none(), st.integers(-50, 50)), max_size=6), min_size=1, max_size=6)


def arrays(batches: list[list[int | None]]) -> list[np.ndarray]:
    return [np.array([np.nan if v is None else v for v in batch], np.float64) for batch in batches]


@given(VALUES)
def test_moments_of_batches_are_those_of_the_column(batches: list[list[int | None]]) -> None:
    parts = arrays(batches)
    values = np.concatenate(parts)
    there = values[~np.isnan(values)]
    tally = MomentTally()
    for part in parts:
        tally.merge(MomentTally.of(part))

    mean, sd = tally.mean_and_sd()

    assert mean == (None if not len(there) else pytest.approx(there.mean()))
    assert sd == (None if len(there) < 2 else pytest.approx(there.std(ddof=1), abs=1e-9))
    assert tally.missing == pytest.approx(np.isnan(values).mean() if len(values) else 0.0)


def test_batches_of_very_different_size_keep_their_digits() -> None:
    tally = MomentTally()
    for part in (np.full(3, 7.0), np.array([1e60, -1e60]), np.full(3, 7.0)):
        tally.merge(MomentTally.of(part))
    same = MomentTally.of(np.full(2, 0.1))
    same.merge(MomentTally.of(np.full(3, 0.1)))

    whole = np.array([7.0, 7, 7, 1e60, -1e60, 7, 7, 7])
    assert tally.mean_and_sd()[1] == pytest.approx(whole.std(ddof=1))
    assert same.mean_and_sd() == (0.1, 0.0)


@given(VALUES)
def test_numbers_are_counted_in_any_batches(batches: list[list[int | None]]) -> None:
    parts = arrays(batches)
    counts = NumberCounts(most=1000)
    for part in parts:
        counts.merge(NumberCounts.of(part))
    counts.settle()

    whole = NumberCounts.of(np.concatenate(parts))

    assert counts.values.tolist() == whole.values.tolist()
    assert counts.counts.tolist() == whole.counts.tolist()
    assert counts.missing == whole.missing
    assert not counts.overfull


def test_too_many_different_numbers_are_given_up() -> None:
    counts = NumberCounts(most=5)
    counts.merge(NumberCounts.of(np.arange(4.0)))
    counts.settle()
    so_far = [counts.overfull]
    for more in (np.arange(3.0, 7.0), np.arange(2.0)):
        counts.merge(NumberCounts.of(more))
        counts.settle()
        so_far.append(counts.overfull)

    assert so_far == [False, True, True]
    assert len(counts.values) == 0


def ends_of(values: list[float], step: float = 1.0) -> Outermost:
    found = Outermost(step)
    found.add(np.array(values))
    return found


ONES = [float(i) for i in range(60)]


def test_a_number_ten_times_as_far_as_its_neighbours_stands_out() -> None:
    """Five more people reach 55, ten more 45 of those that go on: 10 apart, so it takes more than 100."""
    assert list(ends_of([*ONES, 155.0]).standing_out("largest")) == []
    assert list(ends_of([*ONES, 156.0]).standing_out("largest")) == [(1, 156.0, 101.0)]


def test_the_second_third_and_fifth_from_an_end_may_too() -> None:
    far = [1000.0, 2000, 3000, 4000, 5000]
    found = list(ends_of([*ONES, *far]).standing_out("largest"))
    assert [(place, own) for place, own, _ in found] == [(1, 5000.0), (2, 4000.0), (3, 3000.0), (5, 1000.0)]
    below = list(ends_of([-x for x in [*ONES, *far]]).standing_out("smallest"))
    assert below == found  # with their signs changed


def test_what_five_people_have_is_nobodys_own() -> None:
    assert len(list(ends_of([*ONES, *[5000.0] * 4]).standing_out("largest"))) == 3
    assert list(ends_of([*ONES, *[5000.0, 4990, 5010, 5005, 4999]]).standing_out("largest")) == []


def test_a_step_of_the_grid_is_a_distance() -> None:
    zeros = [0.0] * 60
    assert list(ends_of([*zeros, 10.0]).standing_out("largest")) == []
    assert list(ends_of([*zeros, 11.0]).standing_out("largest")) == [(1, 11.0, 11.0)]
    assert list(ends_of([*zeros, 10.0], 0.1).standing_out("largest")) == [(1, 10.0, 10.0)]


@pytest.mark.parametrize("people", [0, 1, 31])
def test_among_few_people_everyone_is_far_from_others(people: int) -> None:
    assert list(ends_of([float(10**i % 97) for i in range(people)]).standing_out("largest")) == []


def test_parts_give_what_the_whole_gives() -> None:
    values = np.append(np.random.default_rng(3).exponential(1.0, 500), [np.nan, 90.0, -70.0])
    whole, parts = Outermost.of(number("x", -99, 99)), Outermost.of(number("x", -99, 99))
    whole.add(values)
    for part in np.split(values, [0, 7, 300]):
        more = Outermost(parts.step)
        more.add(part)
        parts.merge(more)
    assert whole.known == parts.known == 502
    assert np.array_equal(whole.from_end("largest"), parts.from_end("largest"))
    assert np.array_equal(whole.from_end("smallest"), parts.from_end("smallest"))

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Floats
from hushwood.techniques.blurring.blur import COMMON, QuantileLine, folded, share_below
from oracles import blur as oracle


def points(numbers: list[float], common: int = COMMON) -> list[tuple[float, float]]:
    line = QuantileLine.of(np.array(numbers), common)
    return list(zip(line.place.tolist(), line.value.tolist(), strict=True))


def test_knots_by_hand() -> None:
    """Ten outermost at either end, every fifth between; the ends are means of the numbers from 25 to 29, and 1 to 5."""
    assert points([float(i) for i in range(31)]) == [
        (-0.5, 3.0),
        (10.0, 10.0),
        (15.0, 15.0),
        (20.0, 20.0),
        (30.5, 27.0),
    ]


def test_a_heavy_end_follows_its_inner_half() -> None:
    """The inner five are 1, ..., 5 above 20, as even numbers are: the outer five count for nothing."""
    column = [float(i) for i in range(26)] + [90.0, 200.0, 500.0, 900.0, 1e6]
    assert points(column)[-1] == (30.5, 30.5)


def test_the_bound_has_no_influence_of_the_largest() -> None:
    """The inner half rises by 2 a rank, to 21 in all; the mean of the outer half without the largest is 11 above 20."""
    column = [*map(float, range(21)), 22.0, 24.0, 26.0, 28.0, 30.0, 31.0, 31.0, 31.0, 32.0, 99.0]
    assert points(column)[-1] == (30.5, 31.0)
    assert points([*column[:-1], 1e9]) == points(column)


def test_common_numbers_are_knots_and_keep_others_away() -> None:
    """Of a run of eight between common numbers none is a knot."""
    column = [*[1.0] * 12, *map(float, range(2, 10)), *[10.0] * 12]
    assert points(column) == [(-0.5, 1.0), (0.0, 1.0), (11.0, 1.0), (20.0, 10.0), (31.0, 10.0), (31.5, 10.0)]


def test_few_people_beyond_a_common_number_join_it() -> None:
    assert points([*[0.0] * 40, 5.0, 6e6])[-2:] == [(39.0, 0.0), (41.5, 0.0)]


@pytest.mark.parametrize("numbers", [[1.0, 2.0], [1.0, 2.0, 9.0], [0.0, 0.0, 4.0]])
def test_tiny_columns_have_a_line(numbers: list[float]) -> None:
    line = QuantileLine.of(np.array(numbers), COMMON)
    assert (np.diff(line.value) >= 0).all()
    assert line.value[0] >= numbers[0]
    assert line.value[-1] <= numbers[-1]


@given(st.lists(st.integers(0, 12).map(float), min_size=1, max_size=60), st.integers(5, 9))
def test_it_is_the_oracles_line(numbers: list[float], common: int) -> None:
    ordered = sorted(numbers)
    line = QuantileLine.of(np.array(ordered), common)
    expected = oracle.line([Fraction(x) for x in ordered], common)
    assert line.place.tolist() == [float(place) for place, _ in expected]
    np.testing.assert_allclose(line.value, [float(value) for _, value in expected], atol=1e-9)
    assert (np.diff(line.value) >= -1e-9).all()


def test_ranks_lead_to_numbers_and_back() -> None:
    line = QuantileLine.of(np.arange(31.0), COMMON)
    assert line.value_at(np.array([12.5, -0.5, 30.5])).tolist() == [12.5, 3.0, 27.0]
    assert line.rank_of(np.array([12.5, 3.0, 27.0, -1.0, 99.0])).tolist() == [12.5, -0.5, 30.5, -0.5, 30.5]
    flat = QuantileLine.of(np.repeat([1.0, 2.0], 20), COMMON)
    assert flat.rank_of(np.array([1.0, 1.5, 2.0, 2.1])).tolist() == [-0.5, 19.5, 20.0, 39.5]


def test_nobody_passes_a_common_number() -> None:
    line = QuantileLine.of(np.array([0.0, 1, 1, 1, 1, 1, 2, 3]), COMMON)
    below, above = line.limits(np.array([0, 6, 7]))
    assert below.tolist() == [-0.5, 5.0, 5.0]
    assert above.tolist() == [1.0, 7.5, 7.5]


LIMIT = st.floats(-3, 9)


@given(LIMIT, st.floats(0, 4), st.integers(1, 9), LIMIT)
def test_the_share_below_a_limit_is_that_of_the_draws(
    low: float, size: float, width: int, limit: float
) -> None:
    draws = (np.arange(20_000) + 0.5) / 20_000
    ends = np.full(len(draws), low), np.full(len(draws), low + size)
    ranks = folded(low + size / 3 + width * (2 * draws - 1), *ends)
    assert ((ranks >= ends[0]) & (ranks <= ends[1])).all()
    one: list[Floats] = [np.array([x]) for x in (limit, low + size / 3, low, low + size)]
    if size > 1e-3:
        share = share_below(one[0], one[1], width, one[2], one[3])[0]
        assert abs(share - (ranks < limit).mean()) < 2e-3 + 4 * width / size / 20_000

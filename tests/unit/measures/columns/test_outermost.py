from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.columns.outermost import Outermost
from support.mixed_tables import number


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

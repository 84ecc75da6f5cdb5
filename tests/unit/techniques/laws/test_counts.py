"""The law of counts by hand, by brute force, and against an intruder with a list."""

from __future__ import annotations

from math import ceil, erf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Floats
from hushwood.techniques.laws.counts import (
    AIM,
    DIFFERENT,
    LISTED,
    advantage,
    column_shares,
    free_cells,
    people_needed,
    smallest_segment,
)
from support.mixed_tables import category, number, table_of, target


def test_the_advantage_by_hand() -> None:
    """d = sqrt(75 / (150 * (1/3 + 2/3))) = 0.707; 2 Phi(d / 2) - 1 is the error function of d / sqrt(8)."""
    assert advantage(75, 150, 1 / 3, 2 / 3) == pytest.approx(erf(sqrt(0.5) / sqrt(8)))
    assert advantage(0, 50, 1 / 3, 1) == 0
    assert advantage(-1, 50, 1 / 3, 1) == 0


def test_exact_counts_give_everything_away_to_one_who_knows_everybody_else() -> None:
    assert [advantage(cells, 1e6, 0, 0) for cells in (1, 50)] == [1, 1]
    assert advantage(0, 1e6, 0, 0) == 0
    assert advantage(50, 1e6, 0, 1) < 0.01


@given(st.integers(0, 200), st.floats(0, 5), st.floats(0.02, 0.5), st.floats(0.05, 1))
def test_people_needed_are_the_fewest(cells: int, noise: float, aim: float, outside: float) -> None:
    needed = people_needed(cells, noise, aim, outside)
    assert advantage(cells, needed, outside, noise) <= aim + 1e-9
    assert needed == 0 or advantage(cells, max(needed - 1, 1e-9), outside, noise) > aim - 1e-9


def test_a_constant_says_how_many_people_a_count_needs() -> None:
    """15.8 for an advantage of .10, 24.8 for one of .08; with 75 counts, and bootstrap and redraw of 1 each."""
    assert people_needed(75, 2, 0.10) == ceil(15.83 * 75 / (LISTED + 2)) == 509
    assert people_needed(75, 2, 0.08) == ceil(24.78 * 75 / (LISTED + 2)) == 797
    assert people_needed(75, 4, 0.08) == 429
    assert people_needed(75, 2) == people_needed(75, 2, AIM)


GAP = np.nan
TABLE = table_of(
    {
        "town": (category("town", "abc"), [0, 0, 1, 1, 2, -1, 0, 0, 1, 1]),
        "state": (category("state", "xy"), [0, 0, 0, 0, 1, -1, 0, 0, 0, 0]),  # follows from the town
        "code": (category("code", "rst"), [2, 2, 0, 0, 1, -1, 2, 2, 0, 0]),  # is the town by another name
        "age": (number("age", 0, 9), [*map(float, range(9)), GAP]),
        "one": (number("one", 0, 9), [3.0] * 10),
        "ill": (target("ill", "ny"), [0, 1] * 5),
    }
)


def test_shares_of_levels_by_hand() -> None:
    """Of columns that say each other the first counts; a gap is a level, and so is every tenth of a number."""
    some = table_of(
        {name: (TABLE.schema[name], np.tile(TABLE.columns[name], 3).tolist()) for name in TABLE.columns}
    )
    town, age, one, ill = column_shares(some)
    assert sorted(town) == pytest.approx([0.1, 0.1, 0.4, 0.4])
    assert age[age > 0] == pytest.approx([0.1] * 10)
    assert one[one > 0].tolist() == [1]
    assert ill[ill > 0] == pytest.approx([0.5, 0.5])
    assert [len(own) for own in column_shares(some, ["state"])] == [3]


def test_free_counts_are_those_that_expect_half_a_person() -> None:
    shares = [np.array([0.0, 0.5, 0.4, 0.09, 0.01]), np.array([0.0, 1.0])]
    assert [free_cells(shares, people) for people in (1, 2, 5, 6, 49, 50)] == [0, 1, 1, 2, 2, 3]
    assert free_cells([], 50) == 0


@given(st.integers(0, 10_000), st.sampled_from([0.5, 1.0, 3.0]))
def test_the_smallest_segment_answers_for_the_counts_that_it_fills(seed: int, redraw: float) -> None:
    """A brute-force search: a k that is enough for its own counts, and not much above the least such."""
    chance = np.random.default_rng(seed)
    shares = [
        chance.dirichlet(np.full(int(chance.integers(2, 60)), 0.3))
        for _ in range(int(chance.integers(1, 30)))
    ]
    records = int(chance.integers(100, 20_000))
    k = smallest_segment(shares, records, redraw)
    assert k % 50 == 0
    assert k >= 50

    def enough(different: float) -> bool:
        people = different / DIFFERENT
        return advantage(free_cells(shares, people), people, LISTED, 1 + redraw) <= AIM + 1e-9

    if k > DIFFERENT * records:
        return  # one segment, whatever it can fill
    assert enough(k)
    least = next(one for one in range(50, k + 1) if all(enough(other) for other in range(one, k + 1, 50)))
    assert k <= 1.1 * least + 100


def test_more_noise_needs_fewer_people() -> None:
    shares: list[Floats] = [np.full(10, 0.1)] * 8
    sizes = [smallest_segment(shares, 30_000, redraw) for redraw in (0.5, 1, 3, 10)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 2 * sizes[-1]


@pytest.mark.parametrize("noise", [0.0, 1.0, 3.0])
def test_an_intruder_with_a_list_has_the_advantage_that_is_predicted(noise: float) -> None:
    """Three hundred candidates of whom two hundred are in one segment; thirty columns of one free count each.

    The intruder adds up (own - mean) (released - expected) over the columns, and names those above the middle between
    members and others. Over 60 tables, the standard error of the mean advantage is below .01.
    """
    chance = np.random.default_rng(3)
    candidates, people, cells, tables = 300, 200, 30, 60
    found = []
    for _ in range(tables):
        records = chance.random((candidates, cells)) < 0.5
        inside = np.arange(candidates) < people
        shares = records[inside].mean(axis=0)
        shares = shares + chance.normal(size=cells) * np.sqrt(noise * shares * (1 - shares) / people)
        score = (records - records.mean(axis=0)) @ (shares - records.mean(axis=0))
        limit = (score[inside].mean() + score[~inside].mean()) / 2
        found.append((score[inside] >= limit).mean() - (score[~inside] >= limit).mean())
    wanted = advantage(cells, people, LISTED, noise)
    assert np.mean(found) == pytest.approx(wanted, abs=0.03)

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.attacks.membership import Membership
from hushwood.attacks.protocol import Scenario
from intruders import UNITS, attacked, barely_hidden, knowing, people, unrelated
from mixed_tables import mixed_table, number, plain_rows, table_of
from oracles.near_rows import distances
from rearranged_tables import in_another_unit
from table_pairs import STREAMS

EVERYTHING = Scenario("whole record", "", ("age", "school", "income", "town", "job", "rich"))


@given(st.integers(0, 100), st.integers(1, 30), st.integers(1, 30))
@settings(max_examples=40)
def test_scores_and_the_nearer_half_like_the_oracle(seed: int, people: int, rows: int) -> None:
    targets, released = mixed_table(seed, people), mixed_table(seed + 1, rows)
    guessed = Membership().guess(knowing(targets, tuple(targets.columns)), released, STREAMS)
    near = [min(own) for own in distances(plain_rows(targets), plain_rows(released), list(targets.columns))]
    assert guessed.score.tolist() == pytest.approx([-distance for distance in near], abs=1e-5)
    assert guessed.member.sum() == people // 2
    said, denied = guessed.score[guessed.member], guessed.score[~guessed.member]
    assert said.min(initial=np.inf) >= denied.max(initial=-np.inf)


def test_by_hand() -> None:
    released = table_of({"age": (number("age", -50, 50), [-40.0, 10.0])})
    targets = table_of({"age": (number("age", -50, 50), [-50.0, 12.0, 40.0, -39.0])})
    guessed = Membership().guess(knowing(targets, ["age"]), released, STREAMS)
    assert guessed.member.tolist() == [False, True, False, True]
    assert guessed.score.tolist() == pytest.approx([-10 / 90, -2 / 90, -30 / 90, -1 / 90], abs=1e-6)


def test_equally_near_people_are_told_apart_by_chance() -> None:
    table = people(1, 400)
    guessed = Membership().guess(knowing(table, tuple(table.columns)), table, STREAMS)
    assert set(guessed.score.tolist()) == {0.0}
    assert guessed.member.sum() == 200
    assert 70 < guessed.member[:200].sum() < 130


def test_untouched_weak_and_noise() -> None:
    table, others = people(1, 1500), people(2, 1500)
    for released in (table, barely_hidden(table, 2, 0.003)):
        found = attacked(Membership(), EVERYTHING, table, released, holdout=others)
        assert found.interval[0] > found.naive == 0.5
    noise = attacked(Membership(), EVERYTHING, table, unrelated(table, 3), holdout=others)
    assert noise.interval[0] <= noise.naive <= noise.interval[1]


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_zero_point_unit_and_sign_do_not_matter(unit: tuple[float, float]) -> None:
    table, others = people(1, 500), people(2, 500)
    released = barely_hidden(table, 2, 0.01)
    before = attacked(Membership(), EVERYTHING, table, released, holdout=others).success
    tables = [in_another_unit(t, *unit) for t in (table, released, others)]
    after = attacked(Membership(), EVERYTHING, tables[0], tables[1], holdout=tables[2]).success
    # Distances are rounded to a grid, so that two people may change places at the median.
    assert after == pytest.approx(before, abs=0.005)
    assert 0.5 < before < 1

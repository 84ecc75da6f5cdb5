from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.attacks.judging.estimates import risk_beyond, wilson
from hushwood.attacks.judging.findings import beyond_hits, details_of, records_of
from hushwood.attacks.judging.scoring import Truth
from hushwood.attacks.linkage import Linkage
from hushwood.attacks.protocol import MemberGuesses, NumberGuesses, PredicateGuesses, RowGuesses, Scenario
from support.mixed_tables import number, table_of

TABLE = table_of({"x": (number("x", 0, 9), [1.0, 2.0, 3.0, 3.0])})
SCENARIO = Scenario("some", "Somebody.", ("x",))
AGES = table_of(
    {"age": (number("age", 0, 20), [0.0, 10.0, 20.0, 10.0]), "flat": (number("flat", 5, 5), [5.0] * 4)}
)


def test_details_with_a_control() -> None:
    attack, control = wilson(30, 100), wilson(10, 100)
    details = details_of(Linkage(), SCENARIO, 120, attack, 0.05, control)
    assert json.loads(json.dumps(details, allow_nan=False)) == details
    assert (details["targets"], details["attempts"], details["successes"]) == (120, 100, 30)
    assert details["risk"] == pytest.approx(risk_beyond(attack, control).value)
    assert details["control_interval"] == list(control.interval)
    assert details["gain"] == pytest.approx(0.25 / 0.95)
    assert details["knows"] == ["x"]


def test_details_without_a_control_have_the_same_keys() -> None:
    with_control = details_of(Linkage(), SCENARIO, 9, wilson(1, 9), 0.1, wilson(1, 9))
    without = details_of(Linkage(), SCENARIO, 9, wilson(1, 9), 0.1, None)
    assert list(with_control) == list(without)
    assert without["risk"] is None


def test_records_are_in_the_originals_order() -> None:
    truth = Truth(TABLE, np.array([2, 0, -1]))
    found = records_of("member", RowGuesses(np.zeros(3, np.int64)), np.array([1.0, 0.0, 1.0]), truth)
    assert found["found"][:3] == pytest.approx([0.0, np.nan, 1.0], nan_ok=True)
    assert np.isnan(found["found"][3])


def test_records_that_a_predicate_singles_out() -> None:
    guesses = PredicateGuesses(np.arange(4), ("x",) * 3, ("<=", ">=", "=="), np.array([1.0, 3.0, 2.0]))
    found = records_of("predicate", guesses, np.array([1.0, 0.0, 1.0]), Truth(TABLE, np.arange(4)))
    assert found["singled_out"].tolist() == [1, 1, 0, 0]


def test_members_by_hand() -> None:
    """Three members and two others; two members and one of the others are named."""
    guesses = MemberGuesses(np.array([1, 1, 0, 1, 0], bool), np.array([9.0, 8.0, 3.0, 8.0, 1.0]))
    truth = Truth(AGES, np.array([0, 1, 2, -1, -1]), members=np.array([1, 1, 1, 0, 0], bool))
    found = beyond_hits(guesses, truth)
    assert found["true_positive_rate"] == pytest.approx(2 / 3)
    assert found["false_positive_rate"] == 0.5
    assert found["advantage"] == pytest.approx(2 / 3 - 1 / 2)
    assert found["area_under_curve"] == pytest.approx((2 + 1.5 + 1) / 6)
    assert found["found_at_1_percent"] == pytest.approx(1 / 3)
    low, high = wilson(3, 5).interval
    # Right about a share s, of three named: s · 5 = hits of members + 2 - (3 - hits), so hits = (5s + 1) / 2.
    ends = [((5 * s + 1) / 2) / 3 - (3 - (5 * s + 1) / 2) / 2 for s in (low, high)]
    assert found["advantage_interval"] == pytest.approx([max(ends[0], -1), min(ends[1], 1)])
    assert found["area_interval"] == pytest.approx(list(wilson(2 * 0.75, 2).interval))
    assert found["found_at_1_percent_interval"] == pytest.approx(list(wilson(1, 3).interval))
    wider = beyond_hits(guesses, truth, 7)
    assert wider["area_interval"][0] < found["area_interval"][0]
    assert wider["advantage"] == found["advantage"]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_advantage_is_the_difference_of_two_rates(drawn: list[tuple[bool, bool]]) -> None:
    named, inside = (np.array(part) for part in zip(*drawn, strict=True))
    truth = Truth(AGES, np.where(inside, 0, -1), members=inside)
    found = beyond_hits(MemberGuesses(named, named.astype(float)), truth)
    if inside.all() or not inside.any():
        assert found == {}
        return
    expected = named[inside].mean() - named[~inside].mean()
    assert found["advantage"] == pytest.approx(expected, abs=1e-12)
    low, high = found["advantage_interval"]
    assert low - 1e-12 <= expected <= high + 1e-12


def test_intervals_of_areas_cover() -> None:
    """Scores without any information, and scores with some: 19 of 20 intervals contain the true area, or more."""
    chance = np.random.default_rng(3)
    members = np.arange(160) < 80
    truth = Truth(AGES, np.where(members, 0, -1), members=members)
    for shift, area in ((0.0, 0.5), (1.0, 0.7602), (3.0, 0.9831)):
        covered = 0
        for _ in range(200):
            score = chance.normal(0, 1, 160) + shift * members
            low, high = beyond_hits(MemberGuesses(members, score), truth)["area_interval"]
            covered += low <= area <= high
        assert covered >= 184


def test_numbers_by_hand() -> None:
    """Rows 1, 2 and 3 are targets, the last was dropped; their guesses are off by 3 and 4, of a deviation of √50."""
    guesses = NumberGuesses({"age": np.array([24.0, 13.0]), "flat": np.array([5.0, 6.0])})
    truth = Truth(AGES, np.array([1, 2, 3]), partner_rows=np.array([1, 0, -1]))
    found = beyond_hits(guesses, truth)
    assert found == {"error_shares": {"age": pytest.approx(np.sqrt((9 + 16) / 2) / np.sqrt(50))}}


def test_other_guesses_say_no_more() -> None:
    assert beyond_hits(RowGuesses(np.array([0])), Truth(AGES, np.array([0]))) == {}

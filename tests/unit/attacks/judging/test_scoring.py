from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Integers
from hushwood.attacks.judging.estimates import risk_beyond, wilson
from hushwood.attacks.judging.scoring import (
    CLOSE,
    Truth,
    beyond_hits,
    close_enough,
    details_of,
    hits,
    matching_rows,
    records_of,
    tolerance_of,
)
from hushwood.attacks.linkage import Linkage
from hushwood.attacks.protocol import (
    Guesses,
    MemberGuesses,
    NumberGuesses,
    PartGuesses,
    PredicateGuesses,
    RowGuesses,
    Scenario,
    ValueGuesses,
)
from support.mixed_tables import category, number, table_of, target

NAN = float("nan")
TABLE = table_of(
    {
        "x": (number("x", 0, 100), [float(value) for value in range(0, 101, 10)] + [NAN]),
        "c": (category("c", "pqr"), [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, -1]),
        "k": (target("k", ("1", "5", "9")), [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]),
    }
)
ROWS = np.arange(TABLE.rows)


def right(guesses: Guesses, target_rows: Integers = ROWS, **truth: Any) -> list[float]:
    found: list[float] = hits(guesses, Truth(TABLE, target_rows, **truth)).tolist()
    return found


def test_a_row_is_right_if_it_is_the_partner() -> None:
    guesses = RowGuesses(np.array([5, 6, -1, 3]))
    found = right(guesses, target_rows=np.arange(4), partner_rows=np.array([5, 7, 2, -1]))
    assert found[:2] == [1, 0]
    assert np.isnan(found[2])
    assert found[3] == 0


def test_no_guess_for_somebody_who_was_dropped_is_no_success() -> None:
    found = right(RowGuesses(np.array([-1])), target_rows=np.arange(1), partner_rows=np.array([-1]))
    assert np.isnan(found[0])


def test_categories_must_be_equal_and_missing_is_a_value() -> None:
    guessed = np.array([0, 2, 2, -1, 1, 2, 0, 1, 2, 0, 1, -1], np.int32)
    assert right(ValueGuesses(guessed), wants="c") == [1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1]


def test_numbers_must_be_near() -> None:
    # 5 % and 95 % quantiles of 0, 10 ... 100 are 5 and 95: the tolerance is 4.5
    guessed = np.array([4.5, 14.6, 15.5, 30, NAN, 45.4, 64.5, -70, 80, 90, 100, NAN])
    assert right(ValueGuesses(guessed), wants="x") == [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1]


def test_given_tolerances_win() -> None:
    guessed = TABLE.columns["x"] + 9
    assert sum(right(ValueGuesses(guessed), wants="x")) == 1
    assert sum(right(ValueGuesses(guessed), wants="x", tolerances={"x": 9.0})) == 12


def test_a_binned_class_is_right_in_the_right_bin() -> None:
    binned = TABLE.schema.with_attribute(replace(TABLE.schema["k"], bins=(4.0,)))
    table = replace(TABLE, schema=binned)
    guessed = np.array([0, 2, 1, 1], np.int32)
    found = hits(ValueGuesses(guessed), Truth(table, np.arange(4), wants="k"))
    assert found.tolist() == [1, 1, 1, 0]


def test_every_negative_guess_is_not_right() -> None:
    """The reference divides the difference by the guess with its sign, and so takes every negative one."""
    guessed = np.full(TABLE.rows, -1e6)
    assert sum(right(ValueGuesses(guessed), wants="x")) == 0
    assert all((np.abs(guessed[:-1] - TABLE.columns["x"][:-1]) / guessed[:-1]) <= 0.05)


@given(
    st.lists(st.integers(-1000, 1000), min_size=2, max_size=30),
    st.lists(st.integers(-300, 300), min_size=30, max_size=30),
    st.sampled_from([-1.0, 0.1, -7.3, 1024.0, 1.0]),
    st.integers(-10_000, 10_000),
)
def test_sign_scale_and_zero_point_change_no_hit(
    values: list[int], errors: list[int], factor: float, shift: int
) -> None:
    true = np.array(values, float)
    guessed = true + np.array(errors[: len(true)]) / 10
    before = close_enough(guessed, true, tolerance_of(true))
    moved, moved_guess = true * factor + shift, guessed * factor + shift
    assert np.array_equal(close_enough(moved_guess, moved, tolerance_of(moved)), before)


def test_tolerance_of_odd_columns() -> None:
    assert tolerance_of(np.array([NAN, NAN])) == 0
    assert tolerance_of(np.full(5, 3.0)) == 0
    assert tolerance_of(np.append(np.arange(101.0), 1e12)) < 0.05 * 102
    assert tolerance_of(np.arange(101.0)) == pytest.approx(CLOSE * 90)


def test_predicates_must_fit_one_person() -> None:
    guesses = PredicateGuesses(
        np.array([0, 1, 2, 4, 5, 6]),
        ("x", "x", "x", "c", "x", "c"),
        ("<=", ">=", ">=", "==", "missing", "=="),
        np.array([5.0, 90.0, 70.0, 2.0, 0.0, 7.0]),
    )
    assert right(guesses) == [1, 0, 1, 1, 0]
    counts, first = matching_rows(guesses, Truth(TABLE, ROWS))
    assert counts.tolist() == [1, 2, 1, 1, 0]
    assert [first[p] for p in (0, 2, 3)] == [0, 8, 11]


def test_parts_belong_together_if_they_share_a_row() -> None:
    first = np.array([[1, 2], [3, 4], [-1, 7]])
    second = np.array([[-1, 9], [2, 8], [9, 9]])
    # the second part of target 0 stands at place 1, that of 1 at 2, that of 2 at 0
    found = right(PartGuesses(first, second), target_rows=np.arange(3), second_order=np.array([1, 2, 0]))
    assert found == [1, 0, 0]


def test_members_are_members() -> None:
    guesses = MemberGuesses(np.array([True, True, False]), np.zeros(3))
    found = right(guesses, target_rows=np.array([4, -1, -1]), members=np.array([True, False, False]))
    assert found == [1, 0, 1]


def test_restored_numbers_count_by_share() -> None:
    table = table_of(
        {
            "x": (number("x", 0, 100), [0.0, 100.0, 50.0, NAN]),
            "y": (number("y", 0, 100), [10.0, NAN, 50.0, NAN]),
        }
    )
    guesses = NumberGuesses({"x": np.array([50.0, 0.0, 33.0]), "y": np.array([50.0, 77.0, 77.0])})
    partner = np.array([1, -1, 0, 2])
    found = hits(guesses, Truth(table, np.arange(4), partner))
    assert found[0] == 0.5
    assert np.isnan(found[1])
    assert found[2] == 1
    assert np.isnan(found[3])


def test_a_missing_part_of_the_truth_is_said() -> None:
    with pytest.raises(LookupError, match="truth"):
        right(RowGuesses(np.zeros(12, np.int64)))


TABLE_FINDINGS = table_of({"x": (number("x", 0, 9), [1.0, 2.0, 3.0, 3.0])})
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
    truth = Truth(TABLE_FINDINGS, np.array([2, 0, -1]))
    found = records_of("member", RowGuesses(np.zeros(3, np.int64)), np.array([1.0, 0.0, 1.0]), truth)
    assert found["found"][:3] == pytest.approx([0.0, np.nan, 1.0], nan_ok=True)
    assert np.isnan(found["found"][3])


def test_records_that_a_predicate_singles_out() -> None:
    guesses = PredicateGuesses(np.arange(4), ("x",) * 3, ("<=", ">=", "=="), np.array([1.0, 3.0, 2.0]))
    found = records_of("predicate", guesses, np.array([1.0, 0.0, 1.0]), Truth(TABLE_FINDINGS, np.arange(4)))
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

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.attacks.beyond_hits import area_under_curve, beyond_hits
from hushwood.attacks.guesses import MemberGuesses, NumberGuesses, RowGuesses
from hushwood.attacks.scoring import Truth
from mixed_tables import number, table_of

TABLE = table_of(
    {"age": (number("age", 0, 20), [0.0, 10.0, 20.0, 10.0]), "flat": (number("flat", 5, 5), [5.0] * 4)}
)


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=20))
def test_the_area_is_the_chance_to_order_a_pair_right(drawn: list[tuple[int, bool]]) -> None:
    inside = [score for score, member in drawn if member]
    others = [score for score, member in drawn if not member]
    found = area_under_curve(np.array([float(s) for s, _ in drawn]), np.array([m for _, m in drawn]))
    if not inside or not others:
        assert found is None
    else:
        pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in inside for b in others]
        assert found == pytest.approx(sum(pairs) / len(pairs))


def test_members_by_hand() -> None:
    guesses = MemberGuesses(np.array([True, True, False]), np.array([-1.0, -3.0, -2.0]))
    truth = Truth(TABLE, np.array([0, 1, -1]), members=np.array([True, True, False]))
    assert beyond_hits(guesses, truth) == {"area_under_curve": 0.5}


def test_numbers_by_hand() -> None:
    """Rows 1, 2 and 3 are targets, the last was dropped; their guesses are off by 3 and 4, of a deviation of √50."""
    guesses = NumberGuesses({"age": np.array([24.0, 13.0]), "flat": np.array([5.0, 6.0])})
    truth = Truth(TABLE, np.array([1, 2, 3]), partner_rows=np.array([1, 0, -1]))
    found = beyond_hits(guesses, truth)
    assert found == {"error_shares": {"age": pytest.approx(np.sqrt((9 + 16) / 2) / np.sqrt(50))}}


def test_other_guesses_say_no_more() -> None:
    assert beyond_hits(RowGuesses(np.array([0])), Truth(TABLE, np.array([0]))) == {}

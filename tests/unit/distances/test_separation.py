from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.distances.two_samples import area_under_curve, found_at
from oracles import separation as oracle

SCORES = st.lists(st.integers(-3, 3), min_size=1, max_size=30)


@given(SCORES, SCORES, st.integers(0, 12))
def test_both_like_the_oracle(inside: list[int], others: list[int], twelfths: int) -> None:
    score = np.array([*inside, *others], float)
    members = np.arange(len(score)) < len(inside)
    assert area_under_curve(score, members) == pytest.approx(oracle.area(inside, others))
    expected = oracle.found_at(inside, others, Fraction(twelfths, 12))
    assert found_at(score, members, twelfths / 12) == pytest.approx(expected)


def test_by_hand() -> None:
    score = np.array([5.0, 4.0, 4.0, 1.0, 3.0, 4.0, 0.0])
    members = np.array([True, True, False, True, False, False, False])
    assert area_under_curve(score, members) == pytest.approx((4 + 3 + 1) / 12)
    assert found_at(score, members, 0.01) == pytest.approx(1 / 3)
    assert found_at(score, members, 0.5) == pytest.approx(2 / 3)
    assert found_at(score, members, 1.0) == 1.0


def test_one_percent_of_a_hundred_is_one() -> None:
    score, members = np.arange(101.0), np.arange(101) == 99
    assert found_at(score, members, 0.01) == 1.0
    assert found_at(score, members, 0.0099) == 0.0


def test_one_group_alone_cannot_be_separated() -> None:
    for members in (np.ones(3, bool), np.zeros(3, bool)):
        assert area_under_curve(np.zeros(3), members) is None
        assert found_at(np.zeros(3), members, 0.01) is None

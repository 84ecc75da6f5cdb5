from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.distances.two_samples import area_under_curve, boosted_scores, found_at, ranked_columns
from oracles import separation as oracle
from support.mixed_tables import category, mixed_table, number, table_of
from support.rearranged_tables import in_another_unit

AGE, JOB = number("age", -9, 99), category("job", "abc")
FIRST = table_of({"age": (AGE, [7.0, np.nan, 3.0]), "job": (JOB, [2, -1, 0])})
SECOND = table_of({"age": (AGE, [3.0, 9.0]), "job": (JOB, [1, 1])})


def test_ranks_by_hand() -> None:
    higher = np.array([False, False, False, True, True])
    found = ranked_columns([FIRST.columns, SECOND.columns], FIRST.schema, higher)
    # 3 and 9 of the second table lie above 7 and 3 on average.
    assert found.matrix[:, 0].tolist() == [1, -1, 0, 0, 2]
    assert found.matrix[:, 1].tolist() == [3, 0, 1, 2, 2]
    assert found.categorical == (False, True)
    downwards = ranked_columns([FIRST.columns, SECOND.columns], FIRST.schema, ~higher)
    assert downwards.matrix[:, 0].tolist() == [1, -1, 2, 2, 0]


def test_unit_and_sign_make_no_difference() -> None:
    tables = [mixed_table(seed, 80) for seed in (1, 2)]
    higher = np.arange(160) >= 80
    before = ranked_columns([t.columns for t in tables], tables[0].schema, higher)
    for factor, offset in ((-1.0, 0.0), (8.0, 64.0), (-0.5, 3.0)):
        moved = [in_another_unit(t, factor, offset) for t in tables]
        after = ranked_columns([t.columns for t in moved], moved[0].schema, higher)
        assert np.array_equal(before.matrix, after.matrix)


def test_a_category_with_many_names_counts_as_a_number() -> None:
    wide = category("job", tuple(map(str, range(300))))
    table = table_of({"job": (wide, list(range(300)))})
    assert ranked_columns([table.columns], table.schema, np.zeros(300, bool)).categorical == (False,)


def test_rows_are_told_apart_where_they_differ() -> None:
    chance = np.random.default_rng(1)
    labels = np.arange(1200) % 2 == 0
    values = np.where(labels, chance.normal(0, 1, 1200), chance.normal(2, 1, 1200))
    table = table_of({"x": (number("x", -9, 9, None), values.tolist())})
    columns = ranked_columns([table.columns], table.schema, labels)
    learn, judge = np.arange(800), np.arange(800, 1200)
    for balanced in (False, True):
        scores = boosted_scores(columns, labels, learn, judge, balanced=balanced)
        area = area_under_curve(scores, labels[judge])
        # Normal laws two deviations apart allow 0.92.
        assert area is not None
        assert 0.85 < area < 0.96


def test_one_label_teaches_nothing() -> None:
    columns = ranked_columns([FIRST.columns], FIRST.schema, np.ones(3, bool))
    assert boosted_scores(columns, np.ones(3, bool), np.arange(2), np.arange(3)).tolist() == [0, 0, 0]


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

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Floats, Integers
from hushwood.attacks.search.released_rows import any_row, assign, different_draws
from hushwood.random_streams import Streams
from oracles.linkage import cheapest_total
from support.mixed_tables import mixed_table
from support.table_pairs import STREAMS


@pytest.mark.parametrize("picks", [1, 2, 3, 5])
def test_every_choice_is_equally_likely(picks: int) -> None:
    drawn = different_draws(5, picks, range(20_000), STREAMS, "test")
    choices = [tuple(row) for row in drawn.tolist()]
    expected = list(combinations(range(5), picks))
    assert set(choices) == set(expected)
    for choice in expected:
        assert choices.count(choice) == pytest.approx(20_000 / len(expected), rel=0.12)


def test_a_chooser_does_not_depend_on_the_others() -> None:
    many = different_draws(50, 4, range(100), STREAMS, "test")
    assert (different_draws(50, 4, range(30, 40), STREAMS, "test") == many[30:40]).all()


def test_nothing_to_choose_from() -> None:
    assert different_draws(0, 3, range(4), STREAMS, "test").shape == (4, 0)


def test_the_naive_guesser_draws_all_rows_evenly() -> None:
    released = mixed_table(1, 10)
    counts = np.bincount(any_row(5000, released, STREAMS).rows, minlength=10)
    assert len(counts) == 10
    assert counts.min() > 400
    assert not np.array_equal(
        any_row(50, released, STREAMS).rows, any_row(50, released, Streams(bytes(32))).rows
    )


def sorted_candidates(cost: Floats, k: int) -> tuple[Integers, Floats]:
    order = np.argsort(cost, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(cost, order, axis=1)


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(0, 2), st.booleans())
def test_the_total_is_the_smallest_of_all_ways(seed: int, targets: int, more: int, ties: bool) -> None:
    chance = np.random.default_rng(seed)
    rows = targets + more
    cost = chance.integers(0, 3, (targets, rows)) / 2 if ties else chance.random((targets, rows))
    got = assign(*sorted_candidates(cost, rows))
    assert len(set(got.tolist())) == targets
    total = float(cost[np.arange(targets), got].sum())
    assert total == pytest.approx(cheapest_total(cost.tolist()))


def test_as_many_candidates_as_targets_are_enough() -> None:
    from scipy.optimize import linear_sum_assignment

    cost = np.random.default_rng(3).random((40, 300)).round(2)
    got = assign(*sorted_candidates(cost, 40))
    lines, columns = linear_sum_assignment(cost)
    assert cost[np.arange(40), got].sum() == pytest.approx(cost[lines, columns].sum())


def test_a_near_miss_is_settled_by_the_other() -> None:
    cost = np.array([[0.1, 0.2], [0.15, 0.9]])
    assert np.argmin(cost, axis=1).tolist() == [0, 0]
    assert assign(*sorted_candidates(cost, 2)).tolist() == [1, 0]


def test_who_finds_no_row_of_its_own_keeps_the_best() -> None:
    cost = np.array([[0.1, 0.2], [0.2, 0.3], [0.0, 0.4]])
    got = assign(*sorted_candidates(cost, 2))
    assert sorted(got.tolist()) == [0, 0, 1]
    assert got[2] == 0
    crowd = assign(np.zeros((4, 1), np.int64), np.zeros((4, 1)))
    assert crowd.tolist() == [0, 0, 0, 0]


def test_costs_of_any_size_give_the_same() -> None:
    cost = np.random.default_rng(4).random((6, 9))
    candidates, prices = sorted_candidates(cost, 9)
    assert np.array_equal(assign(candidates, prices), assign(candidates, 1e6 * prices - 7e5))

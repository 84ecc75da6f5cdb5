"""Records as points, on tables that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from hushwood.measures.clusters import (
    FARTHEST,
    MOST_CATEGORIES,
    ClusterSpace,
    PairCounts,
    adjusted_rand,
    best_centres,
    f_measure,
    fowlkes_mallows,
    nearest,
    pair_counts,
    precision_and_recall,
    rand,
    starting_records,
)
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from oracles import clusters as oracle
from support.mixed_tables import category, mixed_table, number, table_of, target

ROWS = np.arange(4)
STREAMS = Streams(bytes(32))


def small(values: list[float], codes: list[int]) -> Table:
    classes = [0, 1] * (len(values) // 2)
    return table_of(
        {
            "x": (number("x", 0, 9), values),
            "c": (category("c", "ab"), codes),
            "k": (target("k", "no"), classes),
        }
    )


def test_numbers_in_deviations_and_categories_as_marks() -> None:
    """1, 1, 3 and 3 have mean 2 and deviation 1; b is the more frequent category, so it comes first."""
    table = small([1, 1, 3, 3], [1, 1, 0, -1])

    found = ClusterSpace.of(table, ROWS).points(table, ROWS)

    assert found.tolist() == [[-1, 1, 0, 0], [-1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]]


def test_another_table_is_put_into_the_same_space() -> None:
    space = ClusterSpace.of(small([1, 1, 3, 3], [1, 1, 0, 1]), ROWS)

    found = space.points(small([5, np.nan, 2, 1e300], [0, 0, 1, -1]), ROWS)

    assert found[:, 0].tolist() == [3, 0, 0, FARTHEST]
    assert found[:, 1:].tolist() == [[0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]


def test_numbers_of_any_size() -> None:
    table = small([1e308, -1e308, 1e308, -1e308], [0, 0, 0, 0])

    assert ClusterSpace.of(table, ROWS).points(table, ROWS)[:, 0] == pytest.approx([1, -1, 1, -1])


def test_columns_that_do_not_vary_have_no_place() -> None:
    space = ClusterSpace.of(mixed_table(1, 30), np.arange(30))

    assert set(space.numeric) == {"count", "price", "ratio"}
    assert set(space.categorical) == {"city", "job", "nothing"}


def test_rare_categories_share_a_place() -> None:
    names = [f"c{i}" for i in range(MOST_CATEGORIES + 10)]
    codes = [*range(len(names)), *range(MOST_CATEGORIES)]
    table = table_of({"c": (category("c", names), codes), "k": (target("k", "no"), [0] * len(codes))})
    rows = np.arange(len(codes))

    found = ClusterSpace.of(table, rows).points(table, rows)

    assert found.shape[1] == MOST_CATEGORIES + 2
    assert found.sum(axis=0).tolist() == [2] * MOST_CATEGORIES + [10, 0]


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_the_tightest_of_some_runs_by_plain_loops(seed: int, clusters: int) -> None:
    points = np.random.default_rng(seed).normal(size=(40, 3))
    begin = [points[rows] for rows in starting_records(points, clusters, 3, STREAMS)]

    runs = [oracle.lloyd(points.tolist(), start.tolist()) for start in begin]
    expected = min(runs, key=lambda run: run[1])[0]

    found = best_centres(points, begin)
    assert sorted(found.tolist()) == pytest.approx(np.array(sorted(map(list, expected))), abs=1e-9)
    assert nearest(points, found).tolist() == oracle.nearest(points.tolist(), found.tolist())


def test_starts_are_different_points_and_follow_the_key() -> None:
    points = np.repeat(np.eye(3), 5, axis=0)

    starts = starting_records(points, 5, 4, STREAMS)

    assert [len(np.unique(points[rows], axis=0)) for rows in starts] == [3] * 4
    again = starting_records(points, 5, 4, STREAMS)
    assert all(np.array_equal(one, other) for one, other in zip(starts, again, strict=True))
    others = starting_records(points, 5, 4, Streams(bytes(range(32))))
    assert any(one.tolist() != other.tolist() for one, other in zip(starts, others, strict=True))


def test_fewer_points_than_clusters_are_their_own_centres() -> None:
    points = np.array([[1.0, 2.0]])

    assert best_centres(points, [np.eye(2)]).tolist() == points.tolist()


def test_points_that_coincide_give_centres_that_do() -> None:
    found = best_centres(np.ones((9, 2)), [np.array([[0.0, 0.0], [1.0, 1.0], [5.0, 5.0]])])

    assert np.isfinite(found).all()
    assert len(np.unique(nearest(np.ones((9, 2)), found))) == 1


def test_without_columns_there_is_one_place() -> None:
    nothing = np.empty((4, 0))

    assert [rows.tolist() for rows in starting_records(nothing, 2, 3, STREAMS)] == [[0]]
    assert nearest(nothing, best_centres(nothing, [np.empty((2, 0))])).tolist() == [0, 0, 0, 0]


GROUPINGS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=2, max_size=25)


@given(GROUPINGS)
def test_counts_and_indices_equal_a_loop_over_pairs(records: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in records], [b for _, b in records]

    counts = pair_counts(np.array(first), np.array(second))

    assert counts == PairCounts(*oracle.pairs(first, second))
    assert adjusted_rand(counts) == pytest.approx(oracle.adjusted_rand(first, second))
    assert rand(counts) == pytest.approx(metrics.rand_score(first, second))
    assert adjusted_rand(counts) == pytest.approx(metrics.adjusted_rand_score(first, second))
    assert fowlkes_mallows(counts) == pytest.approx(metrics.fowlkes_mallows_score(first, second))
    assert -0.5 <= adjusted_rand(counts) <= 1


def test_by_hand() -> None:
    """Clusters {1, 2, 3}, {4}; classes {1, 2}, {3, 4}: one pair together in both, of three and of two."""
    counts = pair_counts(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))

    assert (counts.both, counts.only_first, counts.only_second, counts.neither) == (1, 2, 1, 2)
    assert precision_and_recall(counts) == pytest.approx((1 / 3, 1 / 2))
    assert f_measure(counts) == pytest.approx(0.4)
    assert f_measure(counts, weight=2.0) == pytest.approx(5 * (1 / 6) / (4 / 3 + 1 / 2))
    assert fowlkes_mallows(counts) == pytest.approx(math.sqrt(1 / 6))
    assert rand(counts) == 0.5


def test_one_record_makes_no_pair() -> None:
    counts = pair_counts(np.array([0]), np.array([3]))

    assert (counts.pairs, rand(counts), adjusted_rand(counts)) == (0, None, 1.0)
    assert f_measure(counts) == fowlkes_mallows(counts) == 0.0
    assert pair_counts(np.array([], int), np.array([], int)).pairs == 0


def test_more_pairs_than_64_bits_can_square() -> None:
    """A million records: their pairs squared do not fit, and must not wrap around."""
    half = np.repeat([0, 1], 500_000)
    counts = pair_counts(half, np.tile([0, 1], 500_000))

    assert counts.pairs == math.comb(10**6, 2)
    assert adjusted_rand(counts) == pytest.approx(0.0, abs=1e-5)
    assert adjusted_rand(pair_counts(half, half)) == 1.0

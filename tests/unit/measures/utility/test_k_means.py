"""k-means against Lloyd's rounds in plain loops, and its starts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.measures.utility.k_means import best_centres, nearest, starting_records
from hushwood.random_streams import Streams
from oracles import clusters as oracle

STREAMS = Streams(bytes(32))


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

"""Pairs of records in two groupings, against a loop over all pairs and against scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from hushwood.measures.clusters.pair_counts import (
    PairCounts,
    adjusted_rand,
    f_measure,
    fowlkes_mallows,
    pair_counts,
    precision_and_recall,
    rand,
)
from oracles import clusters as oracle

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

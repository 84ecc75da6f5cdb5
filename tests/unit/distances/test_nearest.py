from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.distances.coding import Coded, Scaling, code_pair
from hushwood.distances.kernels.blocks import BLOCK
from hushwood.distances.neighbours import nearest
from oracles.near_rows import distances as oracle_distances
from support.mixed_tables import mixed_table, plain_rows
from support.table_pairs import STREAMS

NAMES = ["count", "price", "ratio", "constant", "void", "city", "job", "nothing", "risk"]


def line(values: list[float]) -> Coded:
    return Coded(np.array([values], np.float32), np.empty((0, len(values)), np.int32), len(values))


def codes(*columns: list[int]) -> Coded:
    return Coded(np.empty((0, len(columns[0])), np.float32), np.array(columns, np.int32), len(columns[0]))


def test_points_on_a_line_by_hand() -> None:
    found = nearest(line([0.1, 0.6, 1.0]), line([0.0, 0.5, 0.9]), 2)
    assert found.rows.tolist() == [[0, 1], [1, 2], [2, 1]]
    np.testing.assert_allclose(found.distance, [[0.1, 0.4], [0.1, 0.3], [0.1, 0.5]], atol=1e-6)
    assert found.rows.dtype == np.int64
    assert found.distance.dtype == np.float32


def test_codes_by_hand() -> None:
    released = codes([0, 1, 2], [5, 5, 6], [7, 7, -1])
    found = nearest(codes([0, 2], [5, 9], [7, -1]), released, 3)
    assert found.rows.tolist() == [[0, 1, 2], [2, 0, 1]]
    np.testing.assert_allclose(found.distance, [[0, 1 / 3, 1], [1 / 3, 1, 1]], atol=1e-6)


def test_no_more_neighbours_than_records_and_none_of_none() -> None:
    found = nearest(line([0.5]), line([0.0, 0.4]), 9)
    assert found.rows.tolist() == [[1, 0]]
    assert nearest(line([0.5]), line([]), 3).rows.shape == (1, 0)
    assert nearest(line([]), line([0.5]), 3).rows.shape == (0, 1)


def test_without_words_ties_go_to_the_earlier_row() -> None:
    found = nearest(line([0.5] * 3), line([0.75, 0.25, 0.25, 0.75, 0.5]), 4)
    assert found.rows.tolist() == [[4, 0, 1, 2]] * 3


def test_without_attributes_all_are_equally_near() -> None:
    nothing = Coded(np.empty((0, 3), np.float32), np.empty((0, 3), np.int32), 3)
    found = nearest(nothing, nothing, 2)
    assert found.rows.tolist() == [[0, 1]] * 3
    assert found.distance.tolist() == [[0, 0]] * 3


def test_words_break_ties_differently_for_every_target_and_evenly() -> None:
    words = STREAMS.words("test", "ties", 0, range(4))
    found = nearest(codes([0] * 4000), codes([0] * 4), 2, words=words)
    for place in (0, 1):
        shares = Counter(found.rows[:, place].tolist())
        assert all(abs(shares[row] - 1000) < 150 for row in range(4))
    assert (found.rows[:, 0] != found.rows[:, 1]).all()
    pairs = Counter(map(tuple, found.rows.tolist()))
    assert len(pairs) == 12
    assert min(pairs.values()) > 230


def test_words_decide_nothing_but_ties() -> None:
    words = np.array([0, 2**64 - 1], np.uint64)
    assert nearest(line([0.4] * 50), line([0.9, 0.5]), words=words).rows.ravel().tolist() == [1] * 50


def test_equal_records_tie_exactly() -> None:
    """Rows apart by a block and by odd places, so that every way of summing up is met."""
    table = mixed_table(3, 1)
    one, other = code_pair(table.columns, mixed_table(4, 3 * BLOCK).columns, table.schema, NAMES)
    for place in (5, BLOCK - 1, BLOCK, 2 * BLOCK + 7, 3 * BLOCK - 1):
        other.numbers[:, place], other.codes[:, place] = other.numbers[:, 0], other.codes[:, 0]
    alike = nearest(other.take(np.array([0])), other, 6)
    assert alike.rows[0].tolist() == [0, 5, BLOCK - 1, BLOCK, 2 * BLOCK + 7, 3 * BLOCK - 1]
    everything = nearest(one, other, other.rows)
    same = [0, 5, BLOCK - 1, BLOCK, 2 * BLOCK + 7, 3 * BLOCK - 1]
    assert len(set(everything.distance[0][np.isin(everything.rows[0], same)].tolist())) == 1


@given(st.integers(0, 200), st.integers(1, 30), st.integers(1, 30), st.integers(1, 6))
def test_the_nearest_are_those_of_the_oracle(seed: int, targets: int, rows: int, k: int) -> None:
    one, other = mixed_table(seed, targets), mixed_table(seed + 1, rows)
    found = nearest(*code_pair(one.columns, other.columns, one.schema, NAMES), k)
    expected = np.array(oracle_distances(plain_rows(one), plain_rows(other), NAMES))
    np.testing.assert_allclose(found.distance, np.sort(expected, axis=1)[:, :k], atol=1e-5)
    np.testing.assert_allclose(np.take_along_axis(expected, found.rows, axis=1), found.distance, atol=1e-5)
    assert all(len(set(row)) == len(row) for row in found.rows.tolist())


@pytest.mark.parametrize("scaling", ["range", "rank"])
def test_many_blocks_and_threads_give_what_a_sort_gives(scaling: Scaling) -> None:
    one, other = mixed_table(8, 601), mixed_table(9, 2 * BLOCK + 333)
    targets, released = code_pair(one.columns, other.columns, one.schema, NAMES, scaling=scaling)
    single, several = (nearest(targets, released, 7, threads=threads) for threads in (1, 3))
    assert np.array_equal(single.rows, several.rows)
    for t in range(0, 601, 50):
        numbers = np.abs(targets.numbers[:, t, None].astype(float) - released.numbers).clip(max=1)
        total = numbers.sum(axis=0) + (targets.codes[:, t, None] != released.codes).sum(axis=0)
        assert single.rows[t].tolist() == np.argsort(total, kind="stable")[:7].tolist()
        np.testing.assert_allclose(single.distance[t], np.sort(total)[:7] / len(NAMES), rtol=1e-6)

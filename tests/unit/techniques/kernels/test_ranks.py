"""Ranks inside cells against plain counting and scipy; scores and products against numpy, cell by cell.

The stable sort against NumPy's.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from hushwood.arrays import Array
from hushwood.techniques.kernels.ranks import (
    column_products,
    counted_values,
    deal,
    mean_ranks,
    packed,
    score_columns,
    unit_columns,
)
from hushwood.techniques.kernels.sequential import RUN, stable_order
from oracles import correlations as oracle


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([-1.5, 0.0, 0.0, 2.0, 7.0])), max_size=40))
@settings(max_examples=80)
def test_ranks_with_ties_equal_the_oracle(rows: list[tuple[int, float]]) -> None:
    cell = np.array([c for c, _ in rows], np.int64)
    values = np.array([v for _, v in rows], float)
    order = np.lexsort((values, cell))
    start = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=5))])
    found = mean_ranks(values[order], order, start)
    for c in range(5):
        here = values[cell == c]
        assert found[cell == c].tolist() == oracle.mean_ranks(here.tolist())
        assert found[cell == c].tolist() == rankdata(here).tolist()


CELLS = np.array([0, 2, 2, 0, 2, 3, 0, 2, 3])


def test_scores_are_the_root_of_the_cell_times_the_frame() -> None:
    chance = np.random.default_rng(1)
    frame, fitted = chance.normal(size=(9, 3)), chance.normal(size=(9, 3))
    roots = np.tril(chance.normal(size=(4, 3, 3)))
    wanted = np.stack([roots[c] @ row for c, row in zip(CELLS, frame, strict=True)])
    np.testing.assert_allclose(score_columns(frame, roots, fitted[:0], CELLS), wanted.T, atol=1e-14)
    np.testing.assert_allclose(score_columns(frame, roots, fitted, CELLS), (wanted + fitted).T, atol=1e-14)


def test_products_of_unit_columns_are_the_correlations_of_every_cell() -> None:
    sizes = np.bincount(CELLS, minlength=4)
    start = np.concatenate([[0], np.cumsum(sizes)])
    values = 1e9 + np.random.default_rng(2).normal(size=(9, 2))
    values[CELLS == 0, 1] = 5.0
    in_order = np.empty((2, 9))
    unit = np.empty((2, 9))
    for j in range(2):
        order = np.lexsort((values[:, j], CELLS))
        in_order[j] = values[order, j]
        unit[j, order] = unit_columns(in_order, start)[j]
    found = column_products(unit, CELLS, 4)
    assert found[0] == pytest.approx(np.array([[1.0, 0.0], [0.0, 0.0]]))
    assert found[1].tolist() == [[0, 0], [0, 0]], "a cell without records"
    assert found[2] == pytest.approx(np.corrcoef(values[CELLS == 2].T), abs=1e-6)
    assert np.abs(found[3]) == pytest.approx(np.ones((2, 2)))


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-1.5, 0.0, 2.0])), min_size=1, max_size=30))
@settings(max_examples=60)
def test_values_are_counted_in_every_cell(rows: list[tuple[int, float]]) -> None:
    rows = sorted(rows)
    cell = np.array([c for c, _ in rows])
    start = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=4))])
    values, cells, share, upto = counted_values(np.array([v for _, v in rows]), start)
    assert list(zip(cells.tolist(), values.tolist(), strict=True)) == sorted(set(rows))
    for c, v, part, reached in zip(cells, values, share, upto, strict=True):
        here = [other for d, other in rows if d == c]
        assert part == here.count(v) / len(here)
        assert reached == c + sum(other <= v for other in here) / len(here)


def test_packed_scores_sort_by_cell_then_score_then_record() -> None:
    scores = np.array([0.3, -2.0, 0.3, 5.0, -2.0, 1e-9, 0.0])
    cell = np.array([1, 1, 0, 0, 1, 0, 0])
    keys = np.sort(packed(scores, cell, 52, 3))
    assert (keys & np.uint64(7)).tolist() == [6, 5, 2, 3, 1, 4, 0]
    out = np.empty(7)
    deal(np.arange(7.0), keys, 3, out)
    assert out.tolist() == [6, 4, 2, 3, 5, 1, 0]
    same = np.sort(packed(np.full(3, 0.1), np.zeros(3, np.int64), 40, 2))
    assert (same & np.uint64(3)).tolist() == [0, 1, 2]


def ordered(keys: Array, room: int = 0) -> list[int]:
    places = np.full((2, len(keys) + room), -1)
    stable_order(keys, places[0], places[1])
    return [int(place) for place in places[0, : len(keys)]]


@given(st.lists(st.integers(-3, 3).map(float), max_size=6 * RUN), st.integers(0, 3))
def test_equal_keys_keep_their_order(keys: list[float], room: int) -> None:
    given_keys = np.array(keys, np.float64)
    assert ordered(given_keys, room) == np.argsort(given_keys, kind="stable").tolist()


@pytest.mark.parametrize("size", [0, 1, RUN - 1, RUN, RUN + 1, 2 * RUN, 2 * RUN + 1, 1000])
def test_runs_of_every_length_are_merged(size: int) -> None:
    keys = np.random.default_rng(size).random(size)
    assert ordered(keys) == np.argsort(keys, kind="stable").tolist()
    assert ordered(np.sort(keys)[::-1].copy()) == list(range(size))[::-1]

"""The first principal score: against a singular value decomposition, with categories, gaps and nothing at all."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.distances.principal_score import principal_scores, thirds
from hushwood.tables.reading import read_table


def test_of_numbers_it_is_the_first_principal_component() -> None:
    rng = np.random.default_rng(1)
    base = rng.normal(size=200)
    columns = {
        "a": base + 0.3 * rng.normal(size=200),
        "b": -2 * base + rng.normal(size=200),
        "c": rng.normal(size=200),
    }
    scores = principal_scores(read_table(pl.DataFrame(columns)))
    matrix = np.stack([(v - v.mean()) / v.std() for v in columns.values()], axis=1)
    first = matrix @ np.linalg.svd(matrix, full_matrices=False)[2][0]
    assert abs(np.corrcoef(scores, first)[0, 1]) == pytest.approx(1.0, abs=1e-9)


def test_categories_that_go_together_are_told_apart_and_order_of_rows_does_not_matter() -> None:
    frame = pl.DataFrame({"a": ["x", "y"] * 50, "b": ["u", "v"] * 50, "n": [1.0, None] * 50})
    scores = principal_scores(read_table(frame))
    assert len(np.unique(scores)) == 2
    again = principal_scores(read_table(frame.reverse()))
    assert np.allclose(again[::-1], scores, atol=1e-8)


def test_where_nothing_differs_all_scores_are_zero_and_thirds_hold_a_third() -> None:
    assert principal_scores(read_table(pl.DataFrame({"a": [1, 1], "b": ["x", "x"]}))).tolist() == [0.0, 0.0]
    assert np.bincount(thirds(np.arange(9.0))).tolist() == [3, 3, 3]
    assert thirds(np.array([5.0, 5.0, 5.0])).tolist() == [0, 0, 0]

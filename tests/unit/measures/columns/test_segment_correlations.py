"""Correlations inside segments, against a loop over the segments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.columns.segment_correlations import SMALLEST, segment_changes
from oracles.associations import segment_change


def columns(draw: np.random.Generator, rows: int) -> list[np.ndarray]:
    made = [draw.integers(0, 6, rows).astype(float) for _ in range(3)]
    for values in made:
        values[draw.random(rows) < 0.1] = np.nan
    return made


def plain(values: list[np.ndarray]) -> list[list[float | None]]:
    return [[None if v != v else v for v in column.tolist()] for column in values]


@given(st.integers(0, 10**6))
def test_equals_a_loop_over_segments(seed: int) -> None:
    draw = np.random.default_rng(seed)
    before, after = columns(draw, 70), columns(draw, 70)
    segments = draw.choice([3, 8, 20, 21], 70, p=[0.5, 0.3, 0.1, 0.1])

    found = segment_changes(before, after, segments)

    expected = segment_change(plain(before), plain(after), segments.tolist(), SMALLEST)
    assert (found["mean_change"] if found else None) == pytest.approx(expected)


def test_opposite_trends_inside_segments_are_seen() -> None:
    """The whole table keeps its correlation of 0, but each segment's turns round."""
    rising = np.arange(20.0)
    before = [np.tile(rising, 2), np.concatenate([rising, -rising])]
    after = [before[0], np.concatenate([-rising, rising])]

    found = segment_changes(before, after, np.repeat([0, 1], 20))

    assert found is not None
    assert found["mean_change"] == pytest.approx(2.0)
    assert found["largest_change"] == pytest.approx(2.0)
    assert (found["segments"], found["records"]) == (2, 40)


def test_a_column_that_became_constant_has_lost_its_correlation() -> None:
    rising = np.arange(20.0)

    found = segment_changes([rising, rising], [rising, np.zeros(20)], np.zeros(20, int))

    assert found is not None
    assert found["mean_change"] == pytest.approx(1.0)


def test_small_segments_single_columns_and_constants_say_nothing() -> None:
    rising = np.arange(9.0)

    assert segment_changes([rising, rising], [rising, rising], np.zeros(9, int)) is None
    assert segment_changes([np.arange(20.0)], [np.arange(20.0)], np.zeros(20, int)) is None
    assert segment_changes([np.zeros(20)] * 2, [np.arange(20.0)] * 2, np.zeros(20, int)) is None

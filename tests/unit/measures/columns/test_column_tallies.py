"""Moments and counts of batches against those of the whole column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.columns.column_tallies import MomentTally, NumberCounts

VALUES = st.lists(st.lists(st.one_of(st.none(), st.integers(-50, 50)), max_size=6), min_size=1, max_size=6)


def arrays(batches: list[list[int | None]]) -> list[np.ndarray]:
    return [np.array([np.nan if v is None else v for v in batch], np.float64) for batch in batches]


@given(VALUES)
def test_moments_of_batches_are_those_of_the_column(batches: list[list[int | None]]) -> None:
    parts = arrays(batches)
    values = np.concatenate(parts)
    there = values[~np.isnan(values)]
    tally = MomentTally()
    for part in parts:
        tally.merge(MomentTally.of(part))

    mean, sd = tally.mean_and_sd()

    assert mean == (None if not len(there) else pytest.approx(there.mean()))
    assert sd == (None if len(there) < 2 else pytest.approx(there.std(ddof=1), abs=1e-9))
    assert tally.missing == pytest.approx(np.isnan(values).mean() if len(values) else 0.0)


def test_batches_of_very_different_size_keep_their_digits() -> None:
    tally = MomentTally()
    for part in (np.full(3, 7.0), np.array([1e60, -1e60]), np.full(3, 7.0)):
        tally.merge(MomentTally.of(part))
    same = MomentTally.of(np.full(2, 0.1))
    same.merge(MomentTally.of(np.full(3, 0.1)))

    whole = np.array([7.0, 7, 7, 1e60, -1e60, 7, 7, 7])
    assert tally.mean_and_sd()[1] == pytest.approx(whole.std(ddof=1))
    assert same.mean_and_sd() == (0.1, 0.0)


@given(VALUES)
def test_numbers_are_counted_in_any_batches(batches: list[list[int | None]]) -> None:
    parts = arrays(batches)
    counts = NumberCounts(most=1000)
    for part in parts:
        counts.merge(NumberCounts.of(part))
    counts.settle()

    whole = NumberCounts.of(np.concatenate(parts))

    assert counts.values.tolist() == whole.values.tolist()
    assert counts.counts.tolist() == whole.counts.tolist()
    assert counts.missing == whole.missing
    assert not counts.overfull


def test_too_many_different_numbers_are_given_up() -> None:
    counts = NumberCounts(most=5)
    counts.merge(NumberCounts.of(np.arange(4.0)))
    counts.settle()
    so_far = [counts.overfull]
    for more in (np.arange(3.0, 7.0), np.arange(2.0)):
        counts.merge(NumberCounts.of(more))
        counts.settle()
        so_far.append(counts.overfull)

    assert so_far == [False, True, True]
    assert len(counts.values) == 0

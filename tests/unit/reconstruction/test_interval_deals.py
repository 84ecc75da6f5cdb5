from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.reconstruction import AddedNoise
from hushwood.reconstruction.interval_deals import by_counts, dealt, dealt_by_group
from shaped_samples import shaped, shares

EDGES = np.array([0.0, 1.0, 2.0, 4.0])


def test_by_hand() -> None:
    values = np.array([3.0, -1.0, 9.0, 2.0, 2.5])
    limits = by_counts(values, np.array([0.4, 0.0, 0.6]), EDGES)
    assert limits.tolist() == [4.0, 1.0, 4.0, 1.0, 4.0]


@given(st.lists(st.floats(-9, 9), max_size=30), st.lists(st.integers(0, 5), min_size=3, max_size=3))
def test_as_many_as_asked_and_in_order(values: list[float], weights: list[int]) -> None:
    probabilities = (np.array(weights) + 1e-9) / (sum(weights) + 3e-9)
    limits = by_counts(np.array(values), probabilities, EDGES)
    assert set(limits.tolist()) <= {1.0, 2.0, 4.0}
    order = np.argsort(values, kind="stable")
    assert (np.diff(limits[order]) >= 0).all()
    counts = np.array([(limits == limit).sum() for limit in EDGES[1:]])
    assert np.abs(counts - probabilities * len(values)).max() <= 1.0


def test_without_noise_every_value_gets_its_own_interval() -> None:
    values = shaped("bimodal", 300, 1)
    edges = np.linspace(0, 1, 6)
    limits = dealt(values, AddedNoise(0.0), edges, "bayes")
    np.testing.assert_array_equal(limits, edges[1:][np.minimum((values * 5).astype(int), 4)])


def test_groups_are_dealt_apart_and_missing_values_stay() -> None:
    values = np.concatenate([shaped("triangle", 400, 1), 0.2 * shaped("triangle", 400, 2), [np.nan]])
    groups = np.array([0] * 400 + [1] * 400 + [0])
    edges = np.linspace(0, 1, 6)
    limits = dealt_by_group(values, groups, AddedNoise(0.0), edges, "em")
    assert np.isnan(limits[-1])
    assert np.mean(limits[400:800] == edges[1]) == pytest.approx(1.0)
    np.testing.assert_allclose(
        [np.mean(limits[:400] == limit) for limit in edges[1:]], shares(values[:400], edges), atol=0.01
    )

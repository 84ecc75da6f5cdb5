"""Segments as data, and expected changes of class."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.segments.segments import Segments, expected_changes


def test_sizes_count_records_and_know_empty_segments() -> None:
    segments = Segments(np.array([2, 0, 2, 2], np.int32), 4, {}, {}, {})
    assert segments.sizes.tolist() == [1, 0, 3, 0]


def changes(*counts: int) -> float:
    codes = np.repeat(np.arange(len(counts)), counts)
    (found,) = expected_changes(codes, np.zeros(len(codes), int)).tolist()
    return float(found)


def test_two_classes_give_the_thesis_formula() -> None:
    """Errata A3: m = 5, n = 2 gives 2 · 5 · 2 / 7; m = n = 1 gives 1."""
    assert changes(5, 2) == pytest.approx(20 / 7)
    assert changes(1, 1) == 1


def test_three_classes_count_changes_between_minorities() -> None:
    """Errata A6: 6.545, where 2mn/(m+n) would say 5.454."""
    assert changes(6, 3, 2) == pytest.approx(6.545, abs=5e-4)


def test_homogeneous_segments_change_nothing() -> None:
    assert changes(9) == 0
    assert changes(0, 4) == 0


def test_missing_classes_count_as_a_value() -> None:
    found = expected_changes(np.array([-1, 0, 0, -1]), np.array([0, 0, 1, 1]))
    assert found.tolist() == [1, 1]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 3)), min_size=1, max_size=40))
def test_any_table_as_by_hand(cells: list[tuple[int, int]]) -> None:
    ids, codes = np.array([s for s, _ in cells]), np.array([c for _, c in cells])
    wanted = []
    for segment in range(int(ids.max()) + 1):
        counts = Counter(c for s, c in cells if s == segment)
        size = sum(counts.values())
        wanted.append(size - sum(n * n for n in counts.values()) / size if size else 0.0)
    np.testing.assert_allclose(expected_changes(codes, ids), wanted, atol=1e-12)

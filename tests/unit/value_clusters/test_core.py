"""CORE against the oracle, and on the correlations that the thesis prints."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.value_clusters.core import Core, core, correlations
from oracles import record_clusters as oracle
from support.record_rows import SPAN, Row, everything, found, numbers, row_lists, shares, tuples_of


@given(row_lists(9), shares(), st.integers(1, 4))
@settings(max_examples=60)
def test_it_equals_the_oracle(rows: list[Row], delta: float, k: int) -> None:
    clusters = core(tuples_of(rows), Core(delta, k))
    assert found(clusters) == oracle.core(rows, delta, k)


@given(row_lists(6), shares(), st.integers(1, 4))
@settings(max_examples=30)
def test_it_labels_like_the_oracle(rows: list[Row], delta: float, k: int) -> None:
    clusters = core(tuples_of(rows), Core(delta, k))
    others = everything(rows)[::3]
    wanted = [oracle.label_by_correlation(row, rows, found(clusters)) for row in others]
    assert clusters.labelled(numbers(others)).tolist() == wanted


@given(row_lists())
def test_correlations_equal_the_oracle(rows: list[Row]) -> None:
    dense = correlations(tuples_of(rows)).toarray()
    values = [(a, v) for a in range(len(rows[0])) for v in range(5)]
    for a, v in values:
        for b, w in values:
            expected = float(oracle.correlation(rows, (a, v), (b, w)))
            assert dense[SPAN * a + v, SPAN * b + w] == pytest.approx(expected)


def test_correlations_of_the_thesis() -> None:
    """Figure 6.2: two records have a1 and b1, a third has one of them. Figure 6.3: a1 only ever with b1, in a third."""
    first = correlations(tuples_of([(1, 1, 1), (2, 2, 2), (1, 1, 2), (2, 1, 1)])).toarray()
    assert first[1, SPAN + 1] == pytest.approx(2 / 3)
    assert (first[1, 1], first[1, 2]) == (1, 0)
    second = correlations(tuples_of([(1, 1, 1), (2, 1, 2), (2, 1, 1), (2, 2, 2)])).toarray()
    assert second[1, SPAN + 1] == pytest.approx(1 / 3)


def test_values_found_together_attract() -> None:
    """Correlation of 0 and 0 is 3 / 4; (0, 0) with (0, 1): (1 + 1/4 + 3/4 + 0) / 4 = 1/2; with (2, 2): 0."""
    rows = [(0, 0)] * 3 + [(0, 1), (2, 2)]
    tuples = tuples_of(rows)
    assert found(core(tuples, Core(delta=0.49, k=1))) == {(0, 0): 0, (0, 1): 0, (2, 2): 1}
    assert len(set(found(core(tuples, Core(delta=0.5, k=1))).values())) == 3
    assert len(set(found(core(tuples, Core(delta=0.0, k=3))).values())) == 3


def test_correlations_are_those_of_all_records() -> None:
    """Only two records are clustered, but the others correlate 0 and 0 by 3 / 11, a quarter of which is the mean."""
    rows = [(0, 1)] * 4 + [(1, 0)] * 4 + [(0, 0)] * 3
    clusters = core(tuples_of(rows), Core(delta=0.06, k=1, tuples=2))
    assert found(clusters) == {(0, 1): 0, (1, 0): 0}
    without = core(tuples_of(rows[:8]), Core(delta=0.06, k=1, tuples=2))
    assert found(without) == {(0, 1): 0, (1, 0): 1}


def test_parameters_are_checked() -> None:
    wrong: list[dict[str, Any]] = [{"delta": -0.1}, {"delta": 1.5}, {"k": 0}, {"tuples": 1}]
    for one in wrong:
        with pytest.raises(InputError, match=f"{next(iter(one))} of CORE"):
            Core(**one)

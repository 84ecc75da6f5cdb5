"""COOLCAT against the oracle and by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.value_clusters.coolcat import Coolcat, coolcat
from oracles import record_clusters as oracle
from support.record_rows import SPAN, Row, everything, found, numbers, row_lists, shares, tuples_of


@given(row_lists(20), st.integers(2, 5), st.integers(1, 8), shares())
def test_it_equals_the_oracle(rows: list[Row], k: int, batch: int, again: float) -> None:
    clusters = coolcat(tuples_of(rows), Coolcat(k, batch, again))
    wanted, members = oracle.coolcat(rows, k, batch, again)
    assert found(clusters) == wanted
    assert clusters.size.tolist() == [len(records) for records in members]
    others = everything(rows)
    labels = [oracle.least_entropy(members, [row]) for row in others]
    assert clusters.labelled(numbers(others)).tolist() == labels


def test_it_starts_with_the_pair_of_largest_entropy() -> None:
    """Errata C5: (0, 0, 0) is the most frequent record, but no pair with it differs in all attributes."""
    rows = [(0, 0, 0)] * 4 + [(0, 1, 1), (1, 0, 2), (1, 1, 0)]
    clusters = coolcat(tuples_of(rows), Coolcat(k=2))
    assert oracle.entropy([(0, 1, 1), (1, 0, 2)]) == 3
    assert (found(clusters)[0, 1, 1], found(clusters)[1, 0, 2]) == (0, 1)


def test_the_next_start_is_far_from_all() -> None:
    """(0, 2) is nearer to the first start than (2, 2), which shares nothing with either."""
    rows = [(0, 0), (1, 1), (0, 2), (2, 2)]
    clusters = found(coolcat(tuples_of(rows), Coolcat(k=3)))
    assert (clusters[0, 0], clusters[1, 1], clusters[2, 2]) == (0, 1, 2)


def test_counts_are_those_of_the_clusters() -> None:
    rows = [(0, 0)] * 3 + [(1, 1)] * 2 + [(0, 2)]
    clusters = coolcat(tuples_of(rows), Coolcat(k=2))
    assert found(clusters) == {(0, 0): 0, (1, 1): 1, (0, 2): 0}
    assert clusters.size.tolist() == [4, 2]
    assert (clusters.counts[0, 0], clusters.counts[0, SPAN], clusters.counts[0, SPAN + 2]) == (4, 3, 1)
    assert clusters.counts.sum() == 2 * len(rows)


def test_what_fits_badly_is_placed_again() -> None:
    """(0, 0) and (1, 2) start; (2, 1) is equally far and joins the first, (2, 2) the second.

    (2, 1) fits worse, 1/2 · 1/2 against 1/2 · 1. Back in the first it would add 2 · 2 bits, to the second now only
    3 · 2 · 0.918 - 2 · 1 = 3.51.
    """
    tuples = tuples_of([(0, 0), (1, 2), (2, 1), (2, 2)])
    assert found(coolcat(tuples, Coolcat(2, 2, 0.4)))[2, 1] == 0
    assert found(coolcat(tuples, Coolcat(2, 1, 1)))[2, 1] == 0
    assert found(coolcat(tuples, Coolcat(2, 2, 0.5)))[2, 1] == 1


def test_of_equal_fits_the_later_record_is_placed_again() -> None:
    """(1, 1) and (2, 1) join (0, 1) and fit it by 1/3 · 1; alone again, (1, 1) would go to (1, 2)."""
    tuples = tuples_of([(0, 1), (1, 2), (1, 1), (2, 1)])
    assert found(coolcat(tuples, Coolcat(2, 2, 0.5))) == {(0, 1): 0, (1, 2): 1, (1, 1): 0, (2, 1): 0}


def test_parameters_are_checked() -> None:
    wrong: list[dict[str, Any]] = [{"k": 1}, {"batch": 0}, {"again": -0.1}, {"again": 1.5}, {"tuples": 1}]
    for one in wrong:
        with pytest.raises(InputError, match=f"{next(iter(one))} of COOLCAT"):
            Coolcat(**one)

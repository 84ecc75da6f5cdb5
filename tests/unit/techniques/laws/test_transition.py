from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.techniques.laws.redraw import (
    MOST_ENTRIES,
    check_entries,
    checked_matrix,
    checked_probability,
    shares_within,
    spread,
)
from support.transition_tables import coded_table, segmented

TABLE, SEGMENTS = coded_table([0, 0, 2, -1, 1, 1], 3), segmented([0, 0, 0, 0, 1, 1])


def test_shares_of_segments_and_of_the_table() -> None:
    """Missing is code 3 of width 4."""
    inside = shares_within(TABLE, "x", SEGMENTS, "segment")
    assert inside.keys.tolist() == [0, 2, 3, 5]
    assert inside.probability.tolist() == [0.5, 0.25, 0.25, 1]
    whole = shares_within(TABLE, "x", SEGMENTS, "table")
    assert whole.keys.tolist() == [0, 1, 2, 3]
    assert whole.probability == pytest.approx(np.array([2, 2, 1, 1]) / 6)


def test_values_can_be_spread_evenly() -> None:
    shares = shares_within(TABLE, "x", SEGMENTS, "segment")
    even = spread(shares, "equal")
    assert even.keys.tolist() == shares.keys.tolist()
    assert even.probability == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])
    assert spread(shares, "frequency") is shares


def test_rows_that_nearly_sum_to_one_are_made_to() -> None:
    found = checked_matrix("x", [[0.3, 0.7 + 1e-12], [1 / 3, 2 / 3]])
    assert (found.sum(axis=1) == 1).all()


def test_large_matrices_are_refused() -> None:
    check_entries("x", MOST_ENTRIES)
    with pytest.raises(InputError, match="4,000,001 entries, more than 4,000,000; give a probability"):
        check_entries("x", MOST_ENTRIES + 1)


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_probabilities_pass(value: float) -> None:
    assert checked_probability("p", value) == value


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf")])
def test_others_do_not(value: float) -> None:
    with pytest.raises(InputError, match="chance must be between 0 and 1"):
        checked_probability("chance", value)

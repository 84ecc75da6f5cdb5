from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.techniques.laws.groupings import by_segment, coded, whole_table
from hushwood.techniques.laws.redraw import (
    MOST_ENTRIES,
    Distributions,
    RedrawLaw,
    check_entries,
    checked_matrix,
    checked_probability,
    shares_within,
    spread,
)
from support.transition_tables import coded_table, segmented


def distributions() -> Distributions:
    """Group 0: a 1/4, c 3/4; group 2: b 1; group 5: a 1/2, b 1/2 (of codes a, b, c, missing)."""
    groups, codes = [0, 0, 2, 5, 5, 0], [0, 2, 1, 1, 0, 2]
    return Distributions.from_weights(np.array(groups), np.array(codes), np.array([1, 1, 9, 2, 2, 2]), 4)


def test_weights_add_up_and_sum_to_one() -> None:
    found = distributions()
    assert found.keys.tolist() == [0, 2, 9, 20, 21]
    assert found.probability.tolist() == [0.25, 0.75, 1, 0.5, 0.5]
    assert found.cumulative.tolist() == [0.25, 1, 3, 5.5, 6]


def test_probability_of_cells_that_are_there_and_of_others() -> None:
    found = distributions().of(np.array([0, 0, 1, 2, 5, 9]), np.array([2, 1, 0, 1, 1, 3]))
    assert found.tolist() == [0.75, 0, 0, 1, 0.5, 0]


def test_weightless_cells_are_left_out() -> None:
    found = Distributions.from_weights(np.array([0, 0]), np.array([1, 2]), np.array([0, 3]), 4)
    assert found.keys.tolist() == [2]


@pytest.mark.parametrize("u", [2.0**-54, 0.1, 0.5, 0.9, 1 - 2.0**-53])
def test_draws_never_leave_their_group(u: float) -> None:
    """Not even at the ends, where group + u is rounded to a whole number."""
    found = distributions().draw(np.array([0, 2, 5]), np.full(3, u))
    assert found[0] in {0, 2}
    assert found[1] == 1
    assert found[2] in {0, 1}


@given(st.floats(2.0**-54, 1 - 2.0**-53), st.sampled_from([0, 7, 10**6, 2**40]))
def test_draws_of_far_groups_stay_there_too(u: float, group: int) -> None:
    near = (
        Distributions.from_weights(np.array([0, group + 1, group + 1]), np.array([0, 1, 2]), np.ones(3), 4)
        if group <= 10**6
        else None
    )
    if near is not None:
        assert near.draw(np.array([group + 1]), np.array([u]))[0] in {1, 2}
        assert near.draw(np.array([0]), np.array([u]))[0] == 0


def test_draws_follow_the_distribution_function() -> None:
    u = (np.arange(1000) + 0.5) / 1000
    found = distributions().draw(np.zeros(1000, int), u)
    assert (found == 0).sum() == 250
    assert (found == 2).sum() == 750


def test_missing_is_the_last_code() -> None:
    assert coded(np.array([0, -1, 2]), 4).tolist() == [0, 3, 2]


def test_groups() -> None:
    assert by_segment({}, np.array([3, 1], np.int32)).tolist() == [3, 1]
    assert whole_table({}, np.array([3, 1])).tolist() == [0, 0]


def redraw_law(change: float) -> RedrawLaw:
    drawn = Distributions.from_weights(np.zeros(4, int), np.arange(4), np.array([1, 2, 3, 4]), 4)
    return RedrawLaw("x", drawn, np.array([change]), whole_table, "RC")


class EvenStreams:
    """Streams whose numbers are evenly spread, so that draws can be counted."""

    def uniform(
        self, purpose: str, name: str, draw: int, rows: range
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.asarray((np.arange(len(rows)) + 0.5) / len(rows))


@pytest.mark.parametrize("original", [0, 1, 2, -1])
@pytest.mark.parametrize("change", [0.0, 0.3, 1.0, float("nan")])
def test_evenly_spread_numbers_give_exactly_the_law(original: int, change: float) -> None:
    rows, law = 10_000, redraw_law(change)
    columns, ids = {"x": np.full(rows, original, np.int32)}, np.zeros(rows, int)
    drawn = law.sample(columns, ids, range(rows), EvenStreams())["x"]  # type: ignore[arg-type]
    assert drawn.dtype == np.int32
    values = np.array([0, 1, 2, -1])
    share = [(drawn == value).mean() for value in values]
    wanted = np.exp(law.log_prob({"x": np.full(4, original)}, {"x": values}, np.zeros(4, int)))
    np.testing.assert_allclose(share, wanted, atol=2e-4)
    assert wanted.sum() == pytest.approx(1)


def test_a_value_alone_in_its_group_stays() -> None:
    alone = Distributions.from_weights(np.array([0]), np.array([1]), np.array([1]), 4)
    law = RedrawLaw("x", alone, np.array([1.0]), whole_table, "RC")
    columns = {"x": np.array([1, 1])}
    assert law.sample(columns, np.zeros(2, int), range(2), EvenStreams())["x"].tolist() == [1, 1]  # type: ignore[arg-type]
    assert law.log_prob(columns, {"x": np.array([1, 0])}, np.zeros(2, int)).tolist() == [0, -np.inf]


@pytest.mark.parametrize("original", [0, 1, 2, -1])
def test_every_value_may_have_its_own_probability_of_change(original: int) -> None:
    """Codes 0, 1 and 2 go to each other in proportion to 1, 2 and 3; missing is none of them and stays."""
    drawn = Distributions.from_weights(np.zeros(3, int), np.arange(3), np.array([1, 2, 3]), 4)
    law = RedrawLaw("x", drawn, np.array([0.1, 0.5, 1.0]), whole_table, "PRAM", by_value=True)
    values = np.array([0, 1, 2, -1])
    found = np.exp(law.log_prob({"x": np.full(4, original)}, {"x": values}, np.zeros(4, int)))
    rows = {0: [0.9, 0.04, 0.06, 0.0], 1: [0.125, 0.5, 0.375, 0.0], 2: [1 / 3, 2 / 3, 0.0, 0.0]}
    assert found.tolist() == pytest.approx(rows.get(original, [0.0, 0.0, 0.0, 1.0]))
    many = {"x": np.full(10_000, original, np.int32)}
    sample = law.sample(many, np.zeros(10_000, int), range(10_000), EvenStreams())["x"]  # type: ignore[arg-type]
    np.testing.assert_allclose([(sample == value).mean() for value in values], found, atol=2e-4)


def test_described_is_plain_data() -> None:
    for change in (0.5, float("nan")):
        plain = redraw_law(change).described()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain


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

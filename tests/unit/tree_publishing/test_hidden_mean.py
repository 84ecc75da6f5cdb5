"""The number that stands for an untested column: near the mean, in the domain, and of little use to an intruder."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tree_publishing.hidden_mean import EPSILON, hidden_mean
from mixed_tables import number

DRAWS = 2_000
STREAMS = [Streams(i.to_bytes(32, "big")) for i in range(DRAWS)]
PAY = number("pay", 0, 100, None)


def draws(values: Sequence[float], attribute: Attribute = PAY) -> NDArray[np.float64]:
    """What many releases of the same column tell."""
    known = np.array(values, float)
    return np.array([hidden_mean(known, attribute, streams) for streams in STREAMS])


def test_one_record_changes_no_answer_by_more_than_the_factor_promised() -> None:
    """The same nine people with a tenth who has the least or the most: how often each answer comes up."""
    without, with_most = (np.histogram(draws([50] * 9 + [x]), 10, (0, 100))[0] for x in (0, 100))
    most = math.exp(EPSILON)
    for ours, theirs in ((without, with_most), (with_most, without)):
        # Four standard errors of a count and of the bound.
        slack = 4 * (np.sqrt(ours + 1) + most * np.sqrt(theirs + 1))
        assert (ours <= most * theirs + slack).all()
    assert (without != with_most).any()


def test_two_releases_do_not_give_the_person_who_is_in_one_of_them() -> None:
    """n·m - (n - 1)·m' was the person's pay to the last digit; now it misses by more than the domain is wide."""
    people = [40.0, 55, 61, 30, 70, 45, 52, 66, 58]
    guesses = 10 * draws([*people, 97.0]) - 9 * draws(people)[::-1]
    assert np.median(np.abs(guesses - 97)) > 100


def test_the_number_is_near_the_mean_of_a_large_table() -> None:
    values = np.tile(np.arange(101.0), 100)
    found = [hidden_mean(values, PAY, streams) for streams in STREAMS[:200]]
    assert np.abs(np.array(found) - 50).max() < 100 * 2 / len(values) * 12


@pytest.mark.parametrize("values", [[0.0], [100.0], [0.0, 100.0], [3.0] * 50])
def test_the_number_stays_in_the_domain_and_piles_up_at_neither_end(values: list[float]) -> None:
    found = draws(values)
    assert ((found >= 0) & (found <= 100)).all()
    assert (found == 0).mean() < 0.02
    assert (found == 100).mean() < 0.02


@pytest.mark.parametrize(
    ("attribute", "step"),
    [(number("x", 0, 100), 1.0), (number("x", 0, 100, 1), 0.1), (number("x", 0, 100, None), 0.1)],
)
def test_the_number_lies_on_a_grid(attribute: Attribute, step: float) -> None:
    """The noise is 20 here, so a column without decimals of its own has steps of 0.1."""
    found = draws([10.0, 20, 30, 40, 60, 70, 80, 90, 10, 20], attribute)[:200] / step
    assert np.abs(found - np.rint(found)).max() < 1e-6
    assert len(set(found)) > 20


def test_single_precision_is_kept() -> None:
    found = hidden_mean(np.array([0, 0.5, 0.125]), Attribute("x", "numeric", storage="Float32"), STREAMS[0])
    assert found == float(np.float32(found))


def test_ends_of_the_data_are_the_domain_where_none_is_declared() -> None:
    found = draws([10.0, 11, 20, 20], Attribute("x", "numeric", storage="Date", precision=0))
    assert (found.min(), found.max()) == (10, 20)


def test_constants_and_gaps() -> None:
    assert hidden_mean(np.array([7.0, 7.0]), Attribute("x", "numeric", low=7.0, high=7.0), STREAMS[0]) == 7
    assert math.isnan(hidden_mean(np.array([]), PAY, STREAMS[0]))


def test_very_large_numbers_do_not_overflow() -> None:
    found = draws([-1e70, 1e70], Attribute("x", "numeric", low=-1e70, high=1e70))[:100]
    assert np.isfinite(found).all()
    assert len(set(found.tolist())) > 50

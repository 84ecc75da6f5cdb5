"""Which attribute wins, from gains and split information that can be divided in the head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from hushwood.trees.c45.nodes import NONE, choose
from hushwood.trees.options import GrowOptions


def winner(
    gain: Sequence[float], info: Sequence[float], averaged: Sequence[bool] | None = None, **options: Any
) -> int:
    """The attribute that a single node tests."""
    counted = np.ones(len(gain), bool) if averaged is None else np.array(averaged)
    chosen = choose(np.array(gain)[:, None], np.array(info)[:, None], counted, GrowOptions(**options))
    return int(chosen[0])


def test_a_gain_below_the_average_cannot_win_by_its_ratio() -> None:
    # Ratios .4, 1 and .6; the mean gain is .267, so the second is out.
    gain, info = [0.4, 0.1, 0.3], [1.0, 0.1, 0.5]
    assert winner(gain, info) == 2
    assert winner(gain, info, criterion="information_gain") == 0


def test_a_gain_just_below_the_average_still_counts() -> None:
    # The mean is .2; .1991 is within a thousandth of it, .1989 is not.
    assert winner([0.2009, 0.1991], [1.0, 0.5]) == 1
    assert winner([0.2011, 0.1989], [1.0, 0.5]) == 0


def test_many_valued_attributes_are_left_out_of_the_average() -> None:
    # Mean .25 without the first and .467 with it; ratios .45, .2 and .6.
    gain, info = [0.9, 0.2, 0.3], [2.0, 1.0, 0.5]
    assert winner(gain, info, [False, True, True]) == 2
    assert winner(gain, info, [True, True, True]) == 0


def test_without_anything_to_average_no_attribute_is_good_enough() -> None:
    assert winner([0.9, -1.0], [1.0, 0.0], [False, True]) == NONE


def test_what_the_minimum_leaf_barred_neither_wins_nor_counts() -> None:
    # Mean .25 of the two that are left (an average with -1 would let the second in); ratios .4 and .3.
    assert winner([-1.0, 0.2, 0.3], [1.0, 0.5, 1.0]) == 2
    assert winner([-1.0, -1.0], [1.0, 1.0]) == NONE


@pytest.mark.parametrize(
    ("lead", "variant", "expected"),
    [(0.0, "c45", 0), (1e-11, "c45", 0), (1e-7, "c45", 1), (1e-7, "j48", 0), (1e-5, "j48", 1)],
)
def test_ties_go_to_the_first(lead: float, variant: str, expected: int) -> None:
    assert winner([0.25, 0.25 + lead], [1.0, 1.0], variant=variant) == expected


def test_too_little_split_information_bars_a_ratio_but_not_gini() -> None:
    gain, info = [0.3, 0.3], [1e-4, 1.0]
    assert winner(gain, info) == 1
    assert winner(gain, info, variant="j48") == 0
    assert winner(gain, info, criterion="gini") == 0


def test_every_node_of_a_level_chooses_for_itself() -> None:
    gain = np.array([[0.5, 0.1, -1.0], [0.1, 0.5, -1.0]])
    chosen = choose(gain, np.ones((2, 3)), np.ones(2, bool), GrowOptions())
    assert chosen.tolist() == [0, 1, NONE]


def test_a_useless_test_is_taken_by_c45_only() -> None:
    assert winner([0.0], [1.0]) == 0
    assert winner([0.0], [1.0], variant="j48") == NONE

"""Gain ratios of every cut of two to four records."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np
import pytest

from hushwood.trees.kernels.records import cut_ratios


def cuts(ranks: list[int], classes: list[int], least: float = 1.0, weights: Any = None) -> Any:
    """Ranks beside each cut, and the ratios."""
    rows = np.arange(len(ranks), dtype=np.int32)
    share = np.ones(len(ranks)) if weights is None else np.array(weights)
    codes, labels = np.array(ranks, np.int32), np.array(classes, np.uint16)
    below, above, ratio = cut_ratios(codes, labels, rows, share, max(ranks) + 1, 2, least, share)
    return list(zip(below.tolist(), above.tolist(), strict=True)), ratio


def test_every_cut_has_its_plain_ratio() -> None:
    where, ratio = cuts([0, 1, 2, 3], [0, 0, 1, 1])
    # a | abb: three records with H(1/3) are left, and the information is H(1/4).
    outer = (1 - 0.75 * (log2(3) - 2 / 3)) / (2 - 0.75 * log2(3))
    assert where == [(0, 1), (1, 2), (2, 3)]
    assert ratio == pytest.approx([outer, 1.0, outer])


def test_each_side_must_hold_the_least_weight() -> None:
    assert cuts([0, 1, 2, 3], [0, 0, 1, 1], least=2)[0] == [(1, 2)]
    assert cuts([0, 1, 2, 3], [0, 0, 1, 1], least=2, weights=[0.5, 1, 1, 1])[0] == []


def test_unknown_values_are_a_part_of_the_information() -> None:
    # Gain 2/4; information of parts 1, 1 and 2 out of 4.
    where, ratio = cuts([0, 1, -1, -1], [0, 1, 0, 1])
    assert (where, ratio.tolist()) == ([(0, 1)], pytest.approx([0.5 / 1.5]))


def test_ranks_without_records_are_passed_over() -> None:
    assert cuts([0, 3, 3], [0, 1, 1])[0] == [(0, 3)]


def test_one_value_leaves_nothing_to_cut() -> None:
    assert cuts([2, 2], [0, 1])[0] == []


def test_only_the_given_rows_count() -> None:
    codes, labels = np.array([0, 1, 2, 3], np.int32), np.array([0, 1, 0, 1], np.uint16)
    rows, weights = np.array([0, 3], np.int32), np.ones(2)
    below, above, ratio = cut_ratios(codes, labels, rows, weights, 4, 2, 1.0, weights)
    assert (below.tolist(), above.tolist(), ratio.tolist()) == ([0], [3], [1.0])

"""The loops of routing on trees of three and four nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Codes
from hushwood.trees.kernels.records import collect, route

NAN = float("nan")


def ints(*values: int) -> Codes:
    return np.array(values, np.int32)


def routed(values: list[float], threshold: float, branches: Codes, missing_to: int) -> list[int]:
    """The leaves below a root that tests the only column, categorically if the threshold is no number."""
    nodes = int(branches.max()) + 1
    leaves = np.full(len(values), -9, np.int32)
    attribute = np.full(nodes, -1)
    attribute[0] = 0
    thresholds = np.full(nodes, NAN)
    thresholds[0] = threshold
    start = np.full(nodes + 1, len(branches))
    start[0] = 0
    away = np.full(nodes, -1, np.int32)
    away[0] = missing_to
    matrix = np.array(values)[:, None]
    route(matrix, attribute, np.isfinite(thresholds), thresholds, start, branches, away, leaves)
    return leaves.tolist()


def collected(matrix: Any, branches: Codes, share: list[float], own: Any) -> Any:
    """Class distributions below a root that tests the first column categorically."""
    nodes = len(own)
    attribute, start = np.full(nodes, -1, np.int32), np.full(nodes + 1, len(branches))
    attribute[0], start[0] = 0, 0
    out = np.zeros((len(matrix), 2))
    numeric, threshold = np.zeros(nodes, bool), np.full(nodes, NAN)
    children, first = np.unique(branches, return_index=True)
    of_branch = np.zeros(len(branches))
    of_branch[first] = np.array(share)[children]
    collect(np.array(matrix), attribute, numeric, threshold, start, branches, of_branch, own, out)
    return out


def test_a_value_on_the_threshold_goes_below() -> None:
    assert routed([1.9, 2.0, 2.1], 2.0, ints(1, 2), 1) == [1, 1, 2]


def test_infinite_values_are_values() -> None:
    assert routed([-np.inf, np.inf], 2.0, ints(1, 2), 1) == [1, 2]


def test_a_missing_number_follows_missing_to() -> None:
    assert routed([NAN, 0.0], 2.0, ints(1, 2), 2) == [2, 1]


def test_missing_and_unseen_categories_follow_missing_to() -> None:
    assert routed([0.0, 1.0, 2.0, 3.0, -1.0], NAN, ints(1, 2, 1), 2) == [1, 2, 1, 2, 2]


def test_a_known_value_brings_the_whole_leaf() -> None:
    own = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]])
    found = collected([[0.0], [1.0]], ints(1, 2), [0.0, 0.6, 0.4], own)
    assert found.tolist() == [[1, 0], [0.25, 0.75]]


def test_an_unknown_value_brings_shares_and_a_shared_child_once() -> None:
    own = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]])
    found = collected([[-1.0], [9.0], [NAN]], ints(1, 2, 2), [0.0, 0.6, 0.4], own)
    assert found.tolist() == [pytest.approx([0.7, 0.3])] * 3


def test_a_child_without_a_share_is_passed_over() -> None:
    own = np.array([[0.5, 0.5], [1.0, 0.0], [0.5, 0.5], [0.0, 1.0]])
    found = collected([[-1.0]], ints(1, 2, 3), [0.0, 0.75, 0.0, 0.25], own)
    assert found.tolist() == [[0.75, 0.25]]

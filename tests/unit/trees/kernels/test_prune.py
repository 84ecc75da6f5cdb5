"""Expected errors and the pruning of one subtree, on leaves that Quinlan's book works out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.trees.forest import LEAF
from hushwood.trees.kernels.prune import Estimate, Nodes, Records, Trial, extra_errors, prune_subtree
from oracles import see5_pruning

# Release 8 interpolates a deviate of .6925 for a confidence of 25 %.
C45 = Estimate(0.25, 0.6925**2, False, 1e-9, 0.0, True, False)
J48 = C45._replace(j48=True)


@pytest.mark.parametrize(
    ("weight", "errors", "expected"),
    [(6, 0, 1.2378), (9, 0, 1.2848), (1, 0, 0.75), (16, 1, 1.5069), (168, 15, 3.2962), (10, 2, 1.5477)],
)
def test_extra_errors_of_quinlans_leaves(weight: float, errors: float, expected: float) -> None:
    assert extra_errors(float(weight), float(errors), C45) == pytest.approx(expected, abs=5e-5)


def test_between_no_error_and_one_lies_the_middle() -> None:
    middle = (extra_errors(16.0, 0.0, C45) + extra_errors(16.0, 1.0, C45)) / 2
    assert extra_errors(16.0, 0.5, C45) == pytest.approx(middle)


def test_a_leaf_that_is_nearly_all_wrong() -> None:
    assert extra_errors(4.0, 3.6, C45) == pytest.approx(0.67 * 0.4)
    assert extra_errors(4.0, 3.6, J48) == pytest.approx(0.4)
    assert extra_errors(0.0, 0.0, C45) == 0


@pytest.mark.parametrize(
    ("weight", "errors"),
    [(0.9, 0.0), (0.7, 0.3), (0.9, 0.3), (5.0, 0.3), (5.0, 0.99995), (5.0, 2.0), (3.0, 2.6)],
)
def test_see5_interpolates_in_leaves_of_more_than_one_record(weight: float, errors: float) -> None:
    wanted = see5_pruning.extra_errors(weight, errors, 0.25)
    assert extra_errors(weight, errors, C45._replace(see5=True)) == pytest.approx(wanted, rel=1e-12)


def pruned(sizes: list[tuple[int, int]], forced: bool = False, below_done: bool = False) -> Any:
    """A root that tests a category, a branch for every (a, b) pair of class counts, after pruning."""
    branches, size = len(sizes), len(sizes) + 1
    counts = np.array([[sum(a for a, _ in sizes), sum(b for _, b in sizes)], *sizes], np.float64)
    attribute, first = np.full(size, LEAF), np.full(size, -1)
    attribute[0], first[0] = 0, 1
    children = np.zeros(size, np.int64)
    children[0] = branches
    held = np.zeros(size, bool)
    held[0] = forced
    nodes = Nodes(
        attribute, np.full(size, -1), np.full(size, np.nan), first, children, counts, np.zeros(size), held
    )
    codes = np.repeat(np.arange(branches, dtype=np.int32), [a + b for a, b in sizes])
    classes = np.concatenate([np.repeat(np.array([0, 1], np.uint16), pair) for pair in sizes])
    trial = Trial(
        np.zeros((size, 2)), np.zeros(size, bool), np.zeros(size, np.int64), np.zeros(size), np.zeros(2)
    )
    rows = np.arange(len(codes), dtype=np.int32)
    prune_subtree(0, rows, below_done, nodes, Records(codes[None, :], classes), C45, trial)
    return nodes


def test_three_pure_leaves_are_worth_less_than_one() -> None:
    # 1.2378 + 1.2848 + .75 errors are to be expected of the leaves, 2.5069 of a single one.
    nodes = pruned([(6, 0), (9, 0), (0, 1)])
    assert nodes.attribute[0] == LEAF
    assert nodes.errors[0] == pytest.approx(2.5069, abs=5e-5)


def test_a_good_test_stays_with_the_errors_of_its_leaves() -> None:
    nodes = pruned([(6, 0), (0, 9)])
    assert nodes.attribute[0] == 0
    assert nodes.errors[0] == pytest.approx(1.2378 + 1.2848, abs=1e-4)


def test_a_forced_test_stays() -> None:
    nodes = pruned([(6, 0), (9, 0), (0, 1)], forced=True)
    assert nodes.attribute[0] == 0
    assert nodes.errors[0] == pytest.approx(1.2378 + 1.2848 + 0.75, abs=1e-4)


def test_subtrees_that_are_done_are_trusted() -> None:
    # Their errors were left at 0, so that the leaves look better than they are.
    nodes = pruned([(6, 0), (9, 0), (0, 1)], below_done=True)
    assert (nodes.attribute[0], nodes.errors[0]) == (0, 0.0)

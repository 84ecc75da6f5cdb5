"""Which nodes See5's global pruning takes first: a root with three inner children, each of two leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.trees.kernels.see5 import State, Walk, cheapest, cut_globally

ROOT, FIRST, SECOND, THIRD = range(4)
# Children first, the root last; all places before it are its own.
WALK = Walk(np.array([FIRST, SECOND, THIRD, ROOT]), np.array([0, 1, 2, 0]))


def state(extras: list[float], leaves: list[int], root: float = 100.0) -> Any:
    """Errors that a leaf in place of every child would add, and how many leaves the children have."""
    errors = np.array([30.0, 10.0, 10.0, 10.0])
    return State(
        np.ones(4, bool),
        np.ones(4, bool),
        errors + np.array([root, *extras]),
        errors,
        np.array([sum(leaves), *leaves]),
        np.array([-1, ROOT, ROOT, ROOT]),
    )


def taken(extras: list[float], leaves: list[int], budget: float = 50.0, root: float = 100.0) -> list[int]:
    """The nodes in the tied set."""
    found = np.zeros(4, np.int64)
    size = cheapest(WALK, state(extras, leaves, root), budget, found)
    return [int(WALK.nodes[place]) for place in found[:size]]


@pytest.mark.parametrize(
    ("extras", "leaves", "nodes"),
    [
        ([3, 2, 4], [2, 2, 2], [SECOND]),
        ([1, 2, 1], [3, 2, 3], [FIRST, THIRD]),
        ([2, 2, 9], [4, 4, 2], [SECOND]),
        ([7, 7, 70], [11, 11, 2], [FIRST]),
        ([60, 60, 60], [2, 2, 2], []),
        ([1, 1, 1], [1, 1, 2], [THIRD]),
    ],
    ids=[
        "the cheapest",
        "equal costs of 0.5 are ties",
        "a later cost of 2/3 counts as smaller",
        "a later cost of 0.7 counts as larger",
        "none within the budget",
        "a single leaf saves nothing",
    ],
)
def test_the_cheapest_nodes(extras: list[float], leaves: list[int], nodes: list[int]) -> None:
    assert taken(extras, leaves) == nodes


def test_a_parent_as_cheap_as_its_children_takes_their_place() -> None:
    assert taken([1, 1, 1], [3, 3, 3], root=4.0) == [ROOT]
    assert taken([0, 0, 0], [2, 2, 2], root=1.0) == [FIRST, SECOND, THIRD]


def test_a_node_that_must_stay_is_passed_over() -> None:
    held = state([1, 2, 3], [2, 2, 2])
    held.free[FIRST] = False
    found = np.zeros(4, np.int64)
    assert (cheapest(WALK, held, 50.0, found), WALK.nodes[found[0]]) == (1, SECOND)


@pytest.mark.parametrize(
    ("budget", "cut"),
    [
        (0.0, []),
        (1.9, []),
        (2.0, [SECOND]),
        (4.9, [SECOND]),
        (5.0, [FIRST, SECOND]),
        (9.0, [FIRST, SECOND, THIRD]),
    ],
)
def test_as_long_as_the_budget_lasts(budget: float, cut: list[int]) -> None:
    found = state([3, 2, 4], [2, 2, 2])
    cut_globally(WALK, found, budget)
    assert np.flatnonzero(~found.inner).tolist() == cut
    assert found.leaves[ROOT] == 6 - len(cut)
    assert found.errors[ROOT] == 30 + sum([3, 2, 4][node - 1] for node in cut)


def test_what_is_below_a_cut_node_is_gone() -> None:
    found = state([9, 9, 9], [2, 2, 2], root=3.0)
    cut_globally(WALK, found, 30.0)
    assert not found.inner.any()
    assert found.errors[ROOT] == 33

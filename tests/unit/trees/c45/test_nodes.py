"""Expected errors, collapsing and pruning; the loops themselves are tested in `kernels/test_prune`.

Which attribute wins, from gains and split information that can be divided in the head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array
from hushwood.trees.c45.growth import grow_levels
from hushwood.trees.c45.nodes import (
    NONE,
    RECORDS_FOR_THREADS,
    GrownNodes,
    choose,
    collapse,
    estimated_errors,
    prune,
)
from hushwood.trees.forest import LEAF
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import TrainingSet
from oracles import c45_pruning as oracle
from support.mixed_tables import category, number


@pytest.mark.parametrize(
    ("weight", "errors", "expected"),
    [(6, 0, 1.2378), (9, 0, 1.2848), (1, 0, 0.75), (16, 1, 2.5069), (168, 15, 18.2962), (10, 2, 3.5477)],
)
def test_quinlans_table_of_deviations(weight: float, errors: float, expected: float) -> None:
    assert estimated_errors(weight, errors, 0.25, "c45") == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("weight", "errors", "expected"),
    [(6, 0, 1.2378), (9, 0, 1.2848), (1, 0, 0.75), (16, 1, 2.4757), (168, 15, 18.2183), (10, 2, 3.5186)],
)
def test_exact_normal_quantile_of_j48(weight: float, errors: float, expected: float) -> None:
    assert estimated_errors(weight, errors, 0.25, "j48") == pytest.approx(expected, abs=5e-5)


def test_nearly_all_wrong() -> None:
    assert estimated_errors(4, 3.6, 0.25, "c45") == pytest.approx(3.6 + 0.67 * 0.4)
    assert estimated_errors(4, 3.6, 0.25, "j48") == pytest.approx(4)


def test_an_empty_leaf_makes_no_errors() -> None:
    assert estimated_errors(0, 0, 0.25, "c45") == 0
    assert estimated_errors(0, 0, 0.25, "j48") == 0


@given(
    quarters=st.integers(1, 4000),
    part=st.fractions(0, 1, max_denominator=40),
    confidence=st.sampled_from([0.001, 0.01, 0.07, 0.1, 0.25, 0.33, 0.4, 0.45, 0.5]),
    variant=st.sampled_from(["c45", "j48"]),
)
def test_like_the_oracle(quarters: int, part: float, confidence: float, variant: str) -> None:
    weight = quarters / 4
    errors = float(weight * part)
    wanted = oracle.estimated_errors(weight, errors, confidence, variant)
    assert estimated_errors(weight, errors, confidence, variant) == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def grown(counts: list[list[float]], forced: bool = False) -> GrownNodes:
    """A root with two leaves."""
    return GrownNodes(
        np.array([0, LEAF, LEAF]),
        np.array([0, -1, -1]),
        np.array([1.0, np.nan, np.nan]),
        np.array([1, -1, -1]),
        np.array(counts),
        np.array([forced, False, False]),
    )


@pytest.mark.parametrize(
    ("counts", "forced", "root"),
    [
        ([[6, 2], [4, 1], [2, 1]], False, LEAF),
        ([[6, 2], [4, 1], [2, 1]], True, 0),
        ([[6, 2], [6, 0], [0, 2]], False, 0),
    ],
    ids=["saves nothing", "saves nothing but is forced", "saves two"],
)
def test_collapse(counts: list[list[float]], forced: bool, root: int) -> None:
    collapsed = collapse(grown(counts, forced), np.array([2, 0, 0]), GrowOptions())
    assert collapsed.attribute[0] == root


def quinlans_node() -> tuple[TrainingSet, GrownNodes]:
    """Sixteen records in branches of six, nine and one; the last is of another class."""
    codes, classes = np.repeat([0, 1, 2], [6, 9, 1]), np.repeat([0, 1], [15, 1])
    training = TrainingSet.from_columns([category("c", "pqr")], [codes], classes, ("a", "b"))
    return training, grow_levels(training, GrowOptions(min_leaf=1), 1)


def test_a_subtree_becomes_a_leaf_and_the_one_given_is_left_alone() -> None:
    training, nodes = quinlans_node()
    assert nodes.attribute.tolist() == [0, LEAF, LEAF, LEAF]
    done = prune(nodes, np.array([3, 0, 0, 0]), training, GrowOptions())
    assert done.attribute.tolist() == [LEAF] * 4
    assert nodes.attribute[0] == 0


def large_training() -> TrainingSet:
    """120,000 records whose class follows two numbers, and often chance, which a tree learns from a category."""
    chance = np.random.default_rng(5)
    first, second = chance.integers(0, 1000, (2, 120_000)).astype(float)
    turned = chance.random(120_000) < np.where(second > 500, 0.1, 0.45)
    classes = np.where(first > 400, second > 700, second > 200) ^ turned
    attributes = [
        number("first", 0, 999),
        number("second", 0, 999),
        category("noise", [str(i) for i in range(300)]),
    ]
    columns: list[Array] = [first, second, chance.integers(0, 300, 120_000)]
    return TrainingSet.from_columns(attributes, columns, classes.astype(np.int32), ("a", "b"))


def test_threads_do_not_matter_on_a_large_table() -> None:
    training, options = large_training(), GrowOptions(min_leaf=20)
    nodes = grow_levels(training, options, 2)
    branches = np.where(nodes.attribute == LEAF, 0, training.branches[nodes.attribute])
    assert training.records >= RECORDS_FOR_THREADS
    assert nodes.cut[0] >= 0
    one, two = (prune(nodes, branches, training, options, threads) for threads in (1, 2))
    assert 2 < (one.attribute != LEAF).sum() < (nodes.attribute != LEAF).sum()
    for ours, theirs in zip(astuple(one), astuple(two), strict=True):
        np.testing.assert_array_equal(ours, theirs)


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

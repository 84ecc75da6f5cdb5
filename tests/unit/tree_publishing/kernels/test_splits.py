"""Scores of splits against the formulas, and the scans of nodes small enough to check by eye."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tree_publishing.kernels import splits as kernels
from hushwood.tree_publishing.kernels.splits import (
    ABSENT,
    GAIN_RATIO,
    GINI,
    INFORMATION_GAIN,
    LEFT,
    RIGHT,
    VARIANCE,
)
from hushwood.trees.c45.nodes import x_log_x
from hushwood.trees.kernels.records import ROW_BITS

CLASS_CRITERIA = (INFORMATION_GAIN, GAIN_RATIO, GINI)
NO_KEYS = np.empty(0)
COUNTS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=4)


def entropy(counts: Sequence[float]) -> float:
    return sum(-c / sum(counts) * log2(c / sum(counts)) for c in counts if c)


def gini(counts: Sequence[float]) -> float:
    return 1 - sum((c / sum(counts)) ** 2 for c in counts)


def gain(criterion: int, left: Sequence[float], right: Sequence[float]) -> float:
    """Textbook gain of parting records per class into two."""
    measure = gini if criterion == GINI else entropy
    sizes, n = (sum(left), sum(right)), sum(left) + sum(right)
    whole = measure([a + b for a, b in zip(left, right, strict=True)])
    found = whole - sizes[0] / n * measure(left) - sizes[1] / n * measure(right)
    return found / entropy(sizes) if criterion == GAIN_RATIO else found


def score(criterion: int, left: Sequence[float], total: Sequence[float], n_left: int, n: int) -> float:
    return float(
        kernels.split_score(np.array(left, float), np.array(total, float), n_left, n, criterion, x_log_x(n))
    )


@given(COUNTS, COUNTS)
def test_differences_of_scores_are_those_of_the_formulas(
    one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    """A score leaves out what all splits of a node have in common, so two splits of one node are compared."""
    total = [a + b for a, b in one]
    other_left = [min(a, t) for (a, _), t in zip(other + [(0, 0)] * 4, total, strict=False)]
    parts = [([a for a, _ in one], total), (other_left, total)]
    if any(sum(left) in (0, sum(total)) for left, _ in parts):
        return
    n = sum(total)
    for criterion, unit in ((INFORMATION_GAIN, n), (GINI, n), (GAIN_RATIO, 1)):
        scores = [score(criterion, left, total, sum(left), n) / unit for left, _ in parts]
        gains = [
            gain(criterion, left, [t - c for t, c in zip(total, left, strict=True)]) for left, _ in parts
        ]
        assert scores[0] - scores[1] == pytest.approx(gains[0] - gains[1], abs=1e-9)


def test_the_score_of_a_ratio_is_the_ratio() -> None:
    assert score(GAIN_RATIO, [4, 0], [4, 4], 4, 8) == pytest.approx(1)
    assert score(GAIN_RATIO, [2, 0], [4, 4], 2, 8) == pytest.approx(gain(GAIN_RATIO, [2, 0], [2, 4]))


def test_the_score_of_the_variance_orders_splits_by_the_variance_that_is_left() -> None:
    response = np.array([1.0, 2, 4, 8, 16, 32])
    scores, left_over = [], []
    for cut in range(1, 6):
        scores.append(score(VARIANCE, [response[:cut].sum()], [response.sum()], cut, 6))
        left_over.append(cut * response[:cut].var() + (6 - cut) * response[cut:].var())
    squares = float((response**2).sum())
    assert scores == pytest.approx([squares - rest for rest in left_over])


def test_equal_partitions_have_equal_scores_to_the_last_bit() -> None:
    assert score(INFORMATION_GAIN, [3, 1], [7, 9], 4, 16) == score(INFORMATION_GAIN, [3, 1], [7, 9], 4, 16)
    for criterion in CLASS_CRITERIA:
        assert score(criterion, [3, 0], [3, 3], 3, 6) == score(criterion, [0, 3], [3, 3], 3, 6)


def total_of(response: Sequence[float], criterion: int) -> Any:
    width = 1 if criterion == VARIANCE else int(max(response)) + 1
    total = np.zeros(width)
    rows = np.arange(len(response), dtype=np.int32)
    kernels.node_total(rows, np.array(response, float), criterion, total)
    return total


def test_a_node_counts_its_own_records_per_class_or_adds_up_their_responses() -> None:
    rows, response = np.array([3, 0, 2, 1], np.int32), np.array([0.0, 1, 1, 2])
    total = np.zeros(3)
    kernels.node_total(rows[1:], response, GINI, total)
    assert total.tolist() == [1, 2, 0]
    added = np.zeros(1)
    kernels.node_total(rows[:3], response, VARIANCE, added)
    assert added.tolist() == [3]


def test_a_node_counts_the_records_of_its_categories() -> None:
    rows, codes = np.array([3, 0, 2, 1], np.int32), np.array([1, 0, 1, 2], np.int32)
    held, sizes = np.zeros((3, 2)), np.zeros(3, np.int64)
    kernels.value_totals(rows[:3], codes, np.array([0.0, 1, 1, 0]), GINI, held, sizes)
    assert held.tolist() == [[0, 0], [1, 1], [1, 0]]
    assert sizes.tolist() == [0, 2, 1]


def cut_of(
    values: Sequence[int], response: Sequence[float], criterion: int, min_leaf: int = 1
) -> tuple[int, int]:
    """The ranks beside the best cut of one node that holds all records."""
    ranks = np.array(values, np.int64)
    rows = np.argsort(ranks, kind="stable")
    _, below, above = kernels.scan_numbers(
        (ranks[rows] << ROW_BITS) | rows,
        np.array(response, float),
        total_of(response, criterion),
        min_leaf,
        criterion,
        x_log_x(len(ranks)),
    )
    return int(below), int(above)


@pytest.mark.parametrize("criterion", CLASS_CRITERIA)
def test_the_cut_parts_the_classes(criterion: int) -> None:
    assert cut_of([0, 1, 1, 5, 6, 6], [0, 0, 0, 1, 1, 1], criterion) == (1, 5)


def test_of_equal_cuts_the_first_wins() -> None:
    """a | b b | a: both cuts leave the same."""
    assert cut_of([0, 1, 2, 3], [0, 1, 1, 0], INFORMATION_GAIN) == (0, 1)
    assert cut_of([0, 1, 2, 3], [5, 9, 9, 5], VARIANCE) == (0, 1)


def test_equal_values_are_never_parted() -> None:
    """Between the third and fourth record would be best, but they are equal."""
    assert cut_of([0, 1, 2, 2, 3], [0, 0, 0, 1, 1], GINI) == (1, 2)
    assert cut_of([4, 4, 4], [0, 1, 1], GINI) == (-1, -1)


@pytest.mark.parametrize(("min_leaf", "cut"), [(1, (0, 1)), (2, (1, 2)), (3, (2, 3)), (4, (-1, -1))])
def test_both_sides_have_at_least_min_leaf_records(min_leaf: int, cut: tuple[int, int]) -> None:
    assert cut_of([0, 1, 2, 3, 4, 5], [0, 1, 1, 1, 1, 1], INFORMATION_GAIN, min_leaf) == cut


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=2, max_size=25), st.integers(1, 4))
def test_the_best_of_all_cuts_is_found(records: list[tuple[int, int]], min_leaf: int) -> None:
    values, response = [v for v, _ in records], [float(c) for _, c in records]
    if max(response) == 0:
        return
    total, n = total_of(response, GINI), len(records)
    best: tuple[float, tuple[int, int]] = (-np.inf, (-1, -1))
    distinct = sorted(set(values))
    for below, above in pairwise(distinct):
        left = [sum(v <= below and r == c for v, r in records) for c in range(len(total))]
        if min(sum(left), n - sum(left)) >= min_leaf:
            found = score(GAIN_RATIO, left, total, sum(left), n)
            best = max(best, (found, (below, above)), key=lambda one: one[0])
    assert cut_of(values, response, GAIN_RATIO, min_leaf) == best[1]


def parting(
    codes: Sequence[int],
    response: Sequence[float],
    criterion: int,
    *,
    categories: int,
    min_leaf: int = 1,
    fixed: Any = NO_KEYS,
) -> tuple[float, int, list[int]]:
    """Score, records on the left, and the side of every category."""
    sides = np.empty(categories, np.uint8)
    rows = np.arange(len(codes), dtype=np.int32)
    found, left = kernels.scan_values(
        rows,
        np.array(codes, np.int32),
        np.asarray(fixed, float),
        np.array(response, float),
        total_of(response, criterion),
        min_leaf,
        criterion,
        x_log_x(len(codes)),
        sides,
    )
    return float(found), int(left), sides.tolist()


def test_categories_are_taken_in_the_order_of_the_last_class_share() -> None:
    """Shares of class 1: 2/2, 0/2, 1/2; the first two cuts are equally good, so the lower one wins."""
    _, left, sides = parting([0, 0, 1, 1, 2, 2], [1, 1, 0, 0, 0, 1], GINI, categories=3)
    assert (left, sides) == (2, [RIGHT, LEFT, RIGHT])


def test_categories_that_the_node_lacks_are_marked() -> None:
    _, left, sides = parting([3, 3, 1, 1], [1, 1, 0, 0], INFORMATION_GAIN, categories=5)
    assert (left, sides) == (2, [ABSENT, LEFT, ABSENT, RIGHT, ABSENT])


def test_categories_of_equal_share_are_never_parted() -> None:
    """Shares 1/3, 1/3, 1: with three records in a leaf only the cut inside the equal pair would be left."""
    codes, response = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 0, 1, 0, 1, 1]
    assert parting(codes, response, GINI, categories=3)[1:] == (6, [LEFT, LEFT, RIGHT])
    found, left, _ = parting(codes, response, GINI, categories=3, min_leaf=3)
    assert (found, left) == (-np.inf, 0)


def test_one_category_cannot_be_parted() -> None:
    assert parting([1, 1], [0, 1], GINI, categories=2)[0] == -np.inf


@pytest.mark.parametrize(
    ("criterion", "classes"),
    [(INFORMATION_GAIN, 2), (GINI, 2), (VARIANCE, 12)],
    ids=["entropy", "gini", "variance"],
)
@given(data=st.data())
def test_the_parting_is_the_best_of_all_subsets(criterion: int, classes: int, data: st.DataObject) -> None:
    """Two classes, or a number to predict, and both sides of any size: none of the up to 127 partings is better."""
    width = data.draw(st.integers(2, 8))
    records = data.draw(
        st.lists(st.tuples(st.integers(0, width - 1), st.integers(0, classes - 1)), min_size=2, max_size=24)
    )
    codes, response = [c for c, _ in records], [float(r) for _, r in records]
    present = sorted(set(codes))
    if len(present) < 2 or len(set(response)) < 2:
        return
    total, best = total_of(response, criterion), -np.inf
    for size in range(1, len(present)):
        for chosen in combinations(present, size):
            inside = [r for c, r in zip(codes, response, strict=True) if c in chosen]
            left = [sum(inside)] if criterion == VARIANCE else [inside.count(c) for c in range(len(total))]
            best = max(best, score(criterion, left, total, len(inside), len(codes)))
    found, n_left, sides = parting(codes, response, criterion, categories=width)
    if found == -np.inf:  # all categories have the same key: no parting gains anything
        shares = {np.mean([r for c, r in zip(codes, response, strict=True) if c == code]) for code in present}
        assert max(shares) - min(shares) < 1e-12
        return
    assert found == pytest.approx(best, rel=1e-12)
    assert n_left == sum(sides[c] == LEFT for c in codes)
    assert {sides[c] for c in present} == {LEFT, RIGHT}


def test_fixed_keys_order_all_categories_also_absent_ones() -> None:
    """Keys .1 .9 .5 .3; the node has categories 0, 1 and 2 and is cut behind .5: the absent .3 goes left with it."""
    keys = [0.1, 0.9, 0.5, 0.3]
    _, left, sides = parting([0, 0, 2, 2, 1, 1], [0, 0, 0, 0, 1, 1], GAIN_RATIO, categories=4, fixed=keys)
    assert (left, sides) == (4, [LEFT, RIGHT, LEFT, LEFT])


def test_with_fixed_keys_only_neighbours_are_grouped() -> None:
    """Category 1 would be best alone, but stands between the others."""
    codes, response = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 0, 0]
    assert parting(codes, response, GINI, categories=3)[2] == [LEFT, RIGHT, LEFT]
    assert parting(codes, response, GINI, categories=3, fixed=[0.1, 0.2, 0.3])[2] == [LEFT, RIGHT, RIGHT]


def test_records_are_marked_by_rank_or_by_side() -> None:
    rows, goes = np.array([2, 0, 3, 1], np.int32), np.zeros(4, bool)
    assert kernels.mark_numbers(rows[:3], np.array([4, 0, 5, 6], np.int32), 4, goes) == 1
    assert goes.tolist() == [True, False, False, False]
    sides = np.array([RIGHT, LEFT], np.uint8)
    assert kernels.mark_values(rows, np.array([1, 0, 1, 1], np.int32), sides, goes) == 3
    assert goes.tolist() == [True, False, True, True]

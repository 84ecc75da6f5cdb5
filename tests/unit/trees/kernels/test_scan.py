"""Packed orders and the scans of one node of six records, worked out by hand.

Upper entropy: by hand, against pouring, and against any other place for the mass. The scan that looks at few cuts,
against one that compares every cut in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, inf, log2
from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Floats, Integers
from hushwood.trees.c45.nodes import x_log_x
from hushwood.trees.kernels import scan as scan_kernels
from hushwood.trees.kernels.scan import (
    SMALLEST_GAP,
    Found,
    Level,
    Rule,
    pack_order,
    reach_of_ranks,
    upper_spread,
)
from hushwood.trees.kernels.scan_counts import scan_complete
from oracles.credal import upper_entropy

AAABBB = (0, 0, 0, 1, 1, 1)
NO_TABLE = np.empty(0)


def level(classes: Sequence[int], weights: Any = NO_TABLE) -> Any:
    """One node that holds all records."""
    counts = np.bincount(classes, minlength=2).astype(np.float64)[None, :]
    rows = np.arange(len(classes), dtype=np.int32)
    start = np.array([0, len(classes)])
    return Level(start, rows, weights, np.array(classes, np.uint16), counts, counts.sum(axis=1))


def rule(min_leaf: float = 2, gini: bool = False, both_sides: bool = True) -> Any:
    return Rule(float(min_leaf), 1e-9, 1e-10, both_sides, gini, 1)


def nothing_found() -> Any:
    return Found(np.array([-1.0]), np.zeros(1), np.array([-1]), np.array([-1]))


def categorical(codes: Sequence[int], classes: Sequence[int], min_leaf: float = 2, gini: bool = False) -> Any:
    """Gain and split information with all weights 1."""
    complete = min(codes) >= 0 and not gini
    found = nothing_found()
    scan_kernels.scan_categorical(
        np.array(codes, np.int32),
        np.int64(max(codes) + 1),
        np.zeros(1, bool),
        level(classes, NO_TABLE if complete else np.ones(len(codes))),
        x_log_x(len(codes)) if complete else NO_TABLE,
        rule(min_leaf, gini),
        found,
    )
    return found.gain[0], found.info[0]


def numeric(values: Sequence[float], classes: Sequence[int], kernel: Any, how: Any) -> Any:
    """The best cut of records given in ascending order of their values."""
    distinct, codes = np.unique(np.array(values), return_inverse=True)
    reach, order = scan_kernels.reach_of_ranks(distinct, 3), np.empty(len(values), np.int64)
    rows, labels = np.arange(len(values), dtype=np.int32), np.array(classes, np.uint16)
    scan_kernels.pack_order(rows, codes.astype(np.int32), labels, 1, reach, 2, order)
    complete, found = kernel is scan_complete, nothing_found()
    node = level(classes, NO_TABLE if complete else np.ones(len(values)))
    table = x_log_x(len(values)) if complete else NO_TABLE
    kernel(order, np.array([0, len(values)]), node, distinct, 2, table, how, found)
    return found


either_scan = pytest.mark.parametrize("kernel", [scan_complete, scan_kernels.scan_numeric])


def test_reach_is_the_distance_to_the_next_value_that_can_be_told_apart() -> None:
    values = np.array([0.0, 5e-6, 1.0, 2.0])
    assert scan_kernels.reach_of_ranks(values, 3).tolist() == [2, 1, 1, 1]
    assert scan_kernels.reach_of_ranks(values, 1).tolist() == [1, 1, 1, 1]


def test_an_order_is_packed_as_rank_reach_class_and_record() -> None:
    order, rows, codes = np.zeros(2, np.int64), np.array([1, 0], np.int32), np.array([1, 0], np.int32)
    scan_kernels.pack_order(rows, codes, np.array([1, 0], np.uint16), 1, np.array([2, 1]), 2, order)
    assert order.tolist() == [0b00_10_0 << 32 | 1, 0b01_01_1 << 32 | 0]


def test_gain_and_information_of_a_categorical_test() -> None:
    # aa | abbb: the second branch has 4 x H(1/4) = 8 - 3 log2 3 bits left.
    gain, info = categorical([0, 0, 1, 1, 1, 1], AAABBB)
    assert gain == pytest.approx(1 - (8 - 3 * log2(3)) / 6)
    assert info == pytest.approx(log2(3) - 2 / 3)


def test_gini_of_a_categorical_test() -> None:
    # Weight times index: 6 x 1/2 before, 4 x 3/8 after.
    assert categorical([0, 0, 1, 1, 1, 1], AAABBB, gini=True)[0] == pytest.approx((3 - 1.5) / 6)


def test_unknown_values_lower_the_gain_and_are_a_branch_of_the_information() -> None:
    gain, info = categorical([0, 0, 1, 1, -1, -1], (0, 0, 1, 1, 0, 1))
    assert gain == pytest.approx(4 / 6)
    assert info == pytest.approx(log2(3))


@pytest.mark.parametrize(("min_leaf", "allowed"), [(2, True), (3, False)])
def test_two_branches_must_hold_the_minimum(min_leaf: float, allowed: bool) -> None:
    gain, _ = categorical([0, 0, 1, 1, 1, 2], AAABBB, min_leaf)
    assert (gain >= 0) == allowed


def test_a_node_that_is_skipped_stays_barred() -> None:
    found, codes = nothing_found(), np.array([0, 0, 0, 1, 1, 1], np.int32)
    skip = np.ones(1, bool)
    scan_kernels.scan_categorical(codes, np.int64(2), skip, level(AAABBB), x_log_x(6), rule(), found)
    assert found.gain[0] == -1


@either_scan
def test_the_best_cut_pays_for_the_choice_of_its_threshold(kernel: Any) -> None:
    # With two on each side, cuts after 2, 3 and 4 are tried.
    found = numeric([1, 2, 3, 4, 5, 6], AAABBB, kernel, rule())
    assert found.gain[0] == pytest.approx(1 - log2(3) / 6)
    assert (found.info[0], found.below[0], found.above[0]) == (1.0, 2, 3)


@either_scan
def test_no_cut_between_equal_or_nearly_equal_values(kernel: Any) -> None:
    # The third and fourth value are too near each other; aaabbb is best cut beside them, the first time.
    found = numeric([1, 2, 3, 3.000005, 5, 6], AAABBB, kernel, rule())
    assert (found.below[0], found.above[0]) == (1, 2)
    assert numeric([1, 1, 1, 1, 1, 1], AAABBB, kernel, rule()).gain[0] == -1


@either_scan
def test_each_side_must_hold_the_minimum(kernel: Any) -> None:
    assert numeric([1, 2, 3, 4, 5, 6], AAABBB, kernel, rule(min_leaf=3)).below[0] == 2
    assert numeric([1, 2, 3, 4, 5, 6], AAABBB, kernel, rule(min_leaf=4)).gain[0] == -1


def test_gini_pays_nothing_for_a_threshold() -> None:
    found = numeric([1, 2, 3, 4, 5, 6], AAABBB, scan_kernels.scan_numeric, rule(gini=True))
    assert found.gain[0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("counts", "filled"),
    [
        ([3.0, 1.0, 0.0], [3, 1, 1]),
        ([0.0, 0.0], [0.5, 0.5]),
        ([4.0, 0.0, 0.0], [4, 0.5, 0.5]),
        ([5.0, 0.6, 0.2], [5, 0.9, 0.9]),
        ([7.0], [8]),
    ],
)
def test_the_mass_goes_to_the_smallest_counts(counts: list[float], filled: list[float]) -> None:
    shares = np.array(filled) / (sum(counts) + 1)
    by_hand = sum(counts) * -float(shares @ np.log2(shares))
    assert upper_spread(np.array(counts)) == pytest.approx(by_hand, abs=1e-12)


def test_it_is_the_highest_entropy_of_all_ways_to_add_the_mass() -> None:
    chance = np.random.default_rng(5)
    for _ in range(200):
        counts = np.round(chance.exponential(2.0, chance.integers(2, 6)), chance.integers(0, 3)) + 0.0
        if counts.sum() == 0:
            continue
        found = upper_spread(counts) / counts.sum()
        assert found == pytest.approx(upper_entropy(counts.tolist()), abs=1e-9)
        other = (counts + chance.dirichlet(np.ones(len(counts)), 50)) / (counts.sum() + 1)
        entropies = -np.where(other > 0, other * np.log2(np.maximum(other, 1e-300)), 0.0).sum(axis=1)
        assert (entropies <= found + 1e-9).all()


def test_a_count_that_is_exactly_at_the_level_does_not_come_and_go() -> None:
    # The level is 9 whether the last count belongs to the filled ones or not, but for rounding.
    counts = [26 / 3, 23 / 3, 29 / 3, 9.0]
    assert upper_spread(np.array(counts)) == pytest.approx(35 * upper_entropy(counts), abs=1e-9)


SIZE = 3000
NOTHING = (-1.0, 0.0, -1, -1)


def scanned(values: Floats, classes: Integers, rule: Rule, reach_bits: int) -> tuple[float, float, int, int]:
    """Gain, split information and the ranks around the cut; values ascend."""
    distinct, codes = np.unique(values, return_inverse=True)
    labels, rows = classes.astype(np.uint16), np.arange(len(values), dtype=np.int32)
    reach, order = reach_of_ranks(distinct, (1 << reach_bits) - 1), np.empty(len(values), np.int64)
    pack_order(rows, codes.astype(np.int32), labels, rule.class_bits, reach, reach_bits, order)
    counts = np.bincount(classes, minlength=1 << rule.class_bits).astype(np.float64)[None, :]
    start = np.array([0, len(values)])
    level = Level(start, rows, np.empty(0), labels, counts, counts.sum(axis=1))
    found = Found(np.array([-1.0]), np.zeros(1), np.array([-1]), np.array([-1]))
    scan_complete(order, start, level, distinct, reach_bits, x_log_x(len(values)), rule, found)
    gain, info, below, above = (part[0].item() for part in found)
    return gain, info, below, above


def compared_in_turn(values: Floats, classes: Integers, rule: Rule) -> tuple[float, float, int, int]:
    """The same, cut by cut."""
    codes = np.unique(values, return_inverse=True)[1]
    table, size, ones = x_log_x(len(values)), len(values), int(classes.sum())
    share = 0.05 * size
    least = rule.min_leaf if share <= rule.min_leaf + rule.slack else min(share, 25.0)
    if size < 2 * (rule.min_leaf if rule.both_sides else least) - rule.slack:
        return NOTHING
    side = rule.min_leaf if rule.both_sides else least
    lowest = whole = table[size] - (table[size - ones] + table[ones])
    best, tries, left = 0, 0, 0
    for at in range(1, size):
        left += int(classes[at - 1])
        here = min(at, size - at)
        if here < ceil(least - rule.slack) or values[at] - values[at - 1] <= SMALLEST_GAP:
            continue
        tries += 1
        left_mass, right_mass = (
            table[left] + table[at - left],
            table[ones - left] + table[size - at - ones + left],
        )
        parts = table[at] - left_mass + table[size - at] - right_mass
        if parts < lowest - rule.improvement * size and here >= ceil(side - rule.slack):
            lowest, best = parts, at
    if best == 0:
        return NOTHING
    gain = (whole - lowest) / size - log2(tries) / size
    below, above = int(codes[best - 1]), int(codes[best])
    if gain <= rule.improvement:
        return -1.0, 0.0, below, above
    return gain, (table[size] - (table[best] + table[size - best])) / size, below, above


def columns(seed: int, size: int) -> dict[str, Floats]:
    generator = np.random.default_rng(seed)
    normal = np.sort(generator.normal(size=size))
    return {
        "full precision": normal,
        "ties": np.round(normal, 1) + 0.0,
        "close together": normal * 1e-4,
        "closer than a threshold": normal * 1e-7,
        "whole numbers": np.arange(size, dtype=np.float64),
    }


def labels(seed: int, size: int) -> dict[str, Integers]:
    """Classes that fall and rise along the order in different ways."""
    chance, place = np.random.default_rng(seed + 1).random(size), np.linspace(0, 1, size)
    risk = {
        "noise": np.full(size, 0.3),
        "one step": np.where(place > 0.7, 0.8, 0.2),
        "slope": place,
        "two equal steps": np.where(np.abs(place - 0.5) < 0.2, 0.9, 0.3),
        "all but one": np.full(size, 1 - 1 / size),
        "sure": np.where(place > 0.4, inf, -inf),
        "in turn": np.where(np.arange(size) % 2, inf, -inf),
    }
    return {name: (chance < p).astype(np.int64) for name, p in risk.items()}


@pytest.mark.parametrize("improvement", [0.0, 1e-10, 1e-6, 1e-3, 2e-2])
@pytest.mark.parametrize(
    ("min_leaf", "both_sides"), [(2.0, True), (2.0, False), (200.0, True), (60.0, False)]
)
def test_the_cut_is_the_one_that_wins_in_turn(improvement: float, min_leaf: float, both_sides: bool) -> None:
    rule = Rule(min_leaf, 1e-9, improvement, both_sides, False, 1)
    for size in (4, 40, 405, SIZE):
        for name, values in columns(size, size).items():
            for kind, classes in labels(size, size).items():
                expected = compared_in_turn(values, classes, rule)
                bits = 6 if size == SIZE else size % 3
                assert scanned(values, classes, rule, bits) == expected, (size, name, kind)


def test_a_table_of_one_class_has_no_cut() -> None:
    rule = Rule(2.0, 1e-9, 1e-10, True, False, 1)
    assert scanned(np.arange(50.0), np.ones(50, np.int64), rule, 6)[0] == -1.0

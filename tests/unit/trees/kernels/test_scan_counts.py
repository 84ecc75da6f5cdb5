"""The scan that looks at few cuts, against one that compares every cut in turn."""

from __future__ import annotations

from math import ceil, inf, log2

import numpy as np
import pytest

from hushwood.arrays import Floats, Integers
from hushwood.trees.c45.nodes import x_log_x
from hushwood.trees.kernels.scan import SMALLEST_GAP, Found, Level, Rule, pack_order, reach_of_ranks
from hushwood.trees.kernels.scan_counts import scan_complete

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

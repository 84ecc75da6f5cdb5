"""Cuts along a hierarchy, against all that are possible."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.techniques.partitions.hierarchy_cuts import HierarchyCuts, rank_groups

NAMES = ("a", "b", "c", "d", "e")
WAYS = Taxonomy("x", {x: (x, "ab" if x in "ab" else "cde", "*") for x in NAMES})


def bits(labels: Sequence[int]) -> float:
    return -sum(n * math.log2(n / len(labels)) for n in Counter(labels).values())


def test_groups_by_level_with_missing_apart() -> None:
    found = rank_groups(NAMES, np.array([-1, 0, 1, 2, 4]), WAYS)
    assert found.tolist() == [[0, 1, 2, 3, 4], [0, 1, 1, 2, 2], [0, 0, 0, 0, 0]]


@pytest.mark.parametrize("seed", range(12))
def test_the_best_cut_of_all(seed: int) -> None:
    """The part is cut at the highest level that tells its values apart, one group from the others."""
    chance = np.random.default_rng(seed)
    codes = chance.integers(0, 5 if seed % 2 else 2, 30)
    label, secret = chance.integers(0, 3, 30), chance.integers(0, 4, 30)
    k, least = 3 + seed % 4, 1.0 + seed % 3 / 2
    rows = np.flatnonzero(chance.random(30) < 0.8)
    cuts = HierarchyCuts(k, least, label, 3, np.zeros(0), np.zeros(0), secret[None])
    found = cuts.best(rows, rank_groups(NAMES, np.arange(5), WAYS)[:, codes[rows]])
    ways = [WAYS.levels[NAMES[code]] for code in codes[rows]]
    level = 1 if len({way[1] for way in ways}) > 1 else 0
    wanted = []
    for group in dict.fromkeys(sorted(way[level] for way in ways)):
        left = [r for r, way in zip(rows.tolist(), ways, strict=True) if way[level] == group]
        right = [r for r in rows.tolist() if r not in left]
        sides = [side for side in (left, right) if side]
        fine = len(sides) == 2 and all(
            len(side) >= k and max(Counter(secret[side].tolist()).values()) * least <= len(side)
            for side in sides
        )
        if fine:
            wanted.append((sum(bits(label[side].tolist()) for side in sides), left))
    if not wanted:
        assert found is None
        return
    assert found is not None
    assert found[0] == pytest.approx(min(score for score, _ in wanted))
    assert any(found[1].tolist() == left and score == pytest.approx(found[0]) for score, left in wanted)


def test_numbers_are_explained_by_their_squares() -> None:
    number = np.array([0.0, 0.0, 5.0, 5.0])
    cuts = HierarchyCuts(1, 1.0, np.zeros(0, int), 0, number, np.ones(4), np.zeros((0, 4), int))
    found = cuts.best(np.arange(4), np.array([[0, 0, 1, 1], [0, 0, 0, 0]]))
    assert found is not None
    assert (found[0], sorted(found[1].tolist())) == (0.0, [0, 1])
    assert cuts.best(np.arange(2), np.array([[0, 0], [0, 0]])) is None

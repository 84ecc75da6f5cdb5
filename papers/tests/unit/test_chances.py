"""Sign test and chances of three printed trees: by hand, and against counting all sequences of labels."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest

from hushwood_papers.chances import chance_of_such, outcomes_of, sign_test


@pytest.mark.parametrize(
    ("greater", "smaller", "chance"), [(5, 0, 1 / 32), (4, 1, 6 / 32), (0, 3, 1.0), (0, 0, 1.0)]
)
def test_the_chance_of_so_many(greater: int, smaller: int, chance: float) -> None:
    pairs = [(2.0, 1.0)] * greater + [(1.0, 2.0)] * smaller + [(1.0, 1.0)]
    signs = sign_test(pairs)
    assert (signs.greater, signs.smaller) == (greater, smaller)
    assert signs.chance == pytest.approx(chance)
    assert signs.significant == (greater == 5)


def plain(counts: list[int], found: list[list[int]]) -> Fraction:
    """Every sequence of labels, drawn one after the other; each draw adds to the weight of its label."""
    labels = range(len(counts))
    chances: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for own in found:
        for drawn in product(labels, repeat=sum(counts)):
            weight = [Fraction(1, len(counts)) + n for n in own]
            chance = Fraction(1, len(found))
            for name in drawn:
                chance *= weight[name] / sum(weight)
                weight[name] += 1
            chances[tuple(drawn.count(name) for name in labels)] += chance
    return sum((c for c in chances.values() if c <= chances[tuple(counts)]), start=Fraction(0))


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ([3, 0, 0], [[4, 0, 1]]),
        ([1, 1, 1], [[4, 0, 1], [0, 9, 3]]),
        ([0, 1, 2, 0], [[2, 2, 2, 2], [0, 0, 1, 5], [7, 1, 0, 0]]),
    ],
)
def test_it_equals_plain_counting(counts: list[int], found: list[list[int]]) -> None:
    assert chance_of_such(counts, found) == pytest.approx(float(plain(counts, found)))


def test_the_likeliest_outcome_has_chance_one() -> None:
    assert chance_of_such([3, 0], [[100, 0]]) == 1


def test_what_never_came_is_unlikely_and_not_impossible() -> None:
    """One tree's weight over two labels: (1/2) (3/2) (5/2) of 101 · 102 · 103."""
    assert chance_of_such([0, 3], [[100, 0]]) == pytest.approx(0.5 * 1.5 * 2.5 / (101 * 102 * 103))


def test_three_trees_have_thirty_five_outcomes_of_five_labels() -> None:
    outcomes = list(outcomes_of(3, 5))
    assert len(outcomes) == len(set(outcomes)) == 35
    assert all(sum(outcome) == 3 for outcome in outcomes)

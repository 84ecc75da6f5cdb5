"""Chi-squares compared with all orders of the records."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from hushwood.trees.training import TrainingSet
from hushwood.value_clusters.grouping.attribute_trees import (
    chance_of_relation,
    chi_square,
    moments,
    related_to_any,
)
from support.mixed_tables import category, number


def counted(x: tuple[int, ...], v: tuple[int, ...]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    counts = np.zeros((max(x) + 1, max(v) + 1), np.int64)
    np.add.at(counts, (np.array(x), np.array(v)), 1)
    return counts


@pytest.mark.parametrize("x", [(0, 0, 1, 1, 1, 1, 2), (0, 0, 0, 0, 0, 0, 1), (0, 1, 2, 3, 3, 3, 3)])
@pytest.mark.parametrize("v", [(0, 0, 0, 1, 1, 2, 2), (0, 1, 1, 1, 1, 1, 1)])
def test_moments_are_those_of_all_orders(x: tuple[int, ...], v: tuple[int, ...]) -> None:
    of_orders = [chi_square(counted(x, order)) for order in permutations(v)]
    counts = counted(x, v)
    expected = np.mean(of_orders), np.var(of_orders)
    assert moments(counts.sum(axis=1), counts.sum(axis=0)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_many_records_in_few_cells_are_the_usual_chi_square() -> None:
    """One degree of freedom, so that 3.841 has a chance of 0.05: 1,062 of 2,000 records on the diagonal give 7.688."""
    counts = np.array([[531, 469], [469, 531]])
    assert chi_square(counts) == pytest.approx(7.688)
    assert chance_of_relation(counts) == pytest.approx(0.005559, rel=0.01)


def test_one_column_or_three_records_say_nothing() -> None:
    assert chance_of_relation(np.array([[9], [3]])) == 1
    assert chance_of_relation(np.array([[2, 0], [0, 1]])) == 1


def columns(v: np.ndarray[tuple[int], np.dtype[np.int64]], number_of_it: bool) -> TrainingSet:
    """Values 0 to 3, a category that has nothing to do with them, and a number that has or has not."""
    chance = np.random.default_rng(3)
    inputs = (category("x", "abcde"), number("y", -9, 9, None))
    other = chance.normal(size=len(v)) + (v == 3 if number_of_it else 0)
    return TrainingSet.from_columns(inputs, [chance.integers(-1, 5, len(v)), other], v, "efgh")


@pytest.mark.parametrize("number_of_it", [True, False])
def test_a_number_is_read_in_parts(number_of_it: bool) -> None:
    v = np.random.default_rng(2).choice(4, 500, p=[0.7, 0.1, 0.1, 0.1])
    assert related_to_any(columns(v, number_of_it)) is number_of_it


def test_chance_rarely_seems_a_relation() -> None:
    """Of 150 columns of chance about none; the gamma curve makes one in a thousand of uneven ones four."""
    chance = np.random.default_rng(6)
    found = 0
    for _ in range(150):
        share = np.exp(-chance.uniform(0, 3) * np.arange(30) / 10)
        v = chance.choice(30, 399, p=share / share.sum())
        inputs = [chance.integers(0, width, 399) for width in (2, 9, 30)]
        attributes = [category(f"x{i}", [str(c) for c in range(30)]) for i in range(3)]
        found += related_to_any(TrainingSet.from_columns(attributes, inputs, v, [str(c) for c in range(30)]))
    assert found <= 2

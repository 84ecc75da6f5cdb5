from __future__ import annotations

import numpy as np
import pytest

from hushwood.attacks.noise_levels import SMALLEST, noise_deviations
from hushwood.tables.schema import Attribute
from mixed_tables import number

ATTRIBUTES = (number("age", 11, 20), number("height", 1.5, 2.5, None), number("price", 0, 4.98, 2))


def some_numbers() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(1).normal(0, 1, (50, 3)) * (2.0, 0.1, 1.0)


def test_a_share_of_the_domain_by_hand() -> None:
    """Whole numbers: so many values; reals: the range; hundredths: the values in steps (errata B3)."""
    found = noise_deviations(ATTRIBUTES, {"noise": 0.1}, some_numbers())
    assert found.tolist() == pytest.approx([1.0, 0.1, 0.499])


def test_shares_by_column_and_columns_without_noise() -> None:
    numbers = some_numbers()
    found = noise_deviations(ATTRIBUTES, {"noise": {"height": 0.5}}, numbers)
    assert found.tolist() == pytest.approx(
        [SMALLEST * numbers[:, 0].std(), 0.5, SMALLEST * numbers[:, 2].std()]
    )


def test_without_a_domain_it_is_a_share_of_the_deviation() -> None:
    numbers = some_numbers()
    attributes = tuple(Attribute(name, "numeric") for name in "abc")
    found = noise_deviations(attributes, {"noise": 0.5}, numbers)
    assert found.tolist() == pytest.approx((0.5 * numbers.std(axis=0)).tolist())


@pytest.mark.parametrize("level", [0.1, 0.3, 0.7])
def test_unknown_noise_is_told_from_the_smallest_eigenvalue(level: float) -> None:
    chance = np.random.default_rng(2)
    true = chance.normal(0, 1, (4000, 1)) * np.array([1.0, -1.0, 1.0])
    released = true + chance.normal(0, level, true.shape)
    found = noise_deviations(ATTRIBUTES, {}, released * (1.0, 50.0, 0.01))
    assert (found / (1.0, 50.0, 0.01)).tolist() == pytest.approx([level] * 3, rel=0.06)


def test_columns_that_follow_exactly_from_each_other_are_without_noise() -> None:
    one = np.arange(20.0)
    found = noise_deviations(ATTRIBUTES, {}, np.column_stack((one, 2 * one, 5 - one)))
    assert found.tolist() == pytest.approx((SMALLEST * np.array([1, 2, 1]) * one.std()).tolist(), rel=1e-3)

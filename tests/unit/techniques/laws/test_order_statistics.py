from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from hushwood.arrays import Integers
from hushwood.techniques.laws.order_statistics import at_least, between, expected_draws
from oracles import order_statistics as oracle


def arrays(*numbers: int) -> list[Integers]:
    return [np.array([number]) for number in numbers]


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_sums_over_binomials_equal_the_oracle(size: int) -> None:
    for p in (0.0, 0.2, 0.5, 0.93, 1.0):
        position = np.array([p])
        for count in range(-1, size + 2):
            assert at_least(np.array([count]), np.array([size]), position)[0] == pytest.approx(
                oracle.at_least(count, size, p)
            )
            for high in range(count, size + 2):
                wanted = oracle.at_least(count, size, p) - oracle.at_least(high, size, p)
                assert (
                    between(position, *arrays(count, high, size))[0] == pytest.approx(wanted, abs=1e-12)
                    or count < 0
                )
        for first in range(size):
            for count in range(1, size - first + 1):
                ranks = range(first + 1, first + count + 1)
                found = expected_draws(position, *arrays(first, count, size))[0]
                assert found == pytest.approx(count * oracle.chance(0.0, p, ranks, size), abs=1e-12)


def test_one_rank_of_many_is_a_beta_variable() -> None:
    p = np.linspace(0.4, 0.6, 9)
    found = expected_draws(p, np.full(9, 5000), np.full(9, 1), np.full(9, 10_000))
    assert found == pytest.approx(beta.cdf(p, 5001, 5000), rel=1e-9, abs=1e-12)


def test_of_two_draws_the_smaller_is_in_the_lower_half_three_times_in_four() -> None:
    assert expected_draws(np.array([0.5]), *arrays(0, 1, 2)).tolist() == pytest.approx([0.75])
    assert expected_draws(np.array([0.5]), *arrays(1, 1, 2)).tolist() == pytest.approx([0.25])

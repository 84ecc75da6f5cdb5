"""Upper entropy: by hand, against pouring, and against any other place for the mass."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.trees.kernels.scan import upper_spread
from oracles.credal import upper_entropy


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

"""The normal quantile against SciPy, in the middle and far out."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri

from hushwood.kernels.keyed_numbers import normals_from_words


def normals(words: list[int]) -> list[float]:
    out = np.empty(len(words))
    normals_from_words(np.array(words, np.uint64), out)
    return [float(z) for z in out]


def uniform(word: int) -> float:
    return min(((word >> 11) + 0.5) / 2**53, 1 - 2.0**-53)


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1))
def test_any_word(words: list[int]) -> None:
    np.testing.assert_allclose(normals(words), ndtri([uniform(w) for w in words]), rtol=1e-13, atol=1e-15)


def test_where_the_formulas_meet() -> None:
    """The three pieces meet at |u - 1/2| = 0.425 and at a tail probability of exp(-25)."""
    places = [0.5, 0.075, 0.925, float(np.exp(-25.0)), 1 - float(np.exp(-25.0))]
    words = [int(u * 2**64) + shift for u in places for shift in (-(2**12), 0, 2**12)]
    found = normals(words)
    np.testing.assert_allclose(found, ndtri([uniform(w) for w in words]), rtol=1e-12, atol=1e-15)
    assert all(np.diff(found).reshape(-1)[i] >= 0 for i in range(14) if i % 3 != 2)


def test_the_ends_are_finite_and_mirrored() -> None:
    low, high = normals([0, 2**64 - 1])
    np.testing.assert_allclose([low, high], ndtri([2.0**-54, 1 - 2.0**-53]), rtol=1e-13)
    assert -8.4 < low < -8.2
    assert 8.1 < high < 8.3


def test_half_gives_zero_and_quantiles_undo_the_distribution_function() -> None:
    assert abs(normals([2**63])[0]) < 1e-15
    z = np.linspace(-5, 5, 101)
    words = [int(u * 2**64) for u in ndtr(z)]
    np.testing.assert_allclose(normals(words), z, atol=1e-9)

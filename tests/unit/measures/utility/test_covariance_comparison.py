"""Covariance matrices compared as a whole, by hand and against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.utility.covariance_comparison import compared_covariances
from hushwood.measures.utility.numeric_correlations import PairMoments, centred, pair_moments


def moments(*columns: np.ndarray) -> PairMoments:
    return pair_moments([centred(values, 1.0) for values in columns])


def test_a_doubled_column_by_hand() -> None:
    """Two uncorrelated columns; the second is doubled: S is the unit matrix, S' has 1 and 4."""
    first, second = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 3.0, 0.0, 3.0])

    found = compared_covariances(moments(first, second), moments(first, 2 * second))

    assert found is not None
    assert found["frobenius"] == pytest.approx(3 / np.sqrt(2))
    assert found["eigenvalues_before"] == pytest.approx([1.0, 1.0])
    assert found["eigenvalues_after"] == pytest.approx([4.0, 1.0])
    # 6 ln 2.5 − 3 ln 1 − 3 ln 4, with 3 degrees of freedom
    assert found["box_m"] == pytest.approx(6 * np.log(2.5) - 3 * np.log(4))
    assert found["box_degrees"] == 3


def test_units_and_signs_make_no_difference() -> None:
    draw = np.random.default_rng(1)
    before, after = draw.normal(size=(3, 50)), draw.normal(size=(3, 60))
    scale = np.array([[-1.0], [1000.0], [0.5]])

    found = compared_covariances(moments(*before), moments(*after))
    other = compared_covariances(moments(*(before * scale)), moments(*(after * scale)))

    assert found is not None
    assert other is not None
    assert other["frobenius"] == pytest.approx(found["frobenius"])
    assert other["box_m"] == pytest.approx(found["box_m"])
    own = np.cov(before / before.std(axis=1, ddof=1, keepdims=True))
    assert found["eigenvalues_before"] == pytest.approx(sorted(np.linalg.eigvalsh(own), reverse=True))


def test_a_table_and_itself_do_not_differ() -> None:
    draw = np.random.default_rng(2)
    same = moments(*draw.normal(size=(3, 40)))

    found = compared_covariances(same, same)

    assert found is not None
    assert (found["frobenius"], found["box_m"]) == (0.0, pytest.approx(0.0, abs=1e-9))


def test_singular_matrices_have_no_m_and_constants_no_place() -> None:
    rising, other = np.arange(10.0), np.arange(10.0) ** 2
    twins = moments(rising, 2 * rising)

    found = compared_covariances(twins, moments(rising, other))

    assert found is not None
    assert (found["box_m"], found["box_degrees"]) == (None, None)
    assert compared_covariances(moments(rising, np.zeros(10)), twins) is None

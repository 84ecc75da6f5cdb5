"""Covariances of complete records, dependent columns, and all regressions at once against plain elimination."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.columns import least_squares
from hushwood.measures.columns.least_squares import complete_covariances, independent, regressions
from oracles.regressions import fit


def test_only_complete_records_count() -> None:
    one, other = np.array([1.0, 2.0, np.nan, 4.0]), np.array([1.0, np.nan, 5.0, 7.0])
    found = complete_covariances([one, other])
    assert found.records == 2
    assert found.matrix.tolist() == [[4.5, 9.0], [9.0, 18.0]]


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    numbers, flags = chance.normal(size=50) + 100, chance.random(50) < 0.3
    numbers[[4, 20]] = np.nan
    whole = complete_covariances([numbers, flags])
    monkeypatch.setattr(least_squares, "_CHUNK_ROWS", 7)
    parts = complete_covariances([numbers, flags])
    assert parts.records == whole.records == 48
    there = ~np.isnan(numbers)
    assert parts.matrix == pytest.approx(np.cov(numbers[there], flags[there]))
    assert whole.matrix == pytest.approx(parts.matrix)


def test_a_constant_has_no_variance_whatever_rounding_leaves() -> None:
    found = complete_covariances([np.full(1000, 0.1), np.arange(1000.0)])
    assert found.matrix[0].tolist() == [0.0, 0.0]
    assert complete_covariances([np.array([1.0])]).matrix.tolist() == [[0.0]]


def test_combinations_of_earlier_columns_are_found() -> None:
    chance = np.random.default_rng(1)
    a, b, c = chance.normal(size=(3, 50))
    columns = [a, np.full(50, 3.0), 1e6 * b, a + b, c, 2 * c - 1e-3 * a]
    assert independent(complete_covariances(columns).matrix).tolist() == [
        True,
        False,
        True,
        False,
        True,
        False,
    ]
    assert independent(complete_covariances([a, b, a + b + 0.01 * c]).matrix).all()


def test_every_column_is_regressed_on_the_others() -> None:
    chance = np.random.default_rng(2)
    a, b, c = chance.normal(size=(3, 40))
    columns = [a, 1000 * (b + a), 0.01 * (c - b)]
    found = regressions(complete_covariances(columns))
    rows = np.column_stack(columns)
    for place in range(3):
        rest = np.delete(np.arange(3), place)
        plain = fit(rows[:, rest].tolist(), rows[:, place].tolist(), 0.5)
        assert found.coefficients[place, rest] == pytest.approx(plain.coefficients)
        ratio = np.array(plain.halves) / found.errors[place, rest]
        assert ratio == pytest.approx([ratio[0]] * 2)
        assert found.r_squared[place] == pytest.approx(plain.r_squared)
        assert found.degrees == 37

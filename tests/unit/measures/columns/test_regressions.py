"""Covariances of complete records, dependent columns, and all regressions at once against plain elimination."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.measures.columns import regressions as module
from hushwood.measures.columns.regressions import (
    WIDEST,
    complete_covariances,
    independent,
    regression_terms,
    regressions,
)
from oracles.regressions import fit
from support.mixed_tables import category, mixed_table, number, table_of


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
    monkeypatch.setattr(module, "_CHUNK_ROWS", 7)
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


def test_numbers_come_in_the_originals_standard_deviations() -> None:
    x = number("x", 0, 9)
    original, released = table_of({"x": (x, [0, 2, 0, 2])}), table_of({"x": (x, [1, 3, np.nan, 1])})
    (term,) = regression_terms(original, released)
    assert term.before.tolist() == [-1, 1, -1, 1]
    assert term.after.tolist() == pytest.approx([0, 2, np.nan, 0], nan_ok=True)


def test_frequent_categories_are_terms_except_the_most_frequent() -> None:
    codes = [0] * 3 + [1] * 30 + [2] * 60 + [-1] * 7
    table = table_of({"c": (category("c", ("rare", "some", "most", "none")), codes)})
    (term,) = regression_terms(table, table)
    assert (term.name, term.numeric, term.before.sum()) == ("c = some", False, 30)


def test_what_does_not_vary_or_is_mostly_missing_is_none() -> None:
    table = mixed_table(1, 100)
    names = [term.name for term in regression_terms(table, table) if term.numeric]
    assert names == ["count", "price", "ratio"]


def test_of_very_many_the_class_is_kept() -> None:
    columns = {f"x{i}": (number(f"x{i}", 0, 9), [float(i), 2.0]) for i in range(WIDEST + 10) if i != 2}
    columns["y"] = (replace(number("y", 0, 9), role="class"), [1.0, 2.0])
    table = table_of(columns)
    names = [term.name for term in regression_terms(table, table)]
    assert len(names) == WIDEST
    assert names[:2] == ["y", "x0"]

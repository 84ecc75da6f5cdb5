"""Terms of regressions: which columns and categories, and in which unit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.measures.columns.regression_terms import WIDEST, regression_terms
from support.mixed_tables import category, mixed_table, number, table_of


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

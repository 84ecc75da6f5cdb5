from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.persons.summaries import different, largest_of, mean_of, most_frequent, smallest_of
from hushwood.tables.persons.units import units_of
from oracles.persons import rows_of, summary

NAN = float("nan")


def same(found: Any, wanted: list[Any], gone: float) -> None:
    assert found.tolist() == pytest.approx(
        [gone if value is None else value for value in wanted], nan_ok=True
    )


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from([1.0, 2.5, -7.0, 1e6, NAN])),
        min_size=1,
        max_size=12,
    )
)
def test_numbers_are_summed_up_as_one_by_one(rows: list[tuple[str, float]]) -> None:
    names, values = zip(*rows, strict=True)
    units, column = units_of(pl.Series(names)), np.array(values)
    wanted = [summary(values, those) for those in rows_of(names)]
    same(mean_of(column, units), [one["mean"] for one in wanted], NAN)
    same(smallest_of(column, units), [one["smallest"] for one in wanted], NAN)
    same(largest_of(column, units), [one["largest"] for one in wanted], NAN)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-1, 3)), min_size=1, max_size=12))
def test_categories_are_counted_as_one_by_one(rows: list[tuple[str, int]]) -> None:
    names, codes = zip(*rows, strict=True)
    units = units_of(pl.Series(names))
    known = [NAN if code < 0 else float(code) for code in codes]
    wanted = [summary(known, those) for those in rows_of(names)]
    same(most_frequent(np.array(codes), units), [one["most frequent"] for one in wanted], -1)
    same(different(np.array(codes), units), [one["different"] for one in wanted], 0)


def test_means_of_large_numbers_keep_their_digits() -> None:
    units = units_of(pl.Series(["a"] * 3))
    assert mean_of(np.array([1e15, 1e15 + 1, 1e15 + 2]), units).tolist() == [1e15 + 1]

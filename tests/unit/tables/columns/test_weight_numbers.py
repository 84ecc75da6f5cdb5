"""Weights are numbers from 0 on, and not all 0."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.columns.weight_numbers import check_weights, weight_numbers


def test_texts_of_a_dropped_column_are_read_as_numbers() -> None:
    found = weight_numbers(pl.Series("w", ["1.5", None, "3"]))
    np.testing.assert_array_equal(found, [1.5, np.nan, 3.0])


def test_good_weights_pass_and_missing_ones_may_be_there() -> None:
    check_weights(pl.Series("w", [0, 2, None]))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([1.0, -0.5], r"contains the weight -0\.5, and no record can stand for fewer than 0 people"),
        ([0.0, 0.0, None], r"has no weight above 0"),
        ([1.0, float("inf")], r"contains infinite weights"),
        (["1", "many"], r"declared as the weight, but contains 'many'\. Weights are numbers"),
        ([True, False], r"declared as the weight, but contains Boolean values"),
    ],
)
def test_other_columns_are_refused(values: list[object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        check_weights(pl.Series("w", values))

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.jobs.row_order import order_warnings, shuffled
from hushwood.random_streams import Streams
from hushwood.tables.reading import read_table


def test_a_shuffle_is_a_permutation_under_the_key() -> None:
    order = shuffled(1000, Streams(bytes(32)))
    assert np.array_equal(np.sort(order), np.arange(1000))
    assert np.array_equal(order, shuffled(1000, Streams(bytes(32))))
    assert not np.array_equal(order, shuffled(1000, Streams(b"\x01" * 32)))
    assert abs(np.corrcoef(order, np.arange(1000))[0, 1]) < 0.15


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([1, 2, 2, 5], True),
        ([5, 2, 2, 1], True),
        ([1, None, 2, 3], True),
        ([1, 3, 2, 4], False),
        ([2, 2, 2, 2], False),
        ([1, None, None, 2], False),
        (["a", "a", "b", "c"], True),
        (["a", "b", "a", None], False),
    ],
    ids=str,
)
def test_sorted_columns_are_told(values: list[object], told: bool) -> None:
    frame = pl.DataFrame({"x": values, "ill": ["no", "yes", "no", "yes"]})
    warnings = list(order_warnings(read_table(frame, target="ill")))
    assert len(warnings) == told
    assert all("'x'" in warning and "--shuffle-rows" in warning for warning in warnings)


def test_carried_columns_do_not_count() -> None:
    frame = pl.DataFrame({"id": [1, 2, 3], "x": [2, 1, 3], "ill": ["no", "yes", "no"]})
    assert list(order_warnings(read_table(frame, target="ill", roles={"id": "identifier"}))) == []

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.jobs.row_order import order_warnings, read_order, shuffled
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
        ([1, 2, 2, 5, 6, 7, 7, 7, 8, 9], True),
        ([9, 8, 7, 7, 7, 6, 5, 2, 2, 1], True),
        ([1, None, 2, 2, 5, 6, 7, None, 7, 7, 8, 9], True),
        ([1, 2, 3, 4, 5, 6, 7, 9, 8, 10], False),
        ([2] * 12, False),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, None], False),
        ([*"aaabbbcccc"], True),
        ([*"aaabbbccca"], False),
    ],
    ids=str,
)
def test_sorted_columns_are_told(values: list[object], told: bool) -> None:
    frame = pl.DataFrame({"x": values, "ill": ["no", "yes"] * (len(values) // 2)})
    warnings = list(order_warnings(read_table(frame, target="ill")))
    assert len(warnings) == told
    assert all("'x'" in warning and "--shuffle-rows" in warning for warning in warnings)


def test_carried_columns_do_not_count() -> None:
    frame = pl.DataFrame({"id": range(10), "x": [2, 1] * 5, "ill": ["no", "yes"] * 5})
    assert list(order_warnings(read_table(frame, target="ill", roles={"id": "identifier"}))) == []


def test_a_row_order_comes_back(tmp_path: Path) -> None:
    order = np.array([2, 0, 1])
    np.save(tmp_path / "o.npy", order)
    assert read_order(tmp_path / "o.npy").tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    "values",
    [
        np.array([0, 1, 1]),
        np.array([0, 1, 3]),
        np.array([0.0, 1.0]),
        np.array([[0, 1]]),
        np.array([1, 0], np.int32),
        np.array([0, "x", None], object),
    ],
    ids=repr,
)
def test_what_is_no_order_of_rows(tmp_path: Path, values: NDArray[Any]) -> None:
    np.save(tmp_path / "o.npy", values, allow_pickle=True)
    with pytest.raises(InputError, match="does not say where each row came from"):
        read_order(tmp_path / "o.npy")


@pytest.mark.parametrize("header", [b"(1152921504606846976,)", b"(" * 22, b"(2,),'x':(3,),", b"-1"])
def test_headers_that_are_not_believed(tmp_path: Path, header: bytes) -> None:
    np.save(tmp_path / "o.npy", np.array([1, 0]))
    whole = (tmp_path / "o.npy").read_bytes()
    place = whole.index(b"(2,)")
    (tmp_path / "o.npy").write_bytes(whole[:place] + header + whole[place + len(header) :])
    with pytest.raises(InputError, match="is damaged"):
        read_order(tmp_path / "o.npy")

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.random_streams import Streams, keyed_order, keyed_orders

STREAMS = Streams(bytes(range(32)))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**64 - 1) | st.integers(0, 3)), max_size=120),
)
def test_rows_are_sorted_by_group_then_word_then_row(rows: list[tuple[int, int]]) -> None:
    groups = np.array([group for group, _ in rows], np.int64)
    words = np.array([word for _, word in rows], np.uint64)
    by_group, by_word = keyed_orders(words, groups)
    places = range(len(rows))
    assert by_group.tolist() == sorted(places, key=lambda i: (rows[i][0], i))
    assert by_word.tolist() == sorted(places, key=lambda i: (rows[i][0], rows[i][1], i))


@pytest.mark.parametrize("size", [1, 24, 25, 5_000])
def test_random_words_of_one_large_group(size: int) -> None:
    words = STREAMS.words("test", "", 0, range(size))
    assert keyed_order(words, np.zeros(size, np.int64)).tolist() == np.argsort(words, kind="stable").tolist()


def test_words_that_are_not_random_are_sorted_too() -> None:
    words = np.arange(3_000, 0, -1).astype(np.uint64)
    assert keyed_order(words, np.zeros(3_000, np.int32)).tolist() == list(range(2_999, -1, -1))

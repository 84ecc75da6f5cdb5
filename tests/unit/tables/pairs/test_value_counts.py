from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.random_streams import Streams
from hushwood.tables.pairs.value_counts import (
    column_pairs,
    occurrences,
    pair_codes,
    record_codes,
    value_codes,
)
from support.mixed_tables import mixed_table, plain_rows

NAN = float("nan")


def test_equal_values_share_a_code() -> None:
    first, second = value_codes([np.array([2.5, NAN, -1.0, 2.5]), np.array([NAN, 7.0, -1.0, -0.0])])
    assert first[0] == first[3]
    assert (first[1], first[2]) == (second[0], second[2])
    assert len({*first.tolist(), *second.tolist()}) == 5
    codes = value_codes([np.array([-1, 3], np.int32), np.array([3, 0], np.int32)])
    assert [c.tolist() for c in codes] == [[0, 4], [4, 1]]


@given(st.lists(st.integers(0, 10**6), max_size=40), st.lists(st.integers(0, 30), max_size=40))
def test_occurrences_are_counted(sparse: list[int], dense: list[int]) -> None:
    for codes, among in ((sparse, dense), (dense, sparse), (dense, dense), (sparse, sparse)):
        found = occurrences(np.array(codes, np.int64), np.array(among, np.int64))
        counts = Counter(among)
        assert found.tolist() == [counts[code] for code in codes]


def test_pairs_are_equal_where_both_values_are() -> None:
    first = [np.array([0, 1, 1]), np.array([1])]
    second = [np.array([4, 0, 4]), np.array([4])]
    one, other = pair_codes(first, second)
    assert len(set(one.tolist())) == 3
    assert other[0] == one[2]


@given(st.integers(0, 50), st.integers(1, 25))
def test_records_share_a_number_if_they_are_equal(seed: int, rows: int) -> None:
    table = mixed_table(seed, rows)
    chosen = np.random.default_rng(seed).integers(0, rows, 2 * rows)
    again = table.take(chosen)
    one, other = record_codes([table.columns, again.columns])
    texts = [repr(row) for row in plain_rows(table)]
    assert np.array_equal(one[chosen], other)
    assert len(set(one.tolist())) == len(set(texts))


def test_column_pairs_are_all_or_some_by_key() -> None:
    streams = Streams(bytes(32))
    assert len(column_pairs(12, 100, streams, "x")) == 66
    some = column_pairs(12, 60, streams, "x")
    assert len(set(some)) == 60
    assert all(0 <= one < other < 12 for one, other in some)
    assert some == column_pairs(12, 60, streams, "x")
    assert some != column_pairs(12, 60, Streams(bytes(range(32))), "x")
    assert column_pairs(1, 60, streams, "x") == []

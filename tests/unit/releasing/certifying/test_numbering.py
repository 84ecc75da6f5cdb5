from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.releasing.certifying.counts import GAP, Numbering, grown, words_of


def test_equal_numbers_have_equal_words_and_gaps_their_own() -> None:
    words = words_of(np.array([0.0, -0.0, 1.0, np.nan, -np.nan, np.inf])).tolist()
    assert words[0] == words[1] == 0
    assert words[3] == words[4] == GAP
    assert len(set(words)) == 4
    assert words_of(np.array([2, -1], np.int32)).tolist() == [2, GAP]


def test_arrays_grow_with_zeros() -> None:
    assert grown(np.array([3], np.uint64), 3).tolist() == [3, 0, 0]
    assert grown(np.array([3, 4]), 1).tolist() == [3, 4]


@given(batches=st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 5)), max_size=20), max_size=5))
def test_pairs_are_numbered_as_they_are_met(batches: list[list[tuple[int, int]]]) -> None:
    numbering, met = Numbering(), dict[tuple[int, int], int]()
    for batch in batches:
        groups, words = np.array(batch, np.int64).reshape(-1, 2).T.copy()
        wanted = [met.setdefault(pair, len(met)) for pair in batch]
        assert numbering.of(groups, words).tolist() == wanted
    assert numbering.count == len(met)
    assert numbering.groups.tolist() == [group for group, _ in met]
    assert numbering.known.tolist() == [word != GAP for _, word in met]


def test_many_pairs_in_one_batch_and_again() -> None:
    groups = np.arange(10_000) // 100
    words = (np.arange(10_000) % 100) * 2**40
    numbering = Numbering()
    for _ in range(2):
        assert np.array_equal(numbering.of(groups, words), np.arange(10_000))
    assert numbering.count == 10_000

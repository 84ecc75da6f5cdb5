from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments
from hushwood.techniques.permutation import PermutationLaw, blocks, permutation_law
from mixed_tables import category, table_of

STREAMS = Streams(bytes(range(32)))


def law_and_ids(
    codes: list[int], ids: list[int]
) -> tuple[PermutationLaw, np.ndarray[tuple[int], np.dtype[np.int32]]]:
    table = table_of({"x": (category("x", "abc"), codes)})
    numbers = np.array(ids, np.int32)
    return permutation_law(table, "x", Segments(numbers, max(ids) + 1, {}, {}, {}), "SWAP"), numbers


def test_values_in_the_order_of_their_keyed_numbers_go_to_the_rows_in_order() -> None:
    """DESIGN.md, Randomness: word by word, with nothing but sorting."""
    codes, ids = [0, 1, 2, 0, 1, 2, 2, 1], [0, 0, 1, 0, 1, 0, 1, 0]
    law, numbers = law_and_ids(codes, ids)
    words = STREAMS.words("SWAP", "x", 0, range(8)).tolist()
    wanted = list(codes)
    for segment in (0, 1):
        rows = [row for row in range(8) if ids[row] == segment]
        by_word = sorted(rows, key=lambda row: words[row])
        for row, source in zip(rows, by_word, strict=True):
            wanted[row] = codes[source]
    found = law.sample({"x": np.array(codes, np.int32)}, numbers, range(8), STREAMS)
    assert found["x"].tolist() == wanted


def test_marginal_law_is_the_share_in_the_segment() -> None:
    law, _ = law_and_ids([0, 0, 1, -1, 2], [0, 0, 0, 0, 1])
    released = {"x": np.array([0, 1, -1, 2, 2, 0])}
    original = {"x": np.zeros(6, int)}
    found = np.exp(law.log_prob(original, released, np.array([0, 0, 0, 0, 1, 1])))
    assert found == pytest.approx([0.5, 0.25, 0.25, 0, 1, 0])
    assert law.dependent
    assert law.described()["attribute"] == "x"


def test_blocks_of_a_large_segment_are_nearly_equal_and_consecutive() -> None:
    ids = np.array([0, 1, 0, 0, 1, 0, 0], np.int32)
    assert blocks(ids, most=2).tolist() == [0, 3, 0, 1, 3, 1, 2]
    assert blocks(ids, most=5) is ids


@given(st.lists(st.integers(0, 4), min_size=1, max_size=60), st.integers(1, 10))
def test_blocks_never_mix_segments_and_are_never_too_large(ids: list[int], most: int) -> None:
    groups = blocks(np.array(ids, np.int32), most).tolist()
    assert max(Counter(groups).values()) <= most or groups == ids
    owners = {(group, segment) for group, segment in zip(groups, ids, strict=True)}
    assert len(owners) == len(set(groups))
    for segment in set(ids):
        own = [group for group, s in zip(groups, ids, strict=True) if s == segment]
        assert own == sorted(own)

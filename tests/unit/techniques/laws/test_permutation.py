from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments
from hushwood.techniques.laws.permutation import PermutationLaw, blocks, permutation_law
from support.mixed_tables import category, table_of

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


@given(
    st.lists(st.tuples(st.integers(0, 4), st.floats(0, 0.999)), min_size=1, max_size=60), st.integers(1, 10)
)
def test_blocks_never_mix_segments(records: list[tuple[int, float]], most: int) -> None:
    ids, u = [s for s, _ in records], [x for _, x in records]
    groups = blocks(np.array(ids, np.int32), np.array(u), most).tolist()
    owners = set(zip(groups, ids, strict=True))
    assert len(owners) == len(set(groups))
    for segment, size in Counter(ids).items():
        pieces = -(-size // most)
        assert len({group for group, own in owners if own == segment}) <= pieces


def test_large_segments_in_file_order_change_as_often_as_the_law_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sorted by the value: blocks of consecutive rows would hardly change anything."""
    monkeypatch.setattr("hushwood.techniques.laws.permutation.BLOCK_RECORDS", 500)
    codes = [0] * 2000 + [1] * 2000
    law, ids = law_and_ids(codes, [0] * 4000)
    found = law.sample({"x": np.array(codes, np.int32)}, ids, range(4000), STREAMS)["x"]
    assert Counter(found.tolist()) == Counter(codes)
    assert (found != codes).mean() == pytest.approx(0.5, abs=0.04)

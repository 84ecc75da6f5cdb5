from __future__ import annotations

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments
from hushwood.techniques.laws.permutation import PermutationLaw, permutation_law
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


def test_a_part_of_a_table_is_permuted_by_the_numbers_of_its_rows() -> None:
    """Rows 2, 5 and 7 of a longer table: their own words decide, wherever they lie."""
    law, ids = law_and_ids([0, 1, 2], [0, 0, 0])
    rows, codes = np.array([2, 5, 7]), np.array([0, 1, 2], np.int32)
    by_word = np.argsort(STREAMS.words("SWAP", "x", 0, range(8))[rows])
    assert law.sample({"x": codes}, ids, rows, STREAMS)["x"].tolist() == codes[by_word].tolist()

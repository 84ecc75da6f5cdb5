"""Records that contain items together, counted by bits, against plain sums."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.measures.columns.item_sets import (
    count_items,
    frequent_triples,
    item_bits,
    pair_counts,
    triple_counts,
)


@given(st.integers(0, 10**6), st.integers(1, 200), st.integers(0, 7))
@settings(max_examples=25)
def test_counts_are_plain_sums(seed: int, records: int, items: int) -> None:
    flags = np.random.default_rng(seed).random((items, records)) < 0.5
    bits = item_bits(list(flags), records)
    counts = count_items(bits, records)
    assert counts.single.tolist() == flags.sum(axis=1).tolist()
    plain = {t: int(flags[list(t)].all(axis=0).sum()) for t in combinations(range(items), 3)}
    pairs = np.array(list(combinations(range(items), 2)), np.int64).reshape(-1, 2)
    assert pair_counts(counts, pairs).tolist() == [int((flags[a] & flags[b]).sum()) for a, b in pairs]
    triples = np.array(list(plain), np.int64).reshape(-1, 3)
    assert triple_counts(bits, triples).tolist() == list(plain.values())
    least = records / 8
    found = frequent_triples(bits, counts, least)
    assert [tuple(t) for t in found.tolist()] == [t for t, count in plain.items() if count >= least]

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.releasing.persons.levels import dealt_parents


@given(
    st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=4), min_size=1, max_size=4), st.integers(0, 99)
)
def test_every_parent_gets_its_children_in_its_own_segment(counts: list[list[int]], seed: int) -> None:
    chance = np.random.default_rng(seed)
    sizes = np.array([count for segment in counts for count in segment])
    segment_of = np.array([place for place, segment in enumerate(counts) for _ in segment])
    above = chance.permutation(np.repeat(np.arange(len(sizes)), sizes))
    children = sizes.copy()
    for segment in range(len(counts)):
        children[segment_of == segment] = chance.permutation(sizes[segment_of == segment])
    words = chance.integers(0, 2**63, len(above), dtype=np.uint64)
    found = dealt_parents(segment_of[above], above, children, words)
    assert np.bincount(found, minlength=len(sizes)).tolist() == children.tolist()
    assert segment_of[found].tolist() == segment_of[above].tolist()

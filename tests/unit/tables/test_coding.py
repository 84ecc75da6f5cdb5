from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.tables.coding import dense_codes


@given(st.lists(st.integers(0, 10**6) | st.integers(0, 5), max_size=50))
def test_it_is_what_numpy_unique_gives(numbers: list[int]) -> None:
    column = np.array(numbers, np.int64)
    distinct, place = dense_codes(column)
    expected, inverse = np.unique(column, return_inverse=True)
    assert distinct.tolist() == expected.tolist()
    assert place.tolist() == inverse.tolist()

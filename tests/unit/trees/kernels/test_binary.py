"""A node's records are divided without losing their order."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hushwood.trees.kernels.records import divide


@given(st.lists(st.booleans(), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_dividing_keeps_the_order_on_both_sides(goes: list[bool], chance: Any) -> None:
    order = list(range(len(goes)))
    chance.shuffle(order)
    divided = np.array([-1, *order, -2], np.int32)
    divide(divided, 1, len(goes) + 1, np.array(goes), np.empty(len(goes), np.int32))
    wanted = [row for row in order if goes[row]] + [row for row in order if not goes[row]]
    assert divided.tolist() == [-1, *wanted, -2]

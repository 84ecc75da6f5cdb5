"""Indices are refused before a compiled loop follows them."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import check_indices
from hushwood.errors import InternalFault


def test_indices_inside_pass() -> None:
    check_indices("Codes", np.array([0, 2, 1], np.uint8), 3)
    check_indices("Codes", np.array([-1, 2]), 3, least=-1)
    check_indices("Codes", np.empty((0, 4), np.int32), 0)


@pytest.mark.parametrize("wrong", [[3], [-1], [0, 2**40], [-(2**40), 1]])
def test_indices_outside_are_refused(wrong: list[int]) -> None:
    with pytest.raises(InternalFault, match="Codes must lie from 0 to 2"):
        check_indices("Codes", np.array(wrong), 3)


def test_what_is_no_index_is_refused() -> None:
    with pytest.raises(InternalFault, match="whole numbers, not float64"):
        check_indices("Codes", np.array([0.0]), 3)

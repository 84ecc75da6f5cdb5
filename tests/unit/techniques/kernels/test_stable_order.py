"""The stable sort against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array
from hushwood.techniques.kernels.sequential import RUN, stable_order


def ordered(keys: Array, room: int = 0) -> list[int]:
    places = np.full((2, len(keys) + room), -1)
    stable_order(keys, places[0], places[1])
    return [int(place) for place in places[0, : len(keys)]]


@given(st.lists(st.integers(-3, 3).map(float), max_size=6 * RUN), st.integers(0, 3))
def test_equal_keys_keep_their_order(keys: list[float], room: int) -> None:
    given_keys = np.array(keys, np.float64)
    assert ordered(given_keys, room) == np.argsort(given_keys, kind="stable").tolist()


@pytest.mark.parametrize("size", [0, 1, RUN - 1, RUN, RUN + 1, 2 * RUN, 2 * RUN + 1, 1000])
def test_runs_of_every_length_are_merged(size: int) -> None:
    keys = np.random.default_rng(size).random(size)
    assert ordered(keys) == np.argsort(keys, kind="stable").tolist()
    assert ordered(np.sort(keys)[::-1].copy()) == list(range(size))[::-1]

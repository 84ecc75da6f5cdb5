from __future__ import annotations

import numpy as np
import pytest

from hushwood.distances.coding import MISSING, Coded
from hushwood.distances.kernels.blocks import agreements, mixed_word
from hushwood.distances.neighbours import packed


@pytest.mark.parametrize("largest", [3, 300, 70_000])
def test_the_agreement_of_two_targets_with_a_block_by_hand(largest: int) -> None:
    targets = Coded(np.array([[0, 0.5], [0.25, MISSING]], np.float32), np.array([[largest, 1]], np.int32), 2)
    released = Coded(
        np.array([[0, 1, 0.5, 0], [0.25, 0.75, MISSING, 2]], np.float32),
        np.array([[0, largest, -1, 1]], np.int32),
        4,
    )
    sums, misses = np.full((2, 5), -9, np.float32), np.ones((2, 5), packed(targets, released).codes.dtype)
    agreements(packed(targets, released), 0, 1, 1, 4, sums, misses)
    assert sums.tolist() == [[1.5, 0.5, 1, -9, -9], [0.5, 2, 1.5, -9, -9]]


def test_words_are_mixed_as_splitmix64_does() -> None:
    """From the state 1234567 its first numbers are these; the n-th is the mix of state and n."""
    state = np.uint64(1234567)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [int(mixed_word(state, n)) for n in range(3)] == expected

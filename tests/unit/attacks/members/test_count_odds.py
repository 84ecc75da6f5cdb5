from __future__ import annotations

from math import log

import numpy as np
import pytest

from hushwood.attacks.members.count_odds import count_odds


def test_by_hand() -> None:
    """Value 7 stands once in the release and 8 twice; of the reference one has 8, and three have nothing of it."""
    odds = count_odds(np.array([7, 8, 9]), np.array([7, 8, 8]), np.array([8, 1, 2, 3]))
    copies = {0: 0.5 / 5.5, 1: 1.5 / 5.5, 2: 2.5 / 5.5}
    others = {0: 3.5 / 6.5, 1: 0.5 / 6.5, 2: 1.5 / 6.5}
    expected = [log(0.5 * copies[c] / others[c] + 0.5) for c in (1, 2, 0)]
    assert odds.tolist() == pytest.approx(expected)
    assert odds[0] > 0 > odds[2]


def test_values_that_everybody_has_say_nothing() -> None:
    odds = count_odds(np.zeros(3, np.int64), np.zeros(500, np.int64), np.zeros(500, np.int64))
    assert odds.tolist() == pytest.approx([0.0] * 3)

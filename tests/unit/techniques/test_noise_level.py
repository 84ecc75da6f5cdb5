from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.techniques.noise_level import checked_noise, said_bounds, said_where


@pytest.mark.parametrize("noise", [1e-6, 0.5, 3.0])
def test_levels_above_zero_are_taken(noise: float) -> None:
    assert checked_noise(noise, "a share") == noise


@pytest.mark.parametrize("noise", [0.0, -1.0, float("nan"), float("inf")])
def test_others_are_refused_by_their_value(noise: float) -> None:
    with pytest.raises(InputError, match=f"a share, above 0; {noise:g} was given"):
        checked_noise(noise, "a share")


def test_a_most_is_named() -> None:
    assert checked_noise(0.25, "a share", 0.25) == 0.25
    with pytest.raises(InputError, match=r"above 0 and at most 0\.25; 0\.3 was given"):
        checked_noise(0.3, "a share", 0.25)


def test_sentences_tell_where_and_how_far() -> None:
    assert said_where("segment") != said_where("table")
    assert said_bounds(True) != said_bounds(False)

"""Numbers won back from random factors."""

from __future__ import annotations

from hushwood.reconstruction.estimators import recover_factor_noise
from hushwood.reconstruction.recovered import NotRecovered, Recovered
from hushwood.techniques.added_noise import KimWinkler
from support.announced_columns import ages, how_far, known, perturbed


def test_two_hills_appear_again() -> None:
    technique = KimWinkler(noise=0.06)
    original = ages()
    released = perturbed(original, technique)
    found = recover_factor_noise(known(released, "age", technique))
    assert isinstance(found, Recovered)
    assert found.limits is not None
    before, after = how_far(released.columns["age"], original.columns["age"], found.limits, found.shares)
    assert after < 0.75 * before


def test_ranges_of_segments_are_not_known() -> None:
    found = recover_factor_noise(known(ages(size=20), "age", KimWinkler(within="segment")))
    assert isinstance(found, NotRecovered)
    assert "segments" in found.reason

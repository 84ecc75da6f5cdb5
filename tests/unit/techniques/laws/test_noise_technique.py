from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.techniques.added_noise import Kim, KimWinkler, LogNoise, NoiseTechnique, Sadp, TendickMatloff

ALL = [Kim, KimWinkler, LogNoise, Sadp, TendickMatloff]


@pytest.mark.parametrize("technique", ALL)
def test_levels_above_zero_are_accepted_and_others_refused_by_their_value(
    technique: type[NoiseTechnique],
) -> None:
    for noise in (1e-6, 0.25):
        assert technique(noise).noise == noise
    for noise in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match=f"noise of {technique.acronym}.*above 0.*; {noise:g} was given"):
            technique(noise)


def test_a_maximum_is_named() -> None:
    with pytest.raises(InputError, match=r"above 0 and at most 0\.25; 0\.3 was given"):
        KimWinkler(0.3)


@pytest.mark.parametrize("technique", ALL)
def test_sentences_say_where_and_how_far(technique: type[NoiseTechnique]) -> None:
    said = {technique(0.2, bounded=bounded).says() for bounded in (True, False)}
    assert len(said) == 2
    assert technique(within="segment").said_where != technique().said_where

"""Numbers won back from noise that is a share of their own spread: SADP, KIM, TENDICK and LOGNOISE."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.reconstruction.estimators import recover_added_noise, recover_log_noise, recover_shrunk_noise
from hushwood.reconstruction.known_noise import AddedNoise
from hushwood.reconstruction.recovered import Estimator, Known, NotRecovered, Recovered
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Kim, LogNoise, NoiseTechnique, Sadp, TendickMatloff, Traub
from hushwood.techniques.mask_and_swap import MaskAndSwap
from hushwood.techniques.protocol import Technique
from support.announced_columns import ages, how_far, known, perturbed

WAYS = [
    (recover_added_noise, Sadp(noise=0.4)),
    (recover_added_noise, Sadp(noise=0.4, bounded=False)),
    (recover_shrunk_noise, Kim(noise=0.4, bounded=False)),
    (recover_shrunk_noise, TendickMatloff(noise=0.4, bounded=False)),
    (recover_shrunk_noise, MaskAndSwap(noise=0.4, bounded=False)),
    (recover_added_noise, Traub(records=400)),
    (recover_log_noise, LogNoise(noise=0.3, bounded=False)),
]


def won_back(estimator: Estimator, about: Known) -> tuple[Recovered, Floats]:
    found = estimator(about)
    assert isinstance(found, Recovered)
    assert found.limits is not None
    return found, found.limits


@pytest.mark.parametrize(("estimator", "technique"), WAYS)
def test_two_hills_appear_again(estimator: Estimator, technique: Technique) -> None:
    original = ages()
    released = perturbed(original, technique)
    found, limits = won_back(estimator, known(released, "age", technique))
    before, after = how_far(released.columns["age"], original.columns["age"], limits, found.shares)
    assert after < 0.6 * before
    assert found.shares.sum() == pytest.approx(1.0)
    assert found.rules_out is not None
    assert 0.1 < found.rules_out < 0.9


def test_the_size_of_the_noise_follows_from_the_release() -> None:
    """Bounded or not, within a tenth of what was drawn: √0.4 times the original's standard deviation."""
    original = ages()
    drawn = np.sqrt(0.4) * original.columns["age"].std()
    for bounded in (True, False):
        technique = Sadp(noise=0.4, bounded=bounded)
        found, _ = won_back(recover_added_noise, known(perturbed(original, technique), "age", technique))
        noise: Any = found.noise
        scale = noise.scale if isinstance(noise, AddedNoise) else noise.law.scale[0]
        assert scale == pytest.approx(drawn, rel=0.1)


def test_shrunk_numbers_are_stretched_by_hand() -> None:
    """c = 1 / √(1 + 0.5625) = 0.8: two below the mean of 30 was two and a half below."""
    table = ages(size=10).with_columns({"age": np.array([28.0, 32.0] * 5)})
    found, _ = won_back(
        recover_shrunk_noise, known(table, "age", TendickMatloff(noise=0.5625, bounded=False))
    )
    assert found.shrunk == pytest.approx(0.8)
    assert found.values is not None
    np.testing.assert_allclose(found.values, [27.5, 32.5] * 5)
    assert isinstance(found.noise, AddedNoise)
    assert found.noise.scale == pytest.approx(1.5)


def test_limits_of_logarithms_hold_whole_numbers() -> None:
    technique = LogNoise(noise=0.3, bounded=False)
    _, limits = won_back(recover_log_noise, known(perturbed(ages(), technique), "age", technique))
    np.testing.assert_allclose(limits % 1, 0.5)
    assert (np.diff(limits) > 0).all()


@pytest.mark.parametrize(
    ("estimator", "technique", "values", "says"),
    [
        (recover_shrunk_noise, Kim(), [1.0, 2.0], "kim.bounded=false"),
        (recover_log_noise, LogNoise(), [1.0, 2.0], "lognoise.bounded=false"),
        (recover_log_noise, LogNoise(bounded=False), [0.0, 2.0], "not announced"),
        (recover_added_noise, Sadp(within="segment"), [1.0, 2.0], "segment"),
        (recover_added_noise, Sadp(), [4.0, 4.0], "two different values"),
        (recover_added_noise, Sadp(), [np.nan, np.nan], "two different values"),
    ],
)
def test_what_is_not_recovered_says_why(
    estimator: Estimator, technique: NoiseTechnique, values: list[float], says: str
) -> None:
    table: Table = ages(size=2).with_columns({"age": np.array(values)})
    found = estimator(known(table, "age", technique))
    assert isinstance(found, NotRecovered)
    assert says in found.reason

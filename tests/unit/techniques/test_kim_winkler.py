from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import truncnorm

from hushwood.errors import InputError
from hushwood.techniques.added_noise import KimWinkler
from support.normal_tables import normal_numbers, numbers_table, released_numbers, segments_of

ROWS = 100_000


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.25])
def test_means_stay_and_variances_are_as_stated(noise: float) -> None:
    """Var Y = (1 + v) Var X + v (E X)², where cutting at two standard deviations leaves v = 0.774 s²."""
    x = normal_numbers(ROWS)
    y = released_numbers(KimWinkler(noise, bounded=False), numbers_table(x))
    v = noise * truncnorm(-2, 2).var()
    assert v == pytest.approx(0.774 * noise, rel=1e-3)
    wanted = (1 + v) * x.var(axis=0) + v * x.mean(axis=0) ** 2
    assert (y.var(axis=0) / wanted).tolist() == pytest.approx([1, 1, 1], abs=0.02)
    assert np.abs((y.mean(axis=0) - x.mean(axis=0)) / np.sqrt(wanted)).max() < 4 / ROWS**0.5


def test_factors_stay_within_two_standard_deviations_of_one() -> None:
    x = normal_numbers(2000)
    factor = released_numbers(KimWinkler(0.04, bounded=False), numbers_table(x)) / x
    assert factor.min() >= 0.6
    assert factor.max() <= 1.4
    assert np.abs(factor - 1).max() > 0.39
    # Columns are multiplied apart.
    assert abs(np.corrcoef(factor[:, 0], factor[:, 1])[0, 1]) < 0.1


def test_signs_and_zeros_stay() -> None:
    x = np.array([[-5.0], [0.0], [3.0]] * 50)
    y = released_numbers(KimWinkler(0.25, bounded=False), numbers_table(x))
    assert np.array_equal(np.sign(x), np.sign(y))
    assert ((x != y) == (x != 0)).all()


def test_a_release_stays_in_the_box_of_its_segment() -> None:
    x = np.full((400, 1), 9.0)
    table = numbers_table(x, far=10)
    segments = segments_of(table, [0] * 200 + [1] * 200)
    segments.intervals["a"].high[1] = 9.5
    y = released_numbers(KimWinkler(0.2, within="segment"), table, segments)[:, 0]
    assert y[:200].max() > 9.5 >= y[200:].max()
    assert y.max() <= 10
    anywhere = released_numbers(KimWinkler(0.2), table, segments)[:, 0]
    assert anywhere[200:].max() > 9.5


def test_what_keeps_segments_and_what_is_refused() -> None:
    assert KimWinkler(within="segment").keeps_segment
    assert not KimWinkler(within="segment", bounded=False).keeps_segment
    for noise in (0.0, 0.26):
        with pytest.raises(InputError, match=r"at most 0\.25"):
            KimWinkler(noise)
    assert "between 0.8 and 1.2" in KimWinkler(0.01).says()

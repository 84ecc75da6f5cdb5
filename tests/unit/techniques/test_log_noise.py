from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.segments.partition import whole_table
from hushwood.techniques.added_noise import LogNoise, origins
from support.normal_tables import normal_numbers, numbers_table, released_numbers, segments_of

ROWS = 60_000


def positive_numbers(rows: int) -> Floats:
    """Correlated lognormal columns of quite different sizes."""
    z = normal_numbers(rows) / [2.0, 3.0, 10.0]
    return np.asarray(np.exp(0.6 * (z - z.mean(axis=0)) + [0.0, 3.0, 9.0]))


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.5])
def test_every_number_is_the_mean_of_what_it_becomes(noise: float) -> None:
    x = positive_numbers(ROWS)
    y = released_numbers(LogNoise(noise, bounded=False), numbers_table(x, far=1e12))
    factor = y / x
    assert np.abs((factor.mean(axis=0) - 1) / factor.std(axis=0)).max() < 4 / ROWS**0.5
    assert factor.std(axis=0).min() > 0.05


def test_noise_on_logarithms_has_a_share_of_their_covariance() -> None:
    x = positive_numbers(ROWS)
    y = released_numbers(LogNoise(0.3, bounded=False), numbers_table(x, far=1e12))
    wanted = 0.3 * np.cov(np.log(x), rowvar=False)
    found = np.cov(np.log(y) - np.log(x), rowvar=False)
    assert np.abs((found - wanted) / wanted.max()).max() < 0.02
    # So the logarithms' correlations stay.
    np.testing.assert_allclose(
        np.corrcoef(np.log(y), rowvar=False), np.corrcoef(np.log(x), rowvar=False), atol=0.01
    )


def test_only_columns_with_other_than_positive_numbers_are_moved() -> None:
    numbers = np.array([[1.0, 0.0, -2.0], [3.0, 4.0, 2.0], [np.nan, 2.0, np.nan]])
    assert origins(numbers).tolist() == pytest.approx([0.0, (8 / 3) ** 0.5, 4.0])
    assert origins(np.zeros((3, 1))).tolist() == [1.0]
    assert origins(np.full((2, 1), np.nan)).tolist() == [0.0]


def test_the_move_is_stated_with_the_law() -> None:
    table = numbers_table(np.array([[1.0, -2.0], [3.0, 2.0], [2.0, 0.0]]), 0)
    law = LogNoise().prepare(table, ["a", "b"], whole_table(table)).law()
    assert law.described()["form"] == "joint lognormal"
    assert law.described()["origin"] == pytest.approx([0.0, 2 + (8 / 3) ** 0.5])


def test_zeros_get_noise_too() -> None:
    x = np.array([[0.0], [10.0]] * 2000)
    y = released_numbers(LogNoise(0.5, bounded=False), numbers_table(x))[:, 0]
    assert (y[::2] != 0).all()
    # The zero counts as 5, one standard deviation: nothing falls below -5.
    assert y.min() > -5
    assert y[::2].mean() == pytest.approx(0, abs=4 * y[::2].std() / 2000**0.5)


def test_units_change_nothing() -> None:
    x = positive_numbers(300)
    x[:, 0] -= 1
    one, other = (released_numbers(LogNoise(0.2), numbers_table(m, far=1e9)) for m in (x, 8 * x))
    np.testing.assert_allclose(8 * one, other, rtol=1e-9, atol=1e-9)


def test_a_record_alone_does_not_go_out_as_it_came() -> None:
    x = positive_numbers(60)
    table = numbers_table(x, far=1e9)
    y = released_numbers(LogNoise(within="segment"), table, segments_of(table, [0] * 59 + [1]))
    assert (np.abs(y[59] / x[59] - 1) > 1e-3).all()


def test_what_keeps_segments_and_what_is_refused() -> None:
    assert LogNoise(within="segment").keeps_segment
    assert not LogNoise(within="segment", bounded=False).keeps_segment
    with pytest.raises(InputError, match="above 0"):
        LogNoise(-1.0)

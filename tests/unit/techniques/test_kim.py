from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.techniques.added_noise import Kim
from support.normal_tables import explained, normal_numbers, numbers_table, released_numbers, segments_of

ROWS = 60_000


@pytest.mark.parametrize("scale", ["asymptotic", "finite"])
@pytest.mark.parametrize("noise", [0.1, 0.5, 2.0])
def test_means_and_covariances_stay_and_the_security_is_as_stated(noise: float, scale: str) -> None:
    x = normal_numbers(ROWS)
    z = released_numbers(Kim(noise, bounded=False, scale=scale), numbers_table(x))  # type: ignore[arg-type]
    spread = x.std(axis=0)
    assert np.abs((z.mean(axis=0) - x.mean(axis=0)) / spread).max() < 4 / ROWS**0.5
    change = np.cov(z, rowvar=False) - np.cov(x, rowvar=False)
    assert np.abs(change / np.outer(spread, spread)).max() < 0.02
    for j in range(3):
        assert explained(x[:, j], z[:, j]) == pytest.approx(1 / (1 + noise), abs=0.01)


def test_the_finite_factor_is_the_smaller_one_for_few_records() -> None:
    table = numbers_table(normal_numbers(6))
    x = np.stack(list(table.columns.values()), axis=1)
    finite, large = (
        released_numbers(Kim(1.0, bounded=False, scale=scale), table) for scale in ("finite", "asymptotic")
    )
    # The same draws, drawn back further: √(5 / 11) against √(1 / 2).
    away = x.mean(axis=0)
    np.testing.assert_allclose(
        (finite - away) / (large - away), (10 / 11) ** 0.5, rtol=1e-5
    )  # up to the grid


def test_inside_segments_every_segment_keeps_its_own_moments() -> None:
    x = normal_numbers(ROWS)
    ids = np.arange(ROWS) % 2
    x[ids == 1] = x[ids == 1] * 3 + 100
    table = numbers_table(x)
    z = released_numbers(Kim(within="segment", bounded=False), table, segments_of(table, ids.tolist()))
    for segment in (0, 1):
        before, after = (np.cov(m[ids == segment], rowvar=False) for m in (x, z))
        spread = np.sqrt(np.diag(before))
        assert np.abs((after - before) / np.outer(spread, spread)).max() < 0.03


def test_a_record_alone_does_not_go_out_as_it_came() -> None:
    x = normal_numbers(40)
    table = numbers_table(x)
    z = released_numbers(Kim(within="segment"), table, segments_of(table, [0] * 39 + [1]))
    moved = np.abs(z[39] - x[39]) / x.std(axis=0)
    assert ((moved > 1e-4) & (moved < 4)).all()


def test_bounded_numbers_stay_inside_and_unbounded_ones_do_not() -> None:
    x = np.random.default_rng(3).integers(0, 3, (500, 2)).astype(float)
    table = numbers_table(x, precision=0, far=2)
    segments = segments_of(table, [0] * 500)
    for bounded in (True, False):
        z = released_numbers(Kim(2.0, bounded=bounded), table, segments)
        assert bool((np.abs(z) > 2).any()) != bounded
        assert np.array_equal(z, np.rint(z))


def test_what_keeps_segments() -> None:
    assert Kim(within="segment").keeps_segment
    assert not Kim(within="segment", bounded=False).keeps_segment
    assert not Kim().keeps_segment


def test_other_scales_and_levels_are_refused() -> None:
    with pytest.raises(InputError, match="scale"):
        Kim(scale="exact")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="above 0"):
        Kim(0.0)

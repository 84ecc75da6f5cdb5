from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.segments.partition import whole_table
from hushwood.techniques.added_noise import Kim, TendickMatloff
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.together.group_perturber import GroupPerturber
from support.normal_tables import explained, normal_numbers, numbers_table, released_numbers

ROWS = 60_000


def law_of(technique: Kim | TendickMatloff) -> JointNormalLaw:
    table = numbers_table(normal_numbers(25))
    perturber = technique.prepare(table, list(table.columns), whole_table(table))
    assert isinstance(perturber, GroupPerturber)
    assert isinstance(perturber.method.stated, JointNormalLaw)
    return perturber.method.stated


def test_it_is_kim_with_the_factor_of_a_large_table() -> None:
    own, asymptotic, finite = (
        law_of(t) for t in (TendickMatloff(0.8), Kim(0.8, scale="asymptotic"), Kim(0.8))
    )
    assert own.described() == asymptotic.described()
    assert own.root[0, 0, 0] > finite.root[0, 0, 0]


def test_the_law_keeps_the_covariance_exactly() -> None:
    x = normal_numbers(25)
    law = law_of(TendickMatloff(0.8))
    covariance = np.cov(x, rowvar=False)
    kept = law.slope[0] @ covariance @ law.slope[0].T + law.root[0] @ law.root[0].T
    np.testing.assert_allclose(kept, covariance, rtol=1e-9)
    np.testing.assert_allclose(law.shift[0] + law.slope[0] @ x.mean(axis=0), x.mean(axis=0))


def test_draws_keep_means_and_covariances_and_have_the_stated_security() -> None:
    x = normal_numbers(ROWS)
    z = released_numbers(TendickMatloff(0.5, bounded=False), numbers_table(x))
    spread = x.std(axis=0)
    assert np.abs((z.mean(axis=0) - x.mean(axis=0)) / spread).max() < 4 / ROWS**0.5
    change = np.cov(z, rowvar=False) - np.cov(x, rowvar=False)
    assert np.abs(change / np.outer(spread, spread)).max() < 0.02
    assert explained(x[:, 2], z[:, 2]) == pytest.approx(2 / 3, abs=0.01)


def test_what_keeps_segments_and_what_is_refused() -> None:
    assert TendickMatloff(within="segment").keeps_segment
    assert not TendickMatloff(within="segment", bounded=False).keeps_segment
    with pytest.raises(InputError, match="above 0"):
        TendickMatloff(-0.5)

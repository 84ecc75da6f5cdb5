from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.reconstruction.moments import chance_of_error, covariance_without_noise, records_needed
from hushwood.segments.partition import whole_table
from hushwood.techniques.added_noise import Sadp, Traub
from oracles.normal_chances import rounded
from support.normal_tables import normal_numbers, numbers_table, released_numbers

ROWS = 40_000


def test_the_noise_is_the_most_that_the_error_of_averages_allows() -> None:
    """500 records, a tenth of a standard deviation, one time in ten: d = 500 · 0.01 · 0.1."""
    assert Traub().noise == pytest.approx(0.5)
    assert Traub(50, 0.2, 0.05).noise == pytest.approx(0.1)
    for wanted in (Traub(), Traub(50, 0.2, 0.05), Traub(7, 0.3, 1.0)):
        assert chance_of_error(wanted.noise, wanted.records, wanted.error) == pytest.approx(wanted.risk)
        assert records_needed(wanted.noise, wanted.error, wanted.risk) == wanted.records


def test_averages_keep_the_promise_and_single_numbers_are_hidden() -> None:
    x = normal_numbers(ROWS)
    wanted = Traub(100, 0.2, 0.2)
    y = released_numbers(wanted, numbers_table(x))
    off = (y - x).reshape(-1, wanted.records, 3).mean(axis=1) / x.std(axis=0)
    late = (np.abs(off) > wanted.error).mean(axis=0)
    assert late.max() <= wanted.risk
    # Chebyshev's inequality holds for any noise; for a normal one the chance is that beyond 1 / √risk deviations.
    assert late.max() < 0.05
    assert (y - x).std(axis=0) / x.std(axis=0) == pytest.approx([wanted.noise**0.5] * 3, rel=0.02)


def test_it_is_sadp_with_that_noise() -> None:
    table = numbers_table(normal_numbers(50), 1)
    one, other = (
        t.prepare(table, ["a", "b"], whole_table(table)) for t in (Traub(), Sadp(0.5, bounded=False))
    )
    assert one.law().described() == other.law().described()


@pytest.mark.parametrize("bounded", [True, False])
def test_the_law_equals_the_oracle(bounded: bool) -> None:
    x = np.array([[0.0], [1.0], [2.0], [2.0], [5.0]])
    table = numbers_table(x, 0, far=6)
    law = Traub(200, 0.1, 0.1, bounded=bounded).prepare(table, ["a"], whole_table(table)).law()
    spread = (0.2 * x.var(ddof=1)) ** 0.5
    ends = (-6, 6) if bounded else (-np.inf, np.inf)
    for mean in (0.0, 2.0, 5.0):
        asked = np.arange(-9.0, 12.0)
        found = np.exp(law.log_prob({"a": np.full(21, mean)}, {"a": asked}, np.zeros(21, int)))
        assert found == pytest.approx([rounded(y, mean, spread, *ends) for y in asked], abs=1e-12)


def test_covariances_are_estimated_from_the_release() -> None:
    x = normal_numbers(ROWS)
    y = released_numbers(Traub(), numbers_table(x))
    found, truth = covariance_without_noise(y, Traub().noise), np.cov(x, rowvar=False)
    spread = np.sqrt(np.outer(np.diag(truth), np.diag(truth)))
    assert np.abs((found - truth) / spread).max() < 0.03
    assert np.abs((np.cov(y, rowvar=False) - truth) / spread).max() > 0.4


def test_only_bounded_numbers_stay_inside() -> None:
    table = numbers_table(np.random.default_rng(3).integers(-2, 3, (500, 1)).astype(float), 0, far=2)
    for bounded in (True, False):
        y = released_numbers(Traub(2000, bounded=bounded), table)
        assert bool((np.abs(y) > 2).any()) != bounded
    assert Traub(bounded=True).promise.values == "inside"
    assert Traub().promise.values == "any"


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="1 or more; 0 was given"):
        Traub(0)
    with pytest.raises(InputError, match=r"risk of TRAUB must be above 0 and at most 1; 1\.5 was given"):
        Traub(risk=1.5)
    with pytest.raises(InputError, match="risk must be above 0"):
        records_needed(0.5, 0.1, 0.0)
    with pytest.raises(InputError, match=r"error above 0; 0 and 0\.1 were given"):
        chance_of_error(0.5, 0, 0.1)

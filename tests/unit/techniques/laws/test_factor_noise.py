from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, truncnorm

from hushwood.tables.domains import Intervals
from hushwood.techniques.added_noise import FactorLaw

ONE = np.zeros(1, int)


def law(
    low: float, high: float, precision: int | None = 0, spread: float = 0.1, bounded: bool = True
) -> FactorLaw:
    return FactorLaw(
        "x", Intervals(np.array([low]), np.array([high]), precision), spread, "KIMWINKLER", bounded
    )


def chances(of: FactorLaw, x: float, values: list[float]) -> list[float]:
    n = len(values)
    found = of.log_prob({"x": np.full(n, x)}, {"x": np.array(values)}, np.zeros(n, int))
    return [float(p) for p in np.exp(found)]


def test_probabilities_by_hand() -> None:
    """10 · r with r between 0.8 and 1.2: whole numbers 8 to 12, the outer ones for half a step only."""
    whole = norm.cdf(2) - norm.cdf(-2)
    outer, next_one, middle = (
        (norm.cdf(b) - norm.cdf(a)) / whole for a, b in ((1.5, 2.0), (0.5, 1.5), (-0.5, 0.5))
    )
    wanted = [0, outer, next_one, middle, next_one, outer, 0]
    assert chances(law(0, 100), 10, [7, 8, 9, 10, 11, 12, 13]) == pytest.approx(wanted)


def test_a_negative_number_has_the_mirrored_law() -> None:
    values = [7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0]
    mirrored = chances(law(-100, 0), -10, [-v for v in values])
    assert mirrored == pytest.approx(chances(law(0, 100), 10, values))


def test_a_box_takes_its_part_of_the_law() -> None:
    whole = norm.cdf(1.5) - norm.cdf(-0.5)
    wanted = [0, (norm.cdf(0.5) - norm.cdf(-0.5)) / whole, (norm.cdf(1.5) - norm.cdf(0.5)) / whole, 0]
    assert chances(law(10, 11), 10, [9, 10, 11, 12]) == pytest.approx(wanted)
    assert sum(chances(law(10, 11, bounded=False), 10, [9, 10, 11, 12, 8])) == pytest.approx(1)


def test_reals_have_the_truncated_density() -> None:
    wanted = truncnorm(-2, 1, loc=10, scale=1).pdf([8.5, 10.9])
    assert chances(law(0, 11, None), 10, [8.5, 10.9]) == pytest.approx(wanted.tolist())
    assert chances(law(0, 11, None), 10, [7.9, 11.1]) == [0, 0]


@pytest.mark.parametrize("precision", [0, None])
def test_zero_and_the_only_value_stay(precision: int | None) -> None:
    assert chances(law(-5, 5, precision), 0, [0, 1]) == [1, 0]
    assert chances(law(7, 7, precision), 7, [7, 8]) == [1, 0]
    assert chances(law(7, 7, precision, bounded=False), 7, [7, 8]) == [1, 0]


def test_missing_stays_missing() -> None:
    stated = law(0, 9)
    nan = {"x": np.array([np.nan])}
    one = {"x": np.array([1.0])}
    assert stated.log_prob(nan, nan, ONE).tolist() == [0]
    assert stated.log_prob(nan, one, ONE).tolist() == [-np.inf]
    assert stated.log_prob(one, nan, ONE).tolist() == [-np.inf]


def test_the_described_law_has_its_box_only_if_it_respects_it() -> None:
    assert "low" in law(0, 9).described()
    assert "low" not in law(0, 9, bounded=False).described()

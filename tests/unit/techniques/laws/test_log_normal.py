from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import lognorm

from hushwood.segments.partition import whole_table
from hushwood.techniques.added_noise import LogNoise
from hushwood.techniques.laws.joint_normal import LogNormalLaw, logarithms
from hushwood.techniques.together.group_perturber import GroupPerturber
from support.mixed_tables import number, table_of


def law_of(
    values: list[float], low: float, high: float, precision: int | None, bounded: bool
) -> LogNormalLaw:
    table = table_of({"x": (number("x", low, high, precision), values)})
    perturber = LogNoise(0.5, bounded=bounded).prepare(table, ["x"], whole_table(table))
    assert isinstance(perturber, GroupPerturber)
    assert isinstance(perturber.method.stated, LogNormalLaw)
    return perturber.method.stated


def chances(law: LogNormalLaw, x: float, released: list[float]) -> list[float]:
    n = len(released)
    found = law.log_prob({"x": np.full(n, x)}, {"x": np.array(released)}, np.zeros(n, int))
    return [float(p) for p in np.exp(found)]


VALUES = [1.0, 2.0, 4.0, 16.0]
NOISE = (0.5 * np.var(np.log(VALUES), ddof=1)) ** 0.5


def free(x: float) -> lognorm:
    """What x becomes: lognormal around it, with the drift that makes x the mean."""
    return lognorm(NOISE, scale=x * np.exp(-(NOISE**2) / 2))


def test_reals_have_the_lognormal_density() -> None:
    law = law_of(VALUES, 0.5, 50, None, bounded=False)
    assert free(4.0).mean() == pytest.approx(4)
    released = [0.1, 1.0, 4.0, 300.0]
    assert chances(law, 4.0, released) == pytest.approx(free(4.0).pdf(released).tolist())
    at_zero, below = chances(law, 4.0, [0.0, -1.0])
    assert at_zero < 1e-99  # zero stands for half a step above it
    assert below == 0


def test_reals_inside_a_domain_have_the_truncated_one() -> None:
    law = law_of(VALUES, 0.5, 20, None, bounded=True)
    inside = free(4.0).cdf(20) - free(4.0).cdf(0.5)
    assert chances(law, 4.0, [1.0, 19.0]) == pytest.approx((free(4.0).pdf([1.0, 19.0]) / inside).tolist())
    assert chances(law, 4.0, [0.4, 21.0]) == [0, 0]


@pytest.mark.parametrize("bounded", [True, False])
def test_a_grid_has_the_lognormal_probability_of_every_step(bounded: bool) -> None:
    law = law_of(VALUES, 0, 20, 0, bounded)
    steps = np.arange(0.0, 21)
    wanted = free(2.0).cdf(steps + 0.5) - free(2.0).cdf(steps - 0.5)
    if bounded:
        wanted = wanted / free(2.0).cdf(20.5)
    assert wanted[0] > 1e-3
    assert chances(law, 2.0, steps.tolist()) == pytest.approx(wanted.tolist())
    assert chances(law, 2.0, [-1.0, -2.0]) == [0, 0]


def test_with_an_origin_it_is_the_law_of_the_number_above_it() -> None:
    """From -3 up, with a standard deviation of 3: 6 is added first, and 3, 6, 9 ... are what logarithms see."""
    law = law_of([-3.0, 0.0, 0.0, 3.0, 3.0, -3.0, -4.5, 4.5], -20, 20, None, bounded=False)
    origin = float(law.origin[0])
    assert origin == pytest.approx(4.5 + np.std([-3.0, 0.0, 0.0, 3.0, 3.0, -3.0, -4.5, 4.5]))
    spread = float(law.logs.root[0, 0, 0])
    stated = lognorm(spread, loc=-origin, scale=(1.0 + origin) * np.exp(-(spread**2) / 2))
    assert stated.mean() == pytest.approx(1.0)
    assert chances(law, 1.0, [-5.0, 1.0, 8.0]) == pytest.approx(stated.pdf([-5.0, 1.0, 8.0]).tolist())
    assert chances(law, 1.0, [-origin - 0.1]) == [0]


def test_logarithms_end_at_the_origin() -> None:
    found = logarithms(np.array([[1.0, -3.0, -9.0]]), np.full(3, 2.0))
    assert found.tolist() == [[np.log(3.0), -np.inf, -np.inf]]

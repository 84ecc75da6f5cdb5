from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.attacks.judging.estimates import (
    AttackVerdict,
    chance_of,
    gain_over,
    risk_beyond,
    verdict,
    wilson,
)
from oracles.intervals import wilson_by_search


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_the_interval_of_its_definition(counts: tuple[int, int]) -> None:
    rate = wilson(*counts)
    assert rate.interval == pytest.approx(wilson_by_search(*counts), abs=1e-9)
    assert 0 <= rate.interval[0] <= rate.share <= rate.interval[1] <= 1


def test_formulas_by_hand() -> None:
    rate = wilson(10, 100)
    z2 = 1.959963984540054**2
    assert rate.centre == pytest.approx((10 + z2 / 2) / (100 + z2))
    assert rate.half_width == pytest.approx(z2**0.5 / (100 + z2) * (10 * 90 / 100 + z2 / 4) ** 0.5)
    assert rate.share == 0.1


def test_no_attempt_says_nothing() -> None:
    rate = wilson(0, 0)
    assert (rate.share, rate.interval) == (0.0, (0.0, 1.0))


def test_risk_beyond_a_control_by_hand() -> None:
    attack, control = wilson(600, 1000), wilson(200, 1000)
    risk = risk_beyond(attack, control)
    left = 1 - control.centre
    error = (
        (attack.half_width / left) ** 2 + (control.half_width * (1 - attack.centre) / left**2) ** 2
    ) ** 0.5
    assert risk.value == pytest.approx((attack.centre - control.centre) / left)
    assert risk.interval == pytest.approx((risk.value - error, risk.value + error))


@given(st.integers(0, 50), st.integers(0, 50))
def test_risk_stays_between_none_and_all(attack: int, control: int) -> None:
    risk = risk_beyond(wilson(attack, 50), wilson(control, 50))
    assert 0 <= risk.interval[0] <= risk.value <= risk.interval[1] <= 1
    assert attack > control or risk.value == 0


def test_gain_by_hand() -> None:
    assert gain_over(0.2, 0.6) == pytest.approx(0.5)
    assert gain_over(0.6, 0.2) == 0
    assert gain_over(1.0, 1.0) == 0


def test_chance_is_the_binomial_tail() -> None:
    assert chance_of(wilson(2, 3), 0.5) == pytest.approx(0.5)
    assert chance_of(wilson(0, 3), 0.5) == 1
    assert chance_of(wilson(3, 3), 0.1) == pytest.approx(0.001)
    assert chance_of(wilson(1, 3), 0.0) == 0
    assert chance_of(wilson(3, 3), 1.0) == 1


@pytest.mark.parametrize(
    ("successes", "naive", "control", "words"),
    [
        (500, 0.5, None, AttackVerdict.NO_BETTER),
        (520, 0.5, None, AttackVerdict.NO_BETTER),
        (400, 0.5, None, AttackVerdict.NO_BETTER),
        (600, 0.5, None, AttackVerdict.BETTER),
        (800, 0.5, None, AttackVerdict.MUCH_BETTER),
        (800, 0.5, 790, AttackVerdict.IN_GENERAL),
        (800, 0.5, 600, AttackVerdict.MUCH_BETTER),
        (650, 0.5, 550, AttackVerdict.BETTER),
        (520, 0.5, 100, AttackVerdict.NO_BETTER),
        (1000, 1.0, None, AttackVerdict.NO_BETTER),
    ],
)
def test_verdicts(successes: int, naive: float, control: int | None, words: str) -> None:
    beside = None if control is None else wilson(control, 1000)
    assert verdict(wilson(successes, 1000), naive, beside) == words


def test_one_lucky_guess_is_no_better_than_guessing() -> None:
    rate = wilson(1, 2000)
    assert rate.interval[0] > 1 / 30_000
    assert verdict(rate, 1 / 30_000, None) == AttackVerdict.NO_BETTER
    assert verdict(wilson(4, 2000), 1 / 30_000, None) == AttackVerdict.BETTER

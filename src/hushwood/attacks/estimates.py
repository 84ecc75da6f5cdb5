"""What a count of right guesses says: its interval, the risk beyond a control group, and the verdict in words.

Which guesses are right is decided in `scoring`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import NormalDist, stdev

CONFIDENCE = 0.95
STUDENT = 2.57  # Student's 97.5 % quantile for a deviation that six tries give
# From here on, in shares of the way from the naive guesser's rate to certainty, an attack is called much better.
MUCH = 0.5

NO_BETTER = "no better than guessing"
IN_GENERAL = "better than guessing, but no better than on people who were never in the table"
BETTER = "better than guessing"
MUCH_BETTER = "much better than guessing"


@dataclass(frozen=True, slots=True)
class Rate:
    """Right guesses among all, with the Wilson interval: centre and half width, cut to [0, 1] in `interval`.

    Successes may be fractions (shares of a target's numbers); the interval is then wider than it need be.
    """

    successes: float
    attempts: int
    centre: float
    half_width: float
    confidence: float = CONFIDENCE

    @property
    def share(self) -> float:
        """The plain rate; 0 without attempts."""
        return self.successes / self.attempts if self.attempts else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson interval; rounding never leaves the plain rate outside."""
        low, high = _cut(self.centre - self.half_width), _cut(self.centre + self.half_width)
        return min(low, self.share), max(high, self.share)


@dataclass(frozen=True, slots=True)
class Risk:
    """How much of what is left to learn an attack learns beyond a control group, with its interval."""

    value: float
    interval: tuple[float, float]


def wilson(successes: float, attempts: int, ways: int = 1) -> Rate:
    """The Wilson interval of a rate; without attempts, it is everything.

    If the rate is the best of several `ways`, the interval is as much wider as keeps the confidence for all of them.

    >>> low, high = wilson(10, 100).interval
    >>> round(low, 3), round(high, 3)
    (0.055, 0.174)
    """
    if attempts == 0:
        return Rate(0.0, 0, 0.5, 0.5)
    confidence = 1 - (1 - CONFIDENCE) / ways
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (successes + z * z / 2) / (attempts + z * z)
    spread = successes * (attempts - successes) / attempts + z * z / 4
    return Rate(successes, attempts, centre, z / (attempts + z * z) * sqrt(spread), confidence)


def widened(rate: Rate, blind: Sequence[float]) -> Rate:
    """The rate with an interval that also allows for luck, as tries that knew nothing show how much it does.

    Wilson's interval supposes that every guess stands for itself; guesses about people who are alike do not.
    """
    if len(blind) < 2:
        return rate
    luck = STUDENT * stdev(blind)
    return replace(rate, half_width=sqrt(rate.half_width**2 + luck**2))


def risk_beyond(attack: Rate, control: Rate) -> Risk:
    """R = (r_a − r_c) / (1 − r_c), the risk that comes from having been in the table, cut to [0, 1]."""
    left = 1 - control.centre
    value = (attack.centre - control.centre) / left
    from_attack = attack.half_width / left
    from_control = control.half_width * (1 - attack.centre) / left**2
    error = sqrt(from_attack**2 + from_control**2)
    return Risk(_cut(value), (_cut(value - error), _cut(value + error)))


def gain_over(naive: float, attack: float) -> float:
    """How far an attack comes on the way from the naive guesser's rate to certainty; 0 if it does no better."""
    return _cut((attack - naive) / (1 - naive)) if naive < 1 else 0.0


def chance_of(attack: Rate, naive: float) -> float:
    """The probability that so many guesses at the naive guesser's rate have as many successes, or more.

    >>> chance_of(wilson(1, 2), 0.5)
    0.75
    """
    from scipy.special import betainc

    if attack.successes <= 0 or naive >= 1:
        return 1.0
    return float(betainc(attack.successes, attack.attempts - attack.successes + 1, naive))


def verdict(attack: Rate, naive: float, control: Rate | None) -> str:
    """The verdict in words: better only if the whole interval lies above the naive guesser's rate.

    Of a handful of successes the Wilson interval thinks too well (one hit in 2,000 lies above 1 in 30,000, yet comes
    once in 15 tries by chance), so the exact probability is asked too. What is learnt of people who were never in
    the table as well is not the release's doing, so the control group is asked before the strength.
    """
    if attack.interval[0] <= naive or chance_of(attack, naive) > (1 - attack.confidence) / 2:
        return NO_BETTER
    if control is not None and control.attempts and risk_beyond(attack, control).interval[0] <= 0:
        return IN_GENERAL
    return MUCH_BETTER if gain_over(naive, attack.share) >= MUCH else BETTER


def _cut(value: float) -> float:
    return min(max(value, 0.0), 1.0)

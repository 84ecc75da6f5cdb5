"""What a count of correct guesses means: its interval, the excess risk over a control group, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from math import sqrt
from statistics import NormalDist, stdev
from typing import Any, Literal

CONFIDENCE = 0.95
STUDENT = 2.57  # Student's 97.5 % quantile for a deviation that six tries give
# From here on, in shares of the way from the naive guesser's rate to certainty, an attack is called much better.
MUCH = 0.5


class AttackVerdict(StrEnum):
    """How much better than a naive guesser an attack is."""

    NO_BETTER = "no better than guessing"
    IN_GENERAL = "better than guessing, but no better than on people who were never in the table"
    BETTER = "better than guessing"
    MUCH_BETTER = "much better than guessing"


@dataclass(frozen=True, slots=True)
class Rate:
    """The share of correct guesses with its Wilson interval: centre and half width, cut to [0, 1] in `interval`.

    Successes may be fractions (shares of a target's numbers); the interval is then wider than necessary.
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
        """The Wilson interval; it includes the plain rate in spite of rounding."""
        low, high = _cut(self.centre - self.half_width), _cut(self.centre + self.half_width)
        return min(low, self.share), max(high, self.share)


@dataclass(frozen=True, slots=True)
class RiskBeyond:
    """The excess risk: how much of what is left to learn an attack learns beyond a control group, with its interval."""

    value: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Excess:
    """How much more often an attack is right about people of the table than without them, with its interval.

    It is compared with the same attack on people who were never in the table ("control"), or with the blind rate
    ("chance") where such people have nothing to be found. Attempts are counted over all releases that were tried. `by`
    is the one attribute that people are singled out by, if that is the worst way. `further` are other quantities of the
    same attack by name, each with both ends of its interval.
    """

    value: float
    interval: tuple[float, float]
    over: Literal["control", "chance"]
    attempts: int
    control_attempts: int = 0
    releases: int = 1
    by: str = ""
    further: Mapping[str, tuple[float, float, float]] = field(default_factory=dict, hash=False)

    def about(self, name: str) -> Excess | None:
        """Another quantity of the same attack in its place; None if there is none of that name."""
        if name not in self.further:
            return None
        value, low, high = self.further[name]
        return replace(self, value=value, interval=(low, high), further={})

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        further = {name: list(ends) for name, ends in self.further.items()}
        plain = asdict(self) | {"interval": list(self.interval), "further": further}
        return plain if further else {name: value for name, value in plain.items() if name != "further"}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Excess:
        """Read what `to_json` gives."""
        low, high = plain["interval"]
        further = {name: (value, *ends) for name, (value, *ends) in plain.get("further", {}).items()}
        return cls(**{**plain, "interval": (low, high), "further": further})


def wilson(successes: float, attempts: int, ways: int = 1) -> Rate:
    """The Wilson interval of a rate; without attempts, it is everything.

    If the rate is the best of several `ways`, the interval is widened to keep the confidence for all.

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
    """The rate with an interval that also allows for luck, whose size blind tries show.

    Wilson's interval assumes independent guesses; guesses about similar people are not.
    """
    if len(blind) < 2:
        return rate
    luck = STUDENT * stdev(blind)
    return replace(rate, half_width=sqrt(rate.half_width**2 + luck**2))


def risk_beyond(attack: Rate, control: Rate) -> RiskBeyond:
    """R = (r_a − r_c) / (1 − r_c), the risk of having been in the table, cut to [0, 1]."""
    left = 1 - control.centre
    value = (attack.centre - control.centre) / left
    from_attack = attack.half_width / left
    from_control = control.half_width * (1 - attack.centre) / left**2
    error = sqrt(from_attack**2 + from_control**2)
    return RiskBeyond(_cut(value), (_cut(value - error), _cut(value + error)))


def gain_over(naive: float, attack: float) -> float:
    """How far an attack gets from the naive guesser's rate to certainty; 0 if it does no better."""
    return _cut((attack - naive) / (1 - naive)) if naive < 1 else 0.0


def chance_of(attack: Rate, naive: float) -> float:
    """The probability of at least this many successes at the naive guesser's rate.

    >>> chance_of(wilson(1, 2), 0.5)
    0.75
    """
    from scipy.special import betainc

    if attack.successes <= 0 or naive >= 1:
        return 1.0
    return float(betainc(attack.successes, attack.attempts - attack.successes + 1, naive))


def verdict(attack: Rate, naive: float, control: Rate | None) -> AttackVerdict:
    """The verdict: better only if the whole interval lies above the naive guesser's rate.

    With a handful of successes the Wilson interval is too optimistic (one hit in 2,000 lies above 1 in 30,000, yet
    happens by chance once in 15 tries), so the exact probability counts too. What is also learnt about people who were
    never in the table does not come from having been in it, so the control group comes before the strength.
    """
    if attack.interval[0] <= naive or chance_of(attack, naive) > (1 - attack.confidence) / 2:
        return AttackVerdict.NO_BETTER
    if control is not None and control.attempts and risk_beyond(attack, control).interval[0] <= 0:
        return AttackVerdict.IN_GENERAL
    return AttackVerdict.MUCH_BETTER if gain_over(naive, attack.share) >= MUCH else AttackVerdict.BETTER


def _cut(value: float) -> float:
    return min(max(value, 0.0), 1.0)

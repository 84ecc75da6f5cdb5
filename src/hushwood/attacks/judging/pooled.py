"""How well scores tell members from others, over several releases: rates, their limits, and what both are uncertain by.

A limit is set by the scores themselves (where 1 % of the others lie above it), so it moves with the sample. To first
order, a quantity q at the limit where h has a given level changes by its own change there, less dq/dh times the change
of h. Each person's part in that is added up over all releases that it is in, so the interval knows that people come
again and again.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, pi, sin, sqrt

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.attacks.judging.estimates import CONFIDENCE, Excess

LOW_ALARMS, HIGH_ALARMS = 0.01, 0.10
_NEARBY = 0.25  # the slope dq/dh is taken between levels that are this share lower and higher
# By name: what share of the others lies above the limit; None where shares of members and others add up to 1.
LEVELS = {"advantage": None, "at_1_percent": LOW_ALARMS, "at_10_percent": HIGH_ALARMS}
WORST_OFF = "worst_off_"
# All quantities of an attack on a list, and what guessing would give.
BY_GUESSING = {prefix + name: level or 0.0 for prefix in ("", WORST_OFF) for name, level in LEVELS.items()}
FURTHER = tuple(name for name in BY_GUESSING if name != "advantage")


@dataclass(frozen=True, slots=True)
class Pooled:
    """One entry for every person on every release: ranks without ties, whether inside, who, and whether worst-off."""

    rank: Floats
    inside: Flags
    person: Integers
    worst: Flags

    def excess(self, releases: int) -> Excess:
        """The advantage, and as further quantities the rates at few false alarms and those of the worst-off."""
        value, low, high = self.estimate("advantage")
        further = {name: self.estimate(name) for name in LEVELS if name != "advantage"}
        if (self.inside & self.worst).any() and (~self.inside & self.worst).any():
            further |= {WORST_OFF + name: self.estimate(name, worst=True) for name in LEVELS}
        inside = int(np.count_nonzero(self.inside))
        outside = len(self.inside) - inside
        return Excess(value, (low, high), "control", inside, outside, releases, further=further)

    def estimate(self, name: str, *, worst: bool = False) -> tuple[float, float, float]:
        """A quantity with both ends of its interval; for the worst-off, at the limits that count for everybody."""
        from scipy.special import stdtrit

        level = LEVELS[name]
        others = self.rank[~self.inside]
        some = self.worst if worst else np.ones(len(self.inside), bool)
        limit = self._limit(level)
        above = self.rank > limit
        inside, outside = self.inside & some, ~self.inside & some
        value = float(above[inside].mean()) - (float(above[outside].mean()) if level is None else 0.0)
        influence = _deviation(above, inside)
        held = _deviation(above, ~self.inside)
        if level is None:
            influence -= _deviation(above, outside)
            held += _deviation(above, self.inside)
        influence -= self._slope(level, inside, outside) * held
        by_person = np.bincount(self.person, influence)
        people = len(np.unique(self.person[some]))
        variance = float((by_person**2).sum()) * people / max(people - 1, 1)
        # One discordant attempt, so that no interval has the width 0 (Agresti and Min 2005).
        fewest = min(
            int(np.count_nonzero(inside)), int(np.count_nonzero(outside)) if level is None else len(others)
        )
        # Student's quantile, as the deviation is that of these people.
        half = float(stdtrit(max(people - 1, 1), (1 + CONFIDENCE) / 2)) * sqrt(
            variance + 1 / (fewest + 2) ** 2
        )
        if level is None:
            return value, max(value - half, -1.0), min(value + half, 1.0)
        return value, *_ends(value, half)

    def _limit(self, level: float | None, moved: float = 1.0) -> float:
        """The rank above which the share of the others is the level; without one, where both shares add up to 1."""
        inside = int(np.count_nonzero(self.inside))
        outside = len(self.inside) - inside
        order = np.argsort(-self.rank)
        ranks = self.rank[order]
        if level is not None:
            others = ranks[~self.inside[order]]
            allowed = min(int(level * moved * outside + 1e-9), outside - 1)
            return float(others[allowed])
        named = np.cumsum(np.where(self.inside[order], 1 / inside, 1 / outside))
        place = int(np.searchsorted(named, moved + 1e-9, "right"))
        return float(ranks[place]) if place < len(ranks) else float(ranks[-1]) - 1

    def _slope(self, level: float | None, inside: Flags, outside: Flags) -> float:
        """How much the quantity rises with what holds the limit in its place, taken between nearby limits."""
        ends = []
        for moved in (1 - _NEARBY, 1 + _NEARBY):
            above = self.rank > self._limit(level, moved)
            rate, alarms = float(above[inside].mean()), float(above[~self.inside].mean())
            if level is None:
                ends.append((rate - float(above[outside].mean()), alarms + float(above[self.inside].mean())))
            else:
                ends.append((rate, alarms))
        (first, low), (last, high) = ends
        return (last - first) / (high - low) if high > low else 1.0


def _ends(rate: float, half: float) -> tuple[float, float]:
    """Both ends for a rate near 0 or 1: even on the scale of the arcsine, on which its deviation hardly changes."""
    inner = min(max(rate, half / 2), max(1 - half / 2, 0.5))
    turned = half / (2 * sqrt(inner * (1 - inner))) if 0 < inner < 1 else 0.0
    low, high = asin(sqrt(min(rate, inner))) - turned, asin(sqrt(max(rate, inner))) + turned
    return min(sin(max(low, 0.0)) ** 2, rate), max(sin(min(high, pi / 2)) ** 2, rate)


def _deviation(above: Flags, group: Flags) -> Floats:
    """Every entry's part in the deviation of a group's rate."""
    rate = above[group].mean()
    return np.where(group, above - rate, 0.0) / np.count_nonzero(group)

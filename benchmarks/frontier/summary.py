"""Conclusions from the runs: means and paired differences with intervals, the dial, and what was to be shown.

The unit of every interval is the table: seeds are averaged first, then Student's t over the tables' means gives 95 %.
So an interval says what to expect of another table, not of another seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from frontier.contenders import DIAL, EQUAL_RISK, OURS, shuffled
from frontier.running import Run
from frontier.yardstick import BY_KEY, RISK, UTILITY

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean over tables and half the width of its 95 % interval; no interval for a single table."""

    mean: float
    half: float | None
    tables: int

    @property
    def low(self) -> float:
        return self.mean - (self.half or 0.0)

    @property
    def high(self) -> float:
        return self.mean + (self.half or 0.0)


@dataclass(frozen=True)
class Runs:
    """The runs of some tables, looked up by contender, measure and table."""

    values: Mapping[tuple[str, str], Mapping[tuple[str, int], float]]

    @classmethod
    def of(cls, runs: Iterable[Run], tables: Sequence[str]) -> Runs:
        found: dict[tuple[str, str], dict[tuple[str, int], float]] = {}
        for run in runs:
            for key, value in run.values.items() if run.table in tables else ():
                if value is not None:
                    found.setdefault((run.contender, key), {})[run.table, run.seed] = value
        return cls(found)

    @property
    def contenders(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(contender for contender, _ in self.values))

    def mean(self, contender: str, key: str) -> Estimate | None:
        """The mean over tables of the means over seeds; None without runs."""
        return estimate(_by_table(self.values.get((contender, key), {})))

    def difference(self, one: str, other: str, key: str) -> Estimate | None:
        """The same of one contender's number less the other's, over the splits that both have."""
        first, second = self.values.get((one, key), {}), self.values.get((other, key), {})
        return estimate(
            _by_table({place: first[place] - second[place] for place in first if place in second})
        )


def _by_table(values: Mapping[tuple[str, int], float]) -> list[float]:
    tables: dict[str, list[float]] = {}
    for (table, _), value in values.items():
        tables.setdefault(table, []).append(value)
    return [float(np.mean(seeds)) for seeds in tables.values()]


def estimate(values: Sequence[float]) -> Estimate | None:
    """Mean and half width of Student's 95 % interval.

    >>> estimate([1.0, 2.0, 3.0])
    Estimate(mean=2.0, half=2.48..., tables=3)
    """
    from scipy.stats import t

    if not values:
        return None
    count, mean = len(values), float(np.mean(values))
    if count == 1:
        return Estimate(mean, None, 1)
    spread = float(np.std(values, ddof=1)) / math.sqrt(count)
    return Estimate(mean, float(t.ppf((1 + LEVEL) / 2, count - 1)) * spread, count)


@dataclass(frozen=True)
class Dial:
    """One risk over k: its means, their falling (isotonic) fit, and whether it falls.

    It falls if the fit ends lower than it starts and no step up is beyond chance: its paired interval reaches 0.
    """

    key: str
    means: tuple[float, ...]
    fit: tuple[float, ...]
    falls: bool


def dial(runs: Runs, teacher: str) -> list[Dial]:
    """Every risk that has runs at all places of the dial."""
    names = [shuffled(k, teacher).name for k in DIAL]
    found = []
    for key in RISK:
        means = tuple(mean.mean for mean in (runs.mean(name, key) for name in names) if mean is not None)
        found += [_dial(runs, key, names, means)] if len(means) == len(names) else []
    return found


def _dial(runs: Runs, key: str, names: Sequence[str], means: tuple[float, ...]) -> Dial:
    from sklearn.isotonic import isotonic_regression

    fit = tuple(float(v) for v in isotonic_regression(np.array(means), increasing=False))
    steps = [runs.difference(after, before, key) for before, after in pairwise(names)]
    rises = any(step is not None and step.low > 0 for step in steps)
    return Dial(key, means, fit, fit[-1] < fit[0] and not rises)


@dataclass(frozen=True)
class Shown:
    """One thing that was to be shown: the limit, the number with its interval, and whether the mean keeps the limit."""

    what: str
    limit: str
    found: Estimate | None
    holds: bool | None


_LIMITS: tuple[tuple[str, str, str, float], ...] = (
    (OURS, "accuracy_share", "≥", 0.98),
    (OURS, "lift_share", "≥", 0.975),
    (OURS, "association_error", "≤", 0.040),
    (OURS, "marginal_distance", "≤", 0.015),
    (OURS, "told_apart", "≤", 0.60),
    (OURS, "linkage", "≤", 0.010),
    (OURS, "linkage_worst", "≤", 0.015),
    (OURS, "attribute_excess", "≤", 0.03),
    (OURS, "class_excess", "≤", 0.03),
    (OURS, "membership_nearest", "≤", 0.54),
    (OURS, "membership_unique", "≤", 0.55),
    (OURS, "kept", "≥", 1.0),
    (shuffled(50, "tree").name, "tree_agreement", "≥", 0.85),
    (shuffled(100).name, "attribute_excess", "≤", 0.025),
    (shuffled(100).name, "class_excess", "≤", 0.025),
)
_HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "≥": lambda found, limit: found >= limit,
    "≤": lambda found, limit: found <= limit,
}


def limits_shown(runs: Runs) -> list[Shown]:
    """The limits on means of segment-shuffle, each with what was found."""
    return [
        Shown(
            f"{contender}: {title_of(key)}",
            f"{sign} {limit:g}",
            found := runs.mean(contender, key),
            None if found is None else _HOLDS[sign](found.mean, limit),
        )
        for contender, key, sign, limit in _LIMITS
    ]


def title_of(key: str) -> str:
    return BY_KEY[key].title if key in BY_KEY else {"kept": "certificate", "seconds": "seconds"}[key]


# Whom segment-shuffle is to beat in all utility means.
RIVALS = (
    *("forest-synthesis", "arfpy"),
    *("forest-framework", "framework", "extended-framework", "forest-extended-framework", "random-framework"),
)
# Who is compared in pairs with cart-synthesis at equal risk.
PAIRED_AT_EQUAL_RISK = (OURS, shuffled(100).name)
CART = EQUAL_RISK


def behind(runs: Runs, rival: str) -> list[str] | None:
    """The utility means in which segment-shuffle is not ahead of a rival; None if the rival has no runs."""
    found = []
    for key in UTILITY:
        difference = runs.difference(OURS, rival, key)
        if difference is None:
            return None
        ahead = difference.mean > 0 if BY_KEY[key].better == "higher" else difference.mean < 0
        found += [] if ahead else [key]
    return found

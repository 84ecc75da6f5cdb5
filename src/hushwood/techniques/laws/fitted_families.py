"""Families of distributions fitted to numbers by their first two moments, and the one that fits best in each group.

Everything is about many groups at once: `mean`, `spread`, `low` and `high` are arrays with one number per group, and a
distribution is cut to [low, high]. How well it fits is the largest distance between its distribution function and that
of the numbers (Kolmogorov and Smirnov).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers

LEAST_MASS = 1e-9  # of a distribution inside the bounds; with less, the even one is taken
_ROOT_3 = 3.0**0.5
_FARTHEST = 1000.0


class FamilyShape(NamedTuple):
    """What a family needs of the groups: where it starts, and two parameters."""

    origin: Floats
    first: Floats
    second: Floats


@dataclass(frozen=True, slots=True)
class Family:
    """How parameters follow from the moments, and the distribution function, its inverse and the log density."""

    fitted: Callable[[Floats, Floats, Floats, Floats], FamilyShape]
    upto: Callable[[Floats, Floats, Floats], Floats]
    at: Callable[[Floats, Floats, Floats], Floats]
    log_density: Callable[[Floats, Floats, Floats], Floats]


def _above_zero(mean: Floats, spread: Floats, low: Floats) -> tuple[Floats, Floats]:
    """Where numbers begin, 0 unless some may lie below it, and how far the mean lies above.

    With a thousand spreads or more between the two a family is normal for all that can be seen, and any start will do.
    """
    origin = np.maximum(np.minimum(low, 0.0), mean - _FARTHEST * spread)
    return origin, np.where(mean > origin, mean - origin, 1.0)


def _gamma(mean: Floats, spread: Floats, low: Floats, high: Floats) -> FamilyShape:
    origin, above = _above_zero(mean, spread, low)
    return FamilyShape(origin, (above / spread) ** 2, spread**2 / above)


def _log_normal(mean: Floats, spread: Floats, low: Floats, high: Floats) -> FamilyShape:
    origin, above = _above_zero(mean, spread, low)
    variance = np.log1p((spread / above) ** 2)
    return FamilyShape(origin, np.log(above) - variance / 2, np.sqrt(variance))


def _normal_upto(x: Floats, first: Floats, second: Floats) -> Floats:
    from scipy.special import ndtr

    return np.asarray(ndtr((x - first) / second))


def _normal_at(p: Floats, first: Floats, second: Floats) -> Floats:
    from scipy.special import ndtri

    return np.asarray(first + second * ndtri(p))


def _normal_density(x: Floats, first: Floats, second: Floats) -> Floats:
    return np.asarray(-0.5 * ((x - first) / second) ** 2 - np.log(np.sqrt(2 * np.pi) * second))


def _gamma_upto(x: Floats, first: Floats, second: Floats) -> Floats:
    from scipy.special import gammainc

    return np.asarray(gammainc(first, np.maximum(x, 0.0) / second))


def _gamma_at(p: Floats, first: Floats, second: Floats) -> Floats:
    from scipy.special import gammaincinv

    return np.asarray(second * gammaincinv(first, p))


def _gamma_density(x: Floats, first: Floats, second: Floats) -> Floats:
    from scipy.special import gammaln, xlogy

    scaled = x / second
    with np.errstate(invalid="ignore"):
        found = xlogy(first - 1, scaled) - scaled - gammaln(first) - np.log(second)
    return np.where(x >= 0, found, -np.inf)


def _log_normal_upto(x: Floats, first: Floats, second: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return _normal_upto(np.log(np.maximum(x, 0.0)), first, second)


def _log_normal_density(x: Floats, first: Floats, second: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.maximum(x, 0.0))
        return np.where(x > 0, _normal_density(logs, first, second) - logs, -np.inf)


FAMILIES: Mapping[str, Family] = {
    "normal": Family(
        lambda mean, spread, low, high: FamilyShape(mean, np.zeros_like(mean), spread),
        _normal_upto,
        _normal_at,
        _normal_density,
    ),
    "uniform": Family(
        lambda mean, spread, low, high: FamilyShape(mean, _ROOT_3 * spread, np.ones_like(mean)),
        lambda x, first, second: np.clip((x / first + 1) / 2, 0.0, 1.0),
        lambda p, first, second: np.asarray(first * (2 * p - 1)),
        lambda x, first, second: np.where(np.abs(x) <= first, -np.log(2 * first), -np.inf),
    ),
    "exponential": Family(
        lambda mean, spread, low, high: FamilyShape(mean - spread, np.ones_like(mean), spread),
        _gamma_upto,
        _gamma_at,
        _gamma_density,
    ),
    "gamma": Family(_gamma, _gamma_upto, _gamma_at, _gamma_density),
    "lognormal": Family(
        _log_normal,
        _log_normal_upto,
        lambda p, first, second: np.exp(_normal_at(p, first, second)),
        _log_normal_density,
    ),
}
FAMILY_NAMES = tuple(FAMILIES)


@dataclass(frozen=True, slots=True)
class Fitted:
    """One distribution per group, cut to its bounds.

    `family` is its place among the names; `below` and `mass` are what lay below and inside the bounds before the cut.
    """

    family: Integers
    shape: FamilyShape
    below: Floats
    mass: Floats

    def upto(self, x: Floats, group: Integers) -> Floats:
        """The distribution function of every number's group, cut to its bounds."""
        found = self._by_family(x - self.shape.origin[group], group, lambda one: one.upto)
        return np.clip((found - self.below[group]) / self.mass[group], 0.0, 1.0)

    def at(self, p: Floats, group: Integers) -> Floats:
        """The number at a position of the group's distribution."""
        whole = np.clip(self.below[group] + p * self.mass[group], 0.0, 1.0)
        return self.shape.origin[group] + self._by_family(whole, group, lambda one: one.at)

    def log_density(self, x: Floats, group: Integers) -> Floats:
        """The log density of every number in its group; bounds are not looked at."""
        found = self._by_family(x - self.shape.origin[group], group, lambda one: one.log_density)
        return np.asarray(found - np.log(self.mass[group]))

    def _by_family(
        self, x: Floats, group: Integers, part: Callable[[Family], Callable[[Floats, Floats, Floats], Floats]]
    ) -> Floats:
        out = np.empty(len(x))
        of_each = self.family[group]
        for place, one in enumerate(FAMILIES.values()):
            here = np.flatnonzero(of_each == place)
            if len(here):
                groups = group[here]
                out[here] = part(one)(x[here], self.shape.first[groups], self.shape.second[groups])
        return out

    def where(self, chosen: Flags, other: Fitted) -> Fitted:
        """These distributions in the chosen groups, the others elsewhere."""
        pairs = zip(self.shape, other.shape, strict=True)
        return Fitted(
            np.where(chosen, self.family, other.family),
            FamilyShape(*(np.where(chosen, mine, theirs) for mine, theirs in pairs)),
            np.where(chosen, self.below, other.below),
            np.where(chosen, self.mass, other.mass),
        )


def cut(family: Integers, shape: FamilyShape, low: Floats, high: Floats) -> Fitted:
    """The distributions cut to the bounds of every group; the even one where next to nothing of them lies inside."""
    groups = np.arange(len(family))
    free = Fitted(family, shape, np.zeros(len(family)), np.ones(len(family)))
    below = free.upto(low, groups)
    found = Fitted(family, shape, below, free.upto(high, groups) - below)
    half = (high - low) / 2
    even = Fitted(
        np.full(len(family), FAMILY_NAMES.index("uniform")),
        FamilyShape(low + half, np.where(half > 0, half, 1.0), np.ones(len(family))),
        np.zeros(len(family)),
        np.ones(len(family)),
    )
    return found.where(found.mass >= LEAST_MASS, even)


def distances(fitted: Fitted, values: Floats, group: Array, half: Floats) -> Floats:
    """The distance of Kolmogorov and Smirnov in every group; `values` are sorted by group, then by size.

    The distribution is taken as it is after rounding to the grid: `half` is half a step of every group's.
    """
    sizes = np.bincount(group, minlength=len(half))
    place = np.arange(len(values)) - (np.cumsum(sizes) - sizes)[group]
    first = np.append(True, (np.diff(values) != 0) | (np.diff(group) != 0))[: len(values)]
    last = np.append(first[1:], True)[: len(values)]
    away = np.zeros(len(half))
    for there, side, count in ((first, -1.0, place), (last, 1.0, place + 1)):
        where = group[there]
        p = fitted.upto(values[there] + side * half[where], where)
        np.maximum.at(away, where, np.abs(p - count[there] / sizes[where]))
    return away


def best_fit(
    names: Sequence[str], values: Floats, group: Array, low: Floats, high: Floats, half: Floats
) -> Fitted:
    """The named family that fits best in every group; numbers without spread have the even distribution.

    `values` are sorted by group, then by size; every group is cut to [low, high], half a step beyond its grid.
    """
    sizes = np.maximum(np.bincount(group, minlength=len(half)), 1)
    mean = np.bincount(group, values, minlength=len(half)) / sizes
    spread = np.sqrt(np.bincount(group, (values - mean[group]) ** 2, minlength=len(half)) / sizes)
    spread = np.where(spread > 0, spread, 1.0)

    def fitted(name: str) -> tuple[Fitted, Floats]:
        family = np.full(len(half), FAMILY_NAMES.index(name))
        found = cut(family, FAMILIES[name].fitted(mean, spread, low, high), low, high)
        return found, distances(found, values, group, half)

    best, least = fitted(names[0])
    for name in names[1:]:
        found, away = fitted(name)
        best, least = found.where(away < least, best), np.minimum(away, least)
    return best

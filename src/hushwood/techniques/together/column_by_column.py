"""Log probabilities of numbers that were drawn one after the other, each from a normal law given those before it.

The laws of `joint_normal`, `log_normal` and `copula_law` differ only in the scale on which numbers are normal: their
own, a logarithm or a score. They say where a released number lies on it; this module sums over the columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Flags, Floats

FINE = 1e-5  # width of a step in deviations up to which the density is right to 1e-11
NEAR = 1e-9  # of a column's spread: how far rounding may move a number that earlier columns determine


@dataclass(frozen=True, slots=True)
class Places:
    """Where released numbers [record, column] lie on the scale of their law.

    A number stands for all between `below` and `above`; `at` is what later columns are conditioned on. Only what lies
    between `low` and `high` can be drawn. `step` is the distance of the column's grid points: probabilities are of a
    unit, not of a step, so that cells with other steps can be compared. `bend` turns a density on the scale into one of
    the number (both logarithms), for steps too fine to be measured by their ends. `settled` is the log probability of a
    number that earlier columns determine; without it there is one such number, and it is certain. `slack` is how far
    numbers may have moved when they were stored.
    """

    at: Floats
    below: Floats
    above: Floats
    low: Floats
    high: Floats
    step: Floats | None = None
    bend: Floats | None = None
    settled: Floats | None = None
    slack: Floats | None = None


def log_column_by_column(places: Places, middle: Floats, roots: Floats, known: Flags) -> Floats:
    """The sum over the known columns, given every record's means and the triangular root of its covariance."""
    total = np.zeros(len(middle))
    deviate, loose = np.zeros(middle.shape), np.zeros(middle.shape)
    for j in range(middle.shape[1]):
        pivot = roots[:, j, j]
        mean = middle[:, j] + (roots[:, j, :j] * deviate[:, :j]).sum(axis=1)
        used = known[:, j] & (pivot > 0)
        spread = np.where(used, pivot, 1.0)
        slack = (np.abs(roots[:, j, :j]) * loose[:, :j]).sum(axis=1)
        slack = slack if places.slack is None else slack + places.slack[:, j]
        near = NEAR * np.sqrt((roots[:, j, :j] ** 2).sum(axis=1)) + 1e-12 * np.abs(mean) + slack
        chance = np.where(used, _drawn(places, j, mean, spread), _settled(places, j, mean, near))
        total += np.where(known[:, j], chance, 0.0)
        deviate[:, j] = np.where(used, (places.at[:, j] - mean) / spread, 0.0)
        loose[:, j] = np.where(used, slack / spread, 0.0)
    return total


def _drawn(places: Places, j: int, mean: Floats, spread: Floats) -> Floats:
    """Log probability of numbers under a truncated normal law."""
    low, high, below, above = (
        (end[:, j] - mean) / spread for end in (places.low, places.high, places.below, places.above)
    )
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        inside = log_between(low, high)
        fine = above - below < FINE
        below, above = np.maximum(below, low), np.minimum(above, high)
        chance = np.where(below < above, log_between(below, above), -np.inf)
        if places.step is not None:
            chance = chance - np.log(places.step[:, j])
        if places.bend is not None:
            at = (places.at[:, j] - mean) / spread
            density = -0.5 * at**2 - np.log(np.sqrt(2 * np.pi) * spread) + places.bend[:, j]
            density = np.where((at < low) | (at > high), -np.inf, density)
            chance = np.where(fine, density, chance)
        return np.asarray(chance - inside)


def _settled(places: Places, j: int, mean: Floats, near: Floats) -> Floats:
    """Log probability of numbers that earlier columns determine, up to rounding."""
    if places.settled is not None:
        settled = places.settled[:, j]
        return settled if places.step is None else np.asarray(settled - np.log(places.step[:, j]))
    point = np.clip(mean, places.low[:, j], places.high[:, j])
    fits = (places.below[:, j] - near <= point) & (point <= places.above[:, j] + near)
    return np.where(fits, 0.0, -np.inf)


def log_between(low: Floats, high: Floats) -> Floats:
    """Log probability that a standard normal number lies between two limits, also far out; -inf if they are crossed."""
    from scipy.special import log_ndtr

    # In the upper tail the difference of two numbers near 1 would lose all digits; mirror it.
    mirror = low > 0
    low, high = np.where(mirror, -high, low), np.where(mirror, -low, high)
    upper, lower = log_ndtr(high), log_ndtr(low)
    return np.asarray(upper + np.log1p(-np.exp(np.minimum(lower - upper, 0.0))))

"""Transition matrices of categories that numbers put in order: noise on a number, then the category nearest to it."""

from __future__ import annotations

from typing import Literal

import numpy as np

from hushwood.arrays import Array, Floats

Spacing = Literal["rank", "value"]


def ordered_matrix(numbers: Floats, noise: float, spacing: Spacing = "rank") -> Floats:
    """The chance of every category to become every other, if one of the orders [order, category] is drawn evenly.

    In that order normal noise is added to the category's place, and the category nearest to the sum is released; of
    several at the same place each is equally likely. Places are ranks, or the numbers themselves; the noise has a
    standard deviation of `noise` times the number of places, or the range of the numbers. A category without a number
    (NaN) stays as it is in that order, and none becomes it.

    >>> ordered_matrix(np.array([[1.0, 2.0, 4.0]]), 1 / 3).round(3).tolist()
    [[0.691, 0.242, 0.067], [0.309, 0.383, 0.309], [0.067, 0.242, 0.691]]
    """
    return np.asarray(np.mean([_of_one(order, noise, spacing) for order in numbers], axis=0))


def _of_one(numbers: Floats, noise: float, spacing: Spacing) -> Floats:
    """The matrix of one order."""
    from scipy.special import ndtr

    found = np.eye(len(numbers))
    known = np.flatnonzero(~np.isnan(numbers))
    places, own, count = np.unique(numbers[known], return_inverse=True, return_counts=True)
    if len(places) < 2:
        # One place for all: nothing orders them, so any is as near as any other.
        found[np.ix_(known, known)] = 1.0 / max(len(known), 1)
        return found
    at, width = (
        (np.arange(len(places), dtype=np.float64), float(len(places)))
        if spacing == "rank"
        else (places, float(places[-1] - places[0]))
    )
    limits = np.concatenate([[-np.inf], (at[:-1] + at[1:]) / 2, [np.inf]])
    away = (limits - at[:, None]) / (noise * width)
    # In the upper tail the difference of two numbers near 1 would lose all digits; mirror it.
    low, high = away[:, :-1], away[:, 1:]
    mirror = low > 0
    chance = ndtr(np.where(mirror, -low, high)) - ndtr(np.where(mirror, -high, low))
    found[np.ix_(known, known)] = (chance / count)[np.ix_(own, own)]
    return found


def category_means(codes: Array, categories: int, numbers: Floats) -> Floats:
    """The mean number of the records of every category; NaN for a category without any.

    >>> category_means(np.array([0, 2, 0, -1]), 3, np.array([1.0, 5.0, 2.0, 9.0])).tolist()
    [1.5, nan, 5.0]
    """
    known = (codes >= 0) & ~np.isnan(numbers)
    count = np.bincount(codes[known], minlength=categories)
    total = np.bincount(codes[known], numbers[known], minlength=categories)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)

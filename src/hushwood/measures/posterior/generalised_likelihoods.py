"""The likelihood of a column whose released cells stand for several values: 1 if one is the target's, else 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.measures.posterior.likelihoods import IMPOSSIBLE, Redraw, pair_table
from hushwood.tables.generalised.columns import Generalised

_MOST_CELLS = 20_000_000
_MISSING = -2


def generalised_likelihood(
    wanted: Array, given: Array, cells: Generalised
) -> tuple[Redraw, dict[str, Any]] | None:
    """From the targets' values, the released ones and what they stand for; a suppressed cell fits everyone.

    None if there are too many different cells to compare.
    """
    found = _category_sets(wanted, given, cells) if cells.low is None else _intervals(wanted, cells)
    if found is None:
        return None
    kinds, codes, fits = found
    likelihood = pair_table(codes, kinds, np.where(fits, 0.0, IMPOSSIBLE).astype(np.float32), blocks=1)
    return likelihood, {"kernel": "generalised", "different_cells": int(fits.shape[1])}


def _intervals(wanted: Floats, cells: Generalised) -> tuple[Integers, Integers, Flags] | None:
    """Kind of every target, code of every released cell, and whether [kind, code] fit.

    Only the order matters: the limits of all cells are the odd ranks, what lies between them the even ones.
    """
    assert cells.low is not None and cells.high is not None  # noqa: S101 - numeric cells have both
    limits = np.unique(np.concatenate([cells.low, cells.high]))
    limits = limits[~np.isnan(limits)]
    beyond = 2 * len(limits) + 1
    low = np.where(cells.suppressed, -1, _ranks(cells.low, limits))
    high = np.where(cells.suppressed, beyond, _ranks(cells.high, limits))
    pairs, codes = np.unique((low + 2) * (beyond + 3) + high + 2, return_inverse=True)
    lows, highs = pairs // (beyond + 3) - 2, pairs % (beyond + 3) - 2
    ranks, kinds = np.unique(_ranks(wanted, limits), return_inverse=True)
    if len(ranks) * len(pairs) > _MOST_CELLS:
        return None
    fits = (ranks[:, None] >= lows) & (ranks[:, None] <= highs)
    fits[ranks == _MISSING] = (lows == _MISSING) | (highs == beyond)
    return kinds, codes, fits


def _ranks(values: Floats, limits: Floats) -> Integers:
    place = np.searchsorted(limits, values) + np.searchsorted(limits, values, side="right")
    return np.where(np.isnan(values), _MISSING, place)


def _category_sets(
    wanted: Array, given: Array, cells: Generalised
) -> tuple[Integers, Integers, Flags] | None:
    """The same for categories; a missing one fits missing and suppressed cells."""
    assert cells.covers is not None  # noqa: S101 - categorical cells have it
    released, codes = np.unique(np.where(cells.suppressed, -2, given), return_inverse=True)
    values, kinds = np.unique(wanted, return_inverse=True)
    if len(values) * len(released) > _MOST_CELLS:
        return None
    fits = cells.covers[released][:, values].T
    fits[:, released < 0] = (released[released < 0] == -2) | (values[:, None] < 0)
    fits[np.ix_(values < 0, released >= 0)] = False
    return kinds, codes, fits

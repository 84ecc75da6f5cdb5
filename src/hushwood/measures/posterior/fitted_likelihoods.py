"""Likelihoods fitted to the pairs of original and released records, for a release whose noise laws are not known.

Numbers: a normal kernel with the mean and the standard deviation of the changes (on a grid too: only ratios count).
Categories: the share that stays and, of those that change, the shares of the values they change to. What no pair
changed must be equal. A released cell that stands for several values has likelihood 1 if one is the target's, else 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.measures.columns.column_tallies import common_unit
from hushwood.measures.posterior.likelihoods import (
    IMPOSSIBLE,
    MISSING_AT,
    Evidence,
    Likelihood,
    Normal,
    Redraw,
    codes_among,
    pair_table,
    placed,
    same,
)
from hushwood.measures.protocol import Context
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

SMALLEST_SHARE_OF_RANGE = 1e-6
# A number that appears where none was, or the other way round, is compared with others as if rounded to this.
CELLS_OF_RANGE = 1000
_LOG2_E = float(np.log2(np.e))
_MOST_CELLS = 20_000_000
_MISSING = -2


def fitted_evidence(original: Table, released: Table, context: Context, targets: Integers) -> Evidence | None:
    """The evidence of all attributes but the class; None if no rows are paired."""
    pairs = context.paired_rows()
    if pairs is None or not len(pairs[0]):
        return None
    likelihoods: dict[str, Likelihood] = {}
    described: dict[str, Any] = {}
    for attribute in original.schema.inputs:
        name = attribute.name
        x, y = original.columns[name], released.columns[name]
        cells = context.generalised.get(name)
        found = None if cells is None else generalised_likelihood(x[targets], y, cells)
        likelihoods[name], described[name] = found or fitted_likelihood(
            attribute, x[pairs[0]], y[pairs[1]], x[targets], y
        )
    block = np.zeros(released.rows, np.int32)
    return Evidence("fitted", likelihoods, targets, block, 1, described)


def fitted_likelihood(
    attribute: Attribute, x: Array, y: Array, wanted: Array, given: Array
) -> tuple[Likelihood, dict[str, Any]]:
    """A kernel from pairs (x, y), for targets `wanted` and released values `given`."""
    if np.array_equal(x, y, equal_nan=attribute.kind == "numeric"):
        return same(given, wanted), {"kernel": "equal"}
    if attribute.kind == "numeric":
        return _normal(attribute, x, y, wanted, given)
    return _shares(x, y, wanted, given)


def _normal(
    attribute: Attribute, x: Floats, y: Floats, wanted: Floats, given: Floats
) -> tuple[Normal, dict[str, Any]]:
    """The mean and the spread of the changes; values appear and vanish as often as they do in the pairs.

    All in a common unit, so that squares of enormous or tiny numbers stay numbers.
    """
    unit = common_unit(x, y, wanted, given)
    x, y, wanted, given = (values / unit for values in (x, y, wanted, given))
    both = ~np.isnan(x) & ~np.isnan(y)
    values = np.concatenate([x[~np.isnan(x)], given[~np.isnan(given)]])
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    change = y[both] - x[both]
    shift, spread = (float(change.mean()), float(change.std())) if len(change) else (0.0, 0.0)
    spread = max(spread, SMALLEST_SHARE_OF_RANGE * (high - low)) or 1.0
    scale, middle, size = np.sqrt(_LOG2_E / 2) / spread, (low + high) / 2, (high - low) or 1.0
    step = size / CELLS_OF_RANGE if attribute.precision is None else 10.0**-attribute.precision / unit
    missing = np.isnan(wanted)
    soft = bool((np.isnan(x) != np.isnan(y)).any())
    gap, present = _gaps(np.isnan(x), np.isnan(y), step / spread / np.sqrt(2 * np.pi), step / size)
    described = {
        "kernel": "normal",
        "shift": _finite(shift * unit),
        "spread": _finite(spread * unit),
        "values_appear_or_vanish": soft,
    }
    found = Normal(
        placed((given - middle) * scale, given, MISSING_AT),
        placed((wanted + shift - middle) * scale, wanted, MISSING_AT),
        np.where(missing, gap[1], gap[0]).astype(np.float32),
        np.where(missing, present[1], present[0]).astype(np.float32),
        (~missing).astype(np.float32),
        soft,
    )
    return found, described


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _gaps(
    x_gone: Array, y_gone: Array, at_best: float, anywhere: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Logarithms of what is said by a released gap, and by a released value, to a target with a value and without.

    Values that never appear or vanish make the other case impossible; else half a case is added to every count.
    """
    if not (x_gone != y_gone).any():
        return (IMPOSSIBLE, 0.0), (0.0, IMPOSSIBLE)
    vanish = (np.sum(~x_gone & y_gone) + 0.5) / (np.sum(~x_gone) + 1)
    appear = (np.sum(x_gone & ~y_gone) + 0.5) / (np.sum(x_gone) + 1)
    gap = float(np.log2(vanish)), float(np.log2(1 - appear))
    return gap, (float(np.log2((1 - vanish) * at_best)), float(np.log2(appear * anywhere)))


def _shares(x: Array, y: Array, wanted: Array, given: Array) -> tuple[Redraw, dict[str, Any]]:
    """Stay or change; half a case is added to every count, so that nothing that was not seen is impossible."""
    codes, own, values = codes_among(given, wanted)
    changed = x != y
    stay = float((np.sum(~changed) + 0.5) / (len(x) + 1))
    arrived = np.bincount(np.searchsorted(values, y[changed]), minlength=len(values)) + 0.5
    share = arrived / arrived.sum()
    mine = np.append(share, 0.0)  # the last is that of a value which was not released
    change = (1 - stay) / np.where(mine < 1, 1 - mine, 1.0)
    found = Redraw(
        codes.astype(np.float32),
        own.astype(np.float32),
        np.where(own < 0, len(values), own),
        np.zeros(1, np.int32),
        np.zeros((1, len(mine)), np.int64),
        np.full((1, len(mine)), np.log2(stay), np.float32),
        np.log2(change)[None].astype(np.float32),
        np.log2(share).astype(np.float32),
    )
    return found, {"kernel": "stay or change", "stay": stay, "values": len(values)}


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

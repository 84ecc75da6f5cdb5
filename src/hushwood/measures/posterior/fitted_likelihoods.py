"""Likelihoods fitted to the pairs of original and released records, for a release whose noise laws are not known.

Numbers: a normal kernel with the mean and the standard deviation of the changes (on a grid too: only ratios count).
Categories: the share that stays and, of those that change, the shares of the values they change to. What no pair
changed must be equal. Generalised cells are read by `generalised_likelihoods`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.measures.columns.numeric_columns import common_unit
from hushwood.measures.posterior.generalised_likelihoods import generalised_likelihood
from hushwood.measures.posterior.likelihoods import (
    IMPOSSIBLE,
    MISSING_AT,
    Evidence,
    Likelihood,
    Normal,
    Redraw,
    codes_among,
    placed,
    same,
)
from hushwood.measures.protocol import Context
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

SMALLEST_SHARE_OF_RANGE = 1e-6
# A number that appears where none was, or the other way round, is compared with others as if rounded to this.
CELLS_OF_RANGE = 1000
_LOG2_E = float(np.log2(np.e))


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

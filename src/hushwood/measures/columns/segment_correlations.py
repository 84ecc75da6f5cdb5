"""Correlations of numeric columns inside segments, where a miner of one rule's records would see them change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Floats
from hushwood.measures.columns.numeric_correlations import ROUNDING, centred

SMALLEST = 10  # records; in smaller segments a correlation is mostly chance


def segment_changes(
    before: Sequence[Floats], after: Sequence[Floats], segment_ids: NDArray[np.integer]
) -> dict[str, Any] | None:
    """How much correlations inside segments change: |before − after|, weighted by the segments' records.

    Row i of both tables is the same record. A segment counts for a pair if it has at least ten records with both
    values, before and after, and both vary before; a column that became constant has lost its correlation. None
    if no segment counts for any pair.
    """
    if len(before) < 2 or not len(segment_ids):
        return None
    _, ids, sizes = np.unique(segment_ids, return_inverse=True, return_counts=True)
    weighted = np.zeros((len(before), len(before)))
    weights = np.zeros_like(weighted)
    used = np.zeros(len(sizes), bool)
    old, new = (_by_segment(columns, ids, len(sizes)) for columns in (before, after))
    for column, (first, second) in enumerate(zip(old, new, strict=True)):
        counts = (first[0] >= SMALLEST) & (second[0] >= SMALLEST) & ~np.isnan(first[1])
        change = np.where(counts, np.abs(first[1] - np.nan_to_num(second[1])), 0.0)
        weighted[column, column + 1 :] = (change * first[0]).sum(axis=0)
        weights[column, column + 1 :] = np.where(counts, first[0], 0.0).sum(axis=0)
        used |= counts.any(axis=1)
    if not used.any():
        return None
    mean = np.divide(weighted, weights, out=np.zeros_like(weighted), where=weights > 0)
    return {
        "mean_change": float(weighted.sum() / weights.sum()),
        "largest_change": float(mean.max()),
        "segments": int(used.sum()),
        "all_segments": len(sizes),
        "records": int(sizes[used].sum()),
        "smallest_segment": SMALLEST,
    }


def _by_segment(
    columns: Sequence[Floats], ids: NDArray[np.integer], segments: int
) -> Iterator[tuple[Floats, Floats]]:
    """For every column in turn: records and correlation of every segment with every later column."""
    from scipy.sparse import csr_array

    rows = len(ids)
    gather = csr_array((np.ones(rows), (ids, np.arange(rows))), shape=(segments, rows))
    block = np.column_stack([centred(values) for values in columns])
    known = np.isfinite(block).astype(np.float64)
    zeroed = np.where(known > 0, block, 0.0)
    for column in range(len(columns) - 1):
        own, own_known = zeroed[:, column, None], known[:, column, None]
        other, other_known = zeroed[:, column + 1 :], known[:, column + 1 :]
        size = gather @ (other_known * own_known)
        total, own_total = gather @ (other * own_known), gather @ (other_known * own)
        square = _spread(gather @ (other * other * own_known), total, size)
        own_square = _spread(gather @ (other_known * own * own), own_total, size)
        product = gather @ (other * own) - total * own_total / np.maximum(size, 1)
        scale = np.sqrt(square) * np.sqrt(own_square)
        found = np.divide(product, scale, out=np.full(scale.shape, np.nan), where=scale > 0)
        yield size, np.clip(found, -1.0, 1.0)


def _spread(squares: Floats, totals: Floats, size: Floats) -> Floats:
    spread = squares - totals * totals / np.maximum(size, 1)
    return np.where(spread > ROUNDING * squares, spread, 0.0)

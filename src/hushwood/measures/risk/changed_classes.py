"""Changed classes: how many records got another class, against E(N) of dealing the classes out anew.

Cells of all columns are compared in `unchanged_cells`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.protocol import NOT_PAIRED, Context, Direction, Measurement, NotComputable, Side
from hushwood.tables.table import Array, Table, class_labels


@dataclass(frozen=True, slots=True)
class ChangedClasses:
    """The share of records whose class is another one in the release."""

    name: ClassVar[str] = "changed_classes"
    question: ClassVar[str] = (
        "How many records got another class, and is it as many as a shuffle would change?"
    )
    side: ClassVar[Side] = "risk"
    better: ClassVar[Direction] = "higher"
    bounds: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    best: ClassVar[float | None] = None

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare with a shuffle within segments, or within the whole table if segments are not known."""
        pairs = context.paired_rows()
        if pairs is None:
            return NOT_PAIRED
        rows, partners = pairs
        if not len(rows):
            return NotComputable("No record of the original has a released record.")
        ids = np.zeros(len(rows), np.int32) if context.segment_ids is None else context.segment_ids[rows]
        before, after = class_labels(original)[0][rows], class_labels(released)[0][partners]
        found = changed_classes(before, after, ids)
        within = "whole table" if context.segment_ids is None else "segments"
        return replace(found, details={**found.details, "within": within})


def changed_classes(before: Array, after: Array, segment_ids: NDArray[np.integer]) -> Measurement:
    """The share of records whose class moved, and E(N) of a shuffle within segments in the details.

    E(N) is the sum over segments of N − Σ n_c²/N (errata A6). Its spread is Hoeffding's variance of a
    permutation statistic, (S − 2T/N + S²/N²)/(N − 1) with S = Σ n_c², T = Σ n_c³. A missing class is a class.
    """
    rows = len(before)
    changed = int((before != after).sum())
    expected, variance = _shuffle_moments(before, segment_ids) if rows else (0.0, 0.0)
    details = {
        "changed": changed,
        "records": rows,
        "expected": expected,
        "deviation": variance**0.5,
        "untouched_table": 0,
    }
    return Measurement(changed / rows if rows else 0.0, details)


def _shuffle_moments(classes: Array, segment_ids: NDArray[np.integer]) -> tuple[float, float]:
    codes = classes.astype(np.int64) + 1
    width = int(codes.max()) + 1
    segment = np.unique(segment_ids, return_inverse=True)[1].astype(np.int64)
    pairs, counts = np.unique(segment * width + codes, return_counts=True)
    owner, counts = pairs // width, counts.astype(np.float64)
    size = np.bincount(owner, weights=counts)
    squares = np.bincount(owner, weights=counts**2)
    cubes = np.bincount(owner, weights=counts**3)
    spread = squares - 2 * cubes / size + (squares / size) ** 2
    variance = np.where(size > 1, spread / np.maximum(size - 1, 1), 0.0)
    return float((size - squares / size).sum()), float(np.maximum(variance, 0.0).sum())

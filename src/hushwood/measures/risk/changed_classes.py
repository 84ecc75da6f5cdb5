"""Changed classes: how many records got a different class, and how many a random shuffle would change, E(N)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing.small_counts import chosen, counted
from hushwood.tables.table import Table, class_labels


@dataclass(frozen=True, slots=True)
class ChangedClasses(Measure):
    """The share of records whose class is different in the release."""

    name = "changed_classes"
    title = "Classes changed"
    question = (
        "What share of the records got a different class, and is it what a random shuffle would change?"
    )
    meaning = "The more classes changed, the less a record's released class says about that person."
    about = "class"
    side = "risk"
    unit = "share"
    better = "higher"
    bounds = (0.0, 1.0)
    marked = False
    own_section = True
    judged_on = "records"

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare with a shuffle within segments, or within the whole table if segments are not known."""
        pairs = context.paired_rows()
        if pairs is None:
            return context.why_unpaired
        rows, partners = pairs
        if not len(rows):
            return NotComputable("No record of the original has a released record.")
        ids = np.zeros(len(rows), np.int32) if context.segment_ids is None else context.segment_ids[rows]
        before, after = class_labels(original)[0][rows], class_labels(released)[0][partners]
        found = changed_classes(before, after, ids)
        within = "whole table" if context.segment_ids is None else "segments"
        return replace(found, details={**found.details, "within": within})

    def publishable(
        self, value: float | None, details: Details, records: int
    ) -> tuple[float | None, dict[str, Any]]:
        """The counts, rounded; the share is withheld with its count, which would follow from it."""
        if not details:
            return self.rounded(value, records), {}
        safe = {
            **counted(details, ("changed", "expected")),
            **chosen(details, ("records", "within")),
            "deviation": round(details["deviation"]),
            "untouched_table": 0,
        }
        return None if safe["changed"] is None else self.rounded(value, records), safe


def changed_classes(before: Array, after: Array, segment_ids: NDArray[np.integer]) -> Measurement:
    """The share of records whose class changed; the details have E(N) of a shuffle within segments.

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


@dataclass(frozen=True, slots=True)
class ClassChanges:
    """Records whose class changed, and what a random shuffle would change; a count of None is withheld."""

    changed: int | None
    records: int
    expected: float | None
    deviation: float
    whole_table: bool  # whether the shuffle is one of the whole column, as segments are not known

    def usual(self, expected: float) -> tuple[float, float]:
        """The range in which 19 of 20 shuffles end, given their mean."""
        spread = 2 * self.deviation
        return max(0.0, expected - spread), min(float(self.records), expected + spread)


def class_changes(details: Details) -> ClassChanges:
    """The counts behind the measure's number."""
    changed, records, expected, deviation = (
        details[key] for key in ("changed", "records", "expected", "deviation")
    )
    return ClassChanges(changed, records, expected, deviation, details.get("within") == "whole table")

"""Changed classes: how many records got a different class, and how many a random shuffle would change, E(N)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, SAFE_COUNT, Public
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, class_labels, label_names


class ClassDetails(TypedDict):
    """Records whose class changed, and what a random shuffle would change; a count of None is withheld."""

    changed: Annotated[int | None, SAFE_COUNT]
    expected: Annotated[float | None, SAFE_COUNT]
    records: Annotated[int, PUBLIC]
    within: Annotated[str, PUBLIC]
    deviation: Annotated[float, Public(round)]
    untouched_table: Annotated[int, PUBLIC]


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
    declared = ClassDetails
    by_groups = True
    marked = False
    own_section = True
    judged_on = "records"

    of_pairs = True

    def tally(self, schema: Schema) -> ClassCounts:
        """Classes before and after, by segment."""
        target = schema.class_attribute
        return ClassCounts(len(label_names(target)) if target is not None else 0)

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare with a shuffle within segments, or within the whole table if segments are not known."""
        pairs = context.paired_rows()
        if pairs is None:
            return context.why_unpaired
        rows, partners = pairs
        ids = None if context.segment_ids is None else context.segment_ids[rows]
        counts = self.tally(original.schema)
        counts.count(class_labels(original)[0][rows], class_labels(released)[0][partners], ids)
        return counts.finish()

    def publishable(
        self, value: float | None, details: Details, records: int
    ) -> tuple[float | None, dict[str, Any]]:
        """The counts, rounded; the share is withheld with its count, which would follow from it."""
        if not details:
            return self.rounded(value, records), {}
        safe = self.publishable_details(details)
        return None if safe["changed"] is None else self.rounded(value, records), safe


@dataclass(slots=True)
class ClassCounts:
    """Records whose class changed, and the records of every class in every segment; `classes` are numbered from 0."""

    classes: int
    records: int = 0
    changed: int = 0
    within_segments: bool = False
    cells: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    counts: Integers = field(default_factory=lambda: np.empty(0, np.int64))

    def add(self, original: Table, released: Table, segment_ids: Codes | None = None) -> None:
        """Count more records."""
        self.count(class_labels(original)[0], class_labels(released)[0], segment_ids)

    def count(self, before: Array, after: Array, segment_ids: NDArray[np.integer] | None) -> None:
        """Count records by their classes; without segments, the whole table is one."""
        self.records += len(before)
        self.changed += int((before != after).sum())
        self.within_segments = segment_ids is not None
        segment = np.zeros(1, np.int64) if segment_ids is None else segment_ids.astype(np.int64)
        # A missing class is a class, the first.
        cells, counts = np.unique(segment * (self.classes + 1) + before + 1, return_counts=True)
        self._gather(cells, counts)

    def _gather(self, cells: Integers, counts: Integers) -> None:
        both = np.concatenate([self.cells, cells])
        self.cells, place = np.unique(both, return_inverse=True)
        weights = np.concatenate([self.counts, counts])
        self.counts = np.bincount(place, weights, minlength=len(self.cells)).astype(np.int64)

    def merge(self, other: ClassCounts) -> None:
        """Add the records of another tally."""
        self.records += other.records
        self.changed += other.changed
        self.within_segments = self.within_segments or other.within_segments
        self._gather(other.cells, other.counts)

    def finish(self) -> Measurement | NotComputable:
        """The share of records whose class changed; the details have E(N) of a shuffle within segments.

        E(N) is the sum over segments of N − Σ n_c²/N (errata A6). Its spread is Hoeffding's variance of a
        permutation statistic, (S − 2T/N + S²/N²)/(N − 1) with S = Σ n_c², T = Σ n_c³. A missing class is a class.
        """
        if not self.records:
            return NO_RECORDS
        segment = np.unique(self.cells // (self.classes + 1), return_inverse=True)[1]
        expected, variance = _shuffle_moments(segment, self.counts.astype(np.float64))
        details = {
            "changed": self.changed,
            "records": self.records,
            "expected": expected,
            "deviation": variance**0.5,
            "untouched_table": 0,
            "within": "segments" if self.within_segments else "whole table",
        }
        return Measurement(self.changed / self.records, details)


def usual_changes(details: ClassDetails, expected: float) -> tuple[float, float]:
    """The range in which 19 of 20 shuffles end, given their mean."""
    spread = 2 * details["deviation"]
    return max(0.0, expected - spread), min(float(details["records"]), expected + spread)


NO_RECORDS = NotComputable("No record of the original has a released record.")


def _shuffle_moments(owner: Integers, counts: Floats) -> tuple[float, float]:
    size = np.bincount(owner, weights=counts)
    squares = np.bincount(owner, weights=counts**2)
    cubes = np.bincount(owner, weights=counts**3)
    spread = squares - 2 * cubes / size + (squares / size) ** 2
    variance = np.where(size > 1, spread / np.maximum(size - 1, 1), 0.0)
    return float((size - squares / size).sum()), float(np.maximum(variance, 0.0).sum())

"""A group of numeric columns as one matrix, with the box and the grid that every segment leaves them.

Joint laws and exact methods work on the matrix. A column with decimals is counted in their steps, which are 1 there; a
continuous one keeps its unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals, as_stored, from_steps, to_steps
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Columns, Within


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """Columns and, for every segment, the interval of each; one interval for all within the table."""

    names: tuple[str, ...]
    intervals: tuple[Intervals, ...]

    @classmethod
    def of(cls, original: Table, names: Sequence[str], segments: Segments, within: Within) -> NumberGroup:
        """The named columns that have any values, with their sub-domains or, within the table, domains."""
        used = tuple(name for name in names if name in segments.intervals)
        boxes = (
            segments.intervals[name] if within == "segment" else domain_intervals(original.schema[name], 1)
            for name in used
        )
        return cls(used, tuple(b.fitted_to(original.columns[n]) for n, b in zip(used, boxes, strict=True)))

    @property
    def decimal(self) -> Flags:
        """Which columns have a number of decimals, so that their numbers are whole."""
        return np.array([i.decimal for i in self.intervals], bool)

    @property
    def slack(self) -> Floats:
        """How far storing may move a number, as a share of it: beyond the domain singles are coarser than its grid."""
        return np.array([2.0**-22 if i.single else 0.0 for i in self.intervals])

    @property
    def low(self) -> Floats:
        """The lowest numbers [segment, column]."""
        return np.stack([i.low for i in self.intervals], axis=1)

    @property
    def high(self) -> Floats:
        """The highest numbers [segment, column]."""
        return np.stack([i.high for i in self.intervals], axis=1)

    @property
    def first(self) -> Floats:
        """The lowest grid points [segment, column]."""
        return np.stack([i.first for i in self.intervals], axis=1)

    @property
    def last(self) -> Floats:
        """The highest grid points [segment, column]."""
        return np.stack([i.last for i in self.intervals], axis=1)

    @property
    def step(self) -> Floats:
        """The distance of grid points [segment, column]; 1 with decimals."""
        return np.stack([i.step for i in self.intervals], axis=1)

    def room(self) -> tuple[Floats, Floats]:
        """The ends that a number must keep before it is rounded: half a step beyond the last grid points."""
        half = (0.5 - 1e-9) * self.step
        return np.minimum(self.low, self.first - half), np.maximum(self.high, self.last + half)

    def numbers(self, columns: Columns) -> Floats:
        """The columns [record, column], in steps of their decimals; NaN where missing."""
        out = np.empty((len(next(iter(columns.values()))), len(self.names)))
        for j, (name, inside) in enumerate(zip(self.names, self.intervals, strict=True)):
            out[:, j] = to_steps(np.asarray(columns[name], float), inside.precision)
        return out

    def columns(self, numbers: Floats, segments: Array | None) -> dict[str, Floats]:
        """Numbers as columns, with their decimals; inside the boxes of the records' segments if these are given."""
        out = {}
        for j, (name, inside) in enumerate(zip(self.names, self.intervals, strict=True)):
            wanted = np.rint(numbers[:, j]) + 0.0 if inside.decimal else numbers[:, j]
            if segments is None:
                box = replace(inside, low=np.array(-np.inf), high=np.array(np.inf))
            else:
                box = inside.take(segments if len(inside.low) > 1 else slice(None))  # type: ignore[arg-type]
            out[name] = as_stored(from_steps(np.clip(wanted, box.low, box.high), inside.precision), box)
        return out

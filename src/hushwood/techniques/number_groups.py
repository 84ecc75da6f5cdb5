"""A group of numeric columns as one matrix in steps of their grids, with the box that every segment leaves them.

Joint laws and exact methods work on the matrix; here values come in and go out, rounded to the grid inside the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.segments.boxes import domain_intervals
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals, as_stored, from_steps, to_steps
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Columns, Within

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NumberGroup:
    """Columns and, for every segment, the interval of each; one interval for all within the table."""

    names: tuple[str, ...]
    intervals: tuple[Intervals, ...]
    domain_low: tuple[float, ...]

    @classmethod
    def of(cls, original: Table, names: Sequence[str], segments: Segments, within: Within) -> NumberGroup:
        """The named columns that have any values, with their sub-domains or, within the table, domains."""
        used = tuple(name for name in names if name in segments.intervals)
        intervals = (
            segments.intervals[name] if within == "segment" else domain_intervals(original.schema[name], 1)
            for name in used
        )
        lows = (float(domain_intervals(original.schema[name], 1).low[0]) for name in used)
        return cls(used, tuple(intervals), tuple(lows))

    @property
    def on_grid(self) -> NDArray[np.bool_]:
        """Which columns hold whole numbers of steps."""
        return np.array([i.on_grid for i in self.intervals], bool)

    @property
    def slack(self) -> Matrix:
        """How far storing moves a number of every column, as a share of it."""
        return np.array([2.0**-22 if i.single else 0.0 for i in self.intervals])

    @property
    def low(self) -> Matrix:
        """The lowest numbers [segment, column], in steps."""
        ends = zip(self.intervals, self.domain_low, strict=True)
        return np.stack([_lowest(inside, low) for inside, low in ends], axis=1)

    @property
    def high(self) -> Matrix:
        """The highest numbers [segment, column], in steps."""
        return np.stack([i.high for i in self.intervals], axis=1)

    def room(self) -> tuple[Matrix, Matrix]:
        """The ends that a number must keep before it is rounded: half a step more on a grid."""
        half = np.where(self.on_grid, 0.5 - 1e-9, 0.0)
        return self.low - half, self.high + half

    def numbers(self, columns: Columns) -> Matrix:
        """The columns [record, column], in steps; NaN where missing."""
        out = np.empty((len(next(iter(columns.values()))), len(self.names)))
        for j, (name, inside) in enumerate(zip(self.names, self.intervals, strict=True)):
            out[:, j] = to_steps(np.asarray(columns[name], float), inside.precision)
        return out

    def columns(self, numbers: Matrix, segments: NDArray[Any] | None) -> dict[str, Matrix]:
        """Numbers rounded to their grids, as columns; inside the boxes of the records' segments if these are given."""
        out = {}
        for j, (name, inside) in enumerate(zip(self.names, self.intervals, strict=True)):
            wanted = np.rint(numbers[:, j]) if inside.on_grid else numbers[:, j]
            if segments is None:
                free = replace(inside, low=np.array(-np.inf), high=np.array(np.inf))
                out[name] = as_stored(from_steps(wanted, inside.precision), free)
                continue
            at: Any = segments if len(inside.low) > 1 else slice(None)
            box, lowest = inside.take(at), _lowest(inside, self.domain_low[j])[at]
            clipped = from_steps(np.clip(wanted, lowest, box.high), inside.precision)
            out[name] = np.where(clipped == box.low, clipped, as_stored(clipped, box))
        return out


def _lowest(inside: Intervals, domain_low: float) -> Matrix:
    """The limit of a rule is open on a continuous column; the domain's own end is a value like any other."""
    if inside.on_grid:
        return inside.low
    beyond = np.minimum(np.nextafter(inside.low, np.inf), inside.high)
    return np.where(inside.low > domain_low, beyond, inside.low)

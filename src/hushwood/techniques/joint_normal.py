"""A joint normal law of several columns given a record: the form behind GADP, SADP and the noise of Kim and others.

The columns are drawn one after the other, each from its normal law given the record and the columns drawn before it,
truncated to its interval and rounded to its grid. So the stated law is exact, also inside bounds and on a grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams
from hushwood.techniques.cells import Cells, Integers, Matrix, by_cell
from hushwood.techniques.conditioning import Given
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.in_turn import Places, log_in_turn
from hushwood.techniques.number_groups import NumberGroup
from hushwood.techniques.protocol import Columns

Stack = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class JointNormalLaw:
    """In cell c a record u (its numbers, then the given columns) becomes y ~ N(shift + slope · u, root · root').

    All in steps; `independent` says that y depends on the record by its cell and the given columns alone.
    """

    group: NumberGroup
    given: Given
    cells: Cells
    shift: Matrix
    slope: Stack
    root: Stack
    purpose: str
    bounded: bool = True
    independent: bool = False
    dependent: bool = False

    @property
    def attributes(self) -> tuple[str, ...]:
        """The columns of the group."""
        return self.group.names

    def means(self, columns: Columns, numbers: Matrix, cell: Integers) -> Matrix:
        """What every record's numbers are drawn around, before any of them is drawn."""
        record = np.nan_to_num(numbers)
        if self.given.columns:
            record = np.concatenate([record, self.given.design(columns)], axis=1)
        if not self.slope.any():
            return self.shift[cell]
        return np.asarray(self.shift[cell] + by_cell(record, self.slope, cell))

    def bounds(self) -> tuple[Matrix, Matrix]:
        """The first and last grid points of every cell."""
        if not self.bounded:
            shape = (self.cells.count, len(self.attributes))
            return np.full(shape, -np.inf), np.full(shape, np.inf)
        segment = self.cells.segment
        return self.group.first[segment], self.group.last[segment]

    def drawn(self, rows: GroupRows) -> Matrix:
        """New numbers of every record, in steps and on their grids."""
        plain = np.full(len(self.attributes), np.nan)
        return self.drawn_around(rows, self.means(rows.columns, rows.numbers, rows.cell), plain)

    def drawn_around(self, rows: GroupRows, means: Matrix, origin: Matrix) -> Matrix:
        """Numbers around these means; where a column has an origin, means and root are those of logarithms above it."""
        from hushwood.techniques.joint_normal_kernels import draw_in_turn

        u = np.empty(rows.numbers.shape)
        for j, name in enumerate(self.attributes):
            u[:, j] = rows.streams.uniform(self.purpose, name, 0, rows.row_ids)
        out = np.empty(rows.numbers.shape)
        low, high = self.bounds()
        step = self.group.step[self.cells.segment]
        draw_in_turn(means, rows.cell, self.root, self.cells.known, low, high, step, origin, u, out)
        return out

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """One number per record and column decides."""
        rows = GroupRows.of(
            self.group, self.given, self.cells, original, segment_ids, row_ids, streams, self.purpose
        )
        return rows.released(self.drawn(rows), self.bounded)

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Matrix:
        """The sum over the columns, each given those before it."""
        numbers, new = self.group.numbers(original), self.group.numbers(released)
        cell = self.cells.of(segment_ids, numbers)
        known = self.cells.known[cell]
        low, high = (end[cell] for end in self.bounds())
        step, slack = self.group.step[self.cells.segment][cell], self.group.slack * np.abs(new)
        # From the first grid point on: far from zero half a step is less than the distance of floats.
        first = self.group.first[self.cells.segment][cell]
        at, low, high, means = (x - first for x in (new, low, high, self.means(original, numbers, cell)))
        ends = at - step / 2, at + step / 2, low - step / 2, high + step / 2
        places = Places(at, *ends, step=step, bend=np.zeros(at.shape), slack=slack)
        found = log_in_turn(places, means, self.root[cell], known)
        return np.where((np.isnan(new) == ~known).all(axis=1), found, -np.inf)

    def described(self) -> dict[str, Any]:
        """Parameters of every cell, in steps."""
        return {
            "form": "joint normal",
            "attributes": list(self.attributes),
            "given": [*self.given.numeric, *self.given.categorical],
            "bounded": self.bounded,
            "segment": self.cells.segment.tolist(),
            "known": self.cells.known.tolist(),
            "shift": self.shift.tolist(),
            "slope": self.slope.tolist(),
            "root": self.root.tolist(),
        }

"""Joint normal laws of several columns, or of their logarithms, given a record.

The columns are drawn one after the other, each from its normal law given the record and the columns drawn before it,
truncated to its interval and rounded to its grid. So the stated law is exact, even inside bounds and on a grid. GADP,
SADP and correlated noise draw from the first, LOGNOISE from the second, whose noise grows with the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form, group_pair_form
from hushwood.techniques.protocol import Columns, Law
from hushwood.techniques.together.cells import Cells, NumberGroup, by_cell
from hushwood.techniques.together.copula import Places, log_column_by_column
from hushwood.techniques.together.group_rows import Given, GroupRows


@dataclass(frozen=True, slots=True)
class JointNormalLaw(Law):
    """In cell c a record u (its numbers, then the given columns) becomes y ~ N(shift + slope · u, root · root').

    All in steps; `independent` says that y depends on the record by its cell and the given columns alone.
    """

    group: NumberGroup
    given: Given
    cells: Cells
    shift: Floats
    slope: Floats
    root: Floats
    purpose: str
    bounded: bool = True
    independent: bool = False

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.group.names

    def means(self, columns: Columns, numbers: Floats, cell: Integers) -> Floats:
        """The means of every record's numbers before the first is drawn."""
        record = np.nan_to_num(numbers)
        if self.given.columns:
            record = np.concatenate([record, self.given.design(columns)], axis=1)
        if not self.slope.any():
            return self.shift[cell]
        return np.asarray(self.shift[cell] + by_cell(record, self.slope, cell))

    def bounds(self) -> tuple[Floats, Floats]:
        """The first and last grid points of every cell."""
        if not self.bounded:
            shape = (self.cells.count, len(self.attributes))
            return np.full(shape, -np.inf), np.full(shape, np.inf)
        segment = self.cells.segment
        return self.group.first[segment], self.group.last[segment]

    def drawn(self, rows: GroupRows) -> Floats:
        """New numbers of every record, in steps and on their grids."""
        plain = np.full(len(self.attributes), np.nan)
        return self.drawn_around(rows, self.means(rows.columns, rows.numbers, rows.cell), plain)

    def drawn_around(self, rows: GroupRows, means: Floats, origin: Floats) -> Floats:
        """Numbers around these means; where a column has an origin, means and root are those of logarithms above it."""
        from hushwood.techniques.kernels.numbers import draw_column_by_column

        u = np.empty(rows.numbers.shape)
        for j, name in enumerate(self.attributes):
            u[:, j] = rows.streams.uniform(self.purpose, name, 0, rows.row_ids)
        out = np.empty(rows.numbers.shape)
        low, high = self.bounds()
        step = self.group.step[self.cells.segment]
        draw_column_by_column(means, rows.cell, self.root, self.cells.known, low, high, step, origin, u, out)
        return out

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        rows = GroupRows.of(self, original, segment_ids, row_ids, streams)
        return rows.released(self.drawn(rows), self.bounded)

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
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
        found = log_column_by_column(places, means, self.root[cell], known)
        return np.where((np.isnan(new) == ~known).all(axis=1), found, -np.inf)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        form = group_pair_form(self, self.group, self.given, self.cells, schema)
        return {} if form is None else dict.fromkeys(self.attributes, form)

    def described(self) -> dict[str, Any]:
        return {
            "form": "joint normal",
            "attributes": list(self.attributes),
            "given": list(self.given.names),
            "bounded": self.bounded,
            "segment": self.cells.segment.tolist(),
            "known": self.cells.known.tolist(),
            "shift": self.shift.tolist(),
            "slope": self.slope.tolist(),
            "root": self.root.tolist(),
        }


@dataclass(frozen=True, slots=True)
class LogNormalLaw(Law):
    """`logs` is the law of ln(x + origin), x in steps; `origin` is one number for every column."""

    logs: JointNormalLaw
    origin: Floats
    independent: bool = False

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.logs.attributes

    def drawn(self, rows: GroupRows) -> Floats:
        """New numbers of every record, in steps and on their grids."""
        means = self.logs.means(rows.columns, logarithms(rows.numbers, self.origin), rows.cell)
        drawn = self.logs.drawn_around(rows, means, self.origin)
        # Without noise a number must stay as it is; logarithm and back may change its last bit.
        still = (self.logs.root == 0).all(axis=2)[rows.cell]
        return np.where(still, rows.numbers, drawn) if still.any() else drawn

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        rows = GroupRows.of(self.logs, original, segment_ids, row_ids, streams)
        return rows.released(self.drawn(rows), self.logs.bounded)

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """The sum over the columns, each given those before it."""
        from hushwood.techniques.kernels.numbers import LEAST

        group, cells = self.logs.group, self.logs.cells
        numbers, new = group.numbers(original), group.numbers(released)
        cell = cells.of(segment_ids, numbers)
        known = cells.known[cell]
        step = group.step[cells.segment][cell]
        low, high = (end[cell] for end in self.logs.bounds())
        places = Places(
            logarithms(new, self.origin, LEAST * step),
            logarithms(new - step / 2, self.origin),
            logarithms(new + step / 2, self.origin),
            logarithms(low - step / 2, self.origin),
            logarithms(high + step / 2, self.origin),
            step=step,
            bend=-logarithms(new, self.origin, LEAST * step),
            slack=group.slack * np.abs(new) / np.maximum(new + self.origin, LEAST * step),
        )
        middle = self.logs.means(original, logarithms(numbers, self.origin), cell)
        found = log_column_by_column(places, middle, self.logs.root[cell], known)
        return np.where((np.isnan(new) == ~known).all(axis=1), found, -np.inf)

    def described(self) -> dict[str, Any]:
        return {**self.logs.described(), "form": "joint lognormal", "origin": self.origin.tolist()}


def logarithms(numbers: Floats, origin: Floats, least: Floats | float = 0.0) -> Floats:
    """ln(x + origin), at least ln(least); -inf for numbers at the origin or below."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(np.maximum(numbers + origin, least)))

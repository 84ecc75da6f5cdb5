"""A joint normal law of logarithms: noise that grows with the numbers. LOGNOISE draws from it.

As in `joint_normal` the columns are drawn one after the other, each truncated to its interval and rounded to its
grid, so that the stated law is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.protocol import Columns, Law
from hushwood.techniques.together.column_by_column import Places, log_column_by_column
from hushwood.techniques.together.group_rows import GroupRows


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
        from hushwood.techniques.kernels.joint_normal import LEAST

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

"""A joint normal law of logarithms: noise that is larger for larger numbers. LOGNOISE draws from it.

As in `joint_normal` the columns are drawn one after the other, each truncated to its interval and rounded to its
grid, so that the stated law is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams
from hushwood.techniques.cells import Matrix
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.in_turn import Places, log_in_turn
from hushwood.techniques.joint_normal import JointNormalLaw
from hushwood.techniques.protocol import Columns


@dataclass(frozen=True, slots=True)
class LogNormalLaw:
    """`logs` is the law of ln(x + origin), x in steps; `origin` is one number for every column."""

    logs: JointNormalLaw
    origin: Matrix
    independent: bool = False
    dependent: bool = False

    @property
    def attributes(self) -> tuple[str, ...]:
        """The columns of the group."""
        return self.logs.attributes

    def drawn(self, rows: GroupRows) -> Matrix:
        """New numbers of every record, in steps and on their grids."""
        means = self.logs.means(rows.columns, logarithms(rows.numbers, self.origin), rows.cell)
        drawn = self.logs.drawn_around(rows, means, self.origin)
        # Without noise a number must stay as it is; logarithm and back may change its last bit.
        still = (self.logs.root == 0).all(axis=2)[rows.cell]
        return np.where(still, rows.numbers, drawn) if still.any() else drawn

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """One number per record and column decides."""
        logs = self.logs
        rows = GroupRows.of(
            logs.group, logs.given, logs.cells, original, segment_ids, row_ids, streams, logs.purpose
        )
        return rows.released(self.drawn(rows), logs.bounded)

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Matrix:
        """The sum over the columns, each given those before it."""
        from hushwood.techniques.joint_normal_kernels import LEAST

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
        found = log_in_turn(places, middle, self.logs.root[cell], known)
        return np.where((np.isnan(new) == ~known).all(axis=1), found, -np.inf)

    def described(self) -> dict[str, Any]:
        """Parameters of the logarithms of every cell, and what is added before they are taken."""
        return {**self.logs.described(), "form": "joint lognormal", "origin": self.origin.tolist()}


def logarithms(numbers: Matrix, origin: Matrix, least: Matrix | float = 0.0) -> Matrix:
    """ln(x + origin), of at least so much; -inf for what lies at the origin or below."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(np.maximum(numbers + origin, least)))

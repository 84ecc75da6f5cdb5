"""The law of C-GADP: a normal copula of the group's scores, with every cell's own distribution of each column.

The probability of a value is that of all scores it stands for, which is exact for the first column. Later columns are
conditioned on the middle of these scores, which is exact where no single value has much of the mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.errors import InternalFault
from hushwood.random_streams import Rows, Streams
from hushwood.techniques.protocol import Columns, Law
from hushwood.techniques.together.cells import CellLayout, Cells, NumberGroup, by_cell
from hushwood.techniques.together.copula import (
    ScoreModel,
    log_column_by_column,
    ranks_in_cells,
    score_model,
    score_places,
    sorted_in_cells,
)
from hushwood.techniques.together.group_rows import Given, GroupRows
from hushwood.techniques.together.learnt_groups import LearntGroup

MOST_KNOTS = 1025


@dataclass(frozen=True, slots=True)
class CopulaLaw(Law):
    """Distributions as knots [column][cell's knots], the model of the scores and the root of what it leaves."""

    group: NumberGroup
    given: Given
    cells: Cells
    knots: Floats
    offset: Integers
    model: ScoreModel
    root: Floats
    rho: float
    purpose: str

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.group.names

    @property
    def independent(self) -> bool:
        return self.rho == 0

    def drawn(self, rows: GroupRows) -> Floats:
        """New numbers, on their grids: new scores, each as the value at its place."""
        from scipy.special import ndtr

        from hushwood.techniques.kernels.numbers import values_at

        scores = np.sqrt(1 - self.rho**2) * by_cell(rows.normals(), self.root, rows.cell)
        scores += (1 - self.rho) * self._fitted(rows.columns, rows.cell)
        if self.rho:
            scores += self.rho * self._scores(rows.numbers, rows.cell)
        places = ndtr(scores)
        if not np.isfinite(places).all():
            raise InternalFault("A drawn score is not a number; please report this.")
        out = np.empty(scores.shape)
        for j, knots in enumerate(self.knots):
            out[:, j] = values_at(np.ascontiguousarray(places[:, j]), rows.cell, knots, self.offset)
        first, last, step = self._grid(rows.cell)
        return np.clip(np.rint(out / step) * step, first, last)

    def _grid(self, cell: Integers) -> tuple[Floats, Floats, Floats]:
        """First and last grid point and the step of every record's numbers."""
        segment = self.cells.segment[cell]
        return self.group.first[segment], self.group.last[segment], self.group.step[segment]

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        rows = GroupRows.of(self, original, segment_ids, row_ids, streams)
        return rows.released(self.drawn(rows))

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """The probabilities of the values' scores, each given those before it."""
        numbers, new = self.group.numbers(original), self.group.numbers(released)
        cell = self.cells.of(segment_ids, numbers)
        known = self.cells.known[cell]
        places = score_places(*self._shares(np.nan_to_num(new), cell), self._grid(cell)[2])
        fitted = (1 - self.rho) * self._fitted(original, cell)
        if self.rho:
            fitted = fitted + self.rho * self._scores(np.nan_to_num(numbers), cell)
        roots = np.sqrt(1 - self.rho**2) * self.root[cell]
        found = log_column_by_column(places, fitted, roots, known)
        return np.where((np.isnan(new) == ~known).all(axis=1), found, -np.inf)

    def _fitted(self, columns: Columns, cell: Integers) -> Floats:
        if not self.given.columns:
            return np.zeros((len(cell), len(self.attributes)))
        return self.model.fitted(self.given.design(columns), cell)

    def _scores(self, numbers: Floats, cell: Integers) -> Floats:
        """Scores of a cell's own numbers; the smallest of n lies half an n-th into the distribution, not at its end."""
        from scipy.special import ndtri

        end = ndtri(1 - 0.5 / self.cells.sizes)[cell][:, None]
        return np.clip(score_places(*self._shares(numbers, cell)).at, -end, end)

    def _shares(self, numbers: Floats, cell: Integers) -> tuple[Floats, Floats]:
        """Shares of the distribution below the numbers' grid points, and up to them; end points include the tails."""
        from hushwood.techniques.kernels.numbers import positions_of

        first, last, step = self._grid(cell)
        # From the first grid point on: far from zero half a step is less than the distance of floats.
        lower = np.where(numbers <= first, -np.inf, numbers - first - step / 2)
        upper = np.where(numbers >= last, np.inf, numbers - first + step / 2)
        origin = np.repeat(self.group.first[self.cells.segment], np.diff(self.offset), axis=0)
        below, upto = np.empty(numbers.shape), np.empty(numbers.shape)
        for j, knots in enumerate(self.knots - origin.T):
            below[:, j] = positions_of(np.ascontiguousarray(lower[:, j]), cell, knots, self.offset)[1]
            upto[:, j] = positions_of(np.ascontiguousarray(upper[:, j]), cell, knots, self.offset)[0]
        return below, upto

    def described(self) -> dict[str, Any]:
        return {
            "form": "joint normal of scores",
            "attributes": list(self.attributes),
            "given": list(self.given.names),
            "rho": self.rho,
            "segment": self.cells.segment.tolist(),
            "known": self.cells.known.tolist(),
            "offset": self.offset.tolist(),
            "knots": self.knots.tolist(),
            "slope": self.model.slope.tolist(),
            "root": self.root.tolist(),
        }


def copula_law(learnt: LearntGroup, rho: float, purpose: str) -> CopulaLaw:
    """Learn distributions and scores of every cell."""
    from hushwood.techniques.kernels.numbers import triangular_roots

    group, cells, cell = learnt.group, learnt.cells, learnt.cell
    numbers = np.nan_to_num(group.numbers(learnt.original.columns))
    start = CellLayout.of(cell, cells.count).start
    orders, in_order = sorted_in_cells(numbers, cell, cells.count)
    design = learnt.given.design(learnt.original.columns)
    model = score_model(ranks_in_cells(orders, in_order, start), design, cell, cells.sizes)
    offset = np.concatenate([[0], np.cumsum(np.minimum(cells.sizes, MOST_KNOTS))])
    picked = _picked(start, offset)
    knots = [_interpolated(values, *picked) for values in in_order]
    root = triangular_roots(np.ascontiguousarray(model.rest))
    return CopulaLaw(
        group,
        learnt.given,
        cells,
        np.array(knots).reshape(len(orders), int(offset[-1])),
        offset,
        model,
        root,
        rho,
        purpose,
    )


def _picked(start: Integers, offset: Integers) -> tuple[Integers, Floats]:
    """For every knot the sorted value at or before it, and how far it lies on the way to the next."""
    sizes, counts = np.diff(start), np.diff(offset)
    cell = np.repeat(np.arange(len(sizes)), counts)
    rank = np.arange(offset[-1]) - offset[cell]
    place = rank * ((sizes - 1) / np.maximum(counts - 1, 1))[cell]
    below = np.minimum(place.astype(np.int64), np.maximum(sizes - 2, 0)[cell])
    return start[cell] + below, np.where(sizes[cell] > 1, place - below, 0.0)


def _interpolated(ordered: Floats, below: Integers, part: Floats) -> Floats:
    after = np.minimum(below + 1, len(ordered) - 1)
    return np.asarray(
        np.where(part > 0, ordered[below] + part * (ordered[after] - ordered[below]), ordered[below])
    )

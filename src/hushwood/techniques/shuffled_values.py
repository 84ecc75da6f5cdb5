"""The law of shuffling: a record gets one of its cell's own values in every column, each as likely as it is frequent.

That is exact for one column of one record. How columns go together is as in `copula_law`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.techniques.cells import Cells, Integers, Layout, Matrix
from hushwood.techniques.conditioning import Given
from hushwood.techniques.copula import ScoreModel, ranks_in_cells, score_model, score_places, sorted_in_cells
from hushwood.techniques.in_turn import log_in_turn
from hushwood.techniques.learnt_groups import LearntGroup
from hushwood.techniques.number_groups import NumberGroup
from hushwood.techniques.protocol import Columns
from hushwood.techniques.redraw import Distributions


@dataclass(frozen=True, slots=True)
class ShuffledValues:
    """The values of every column, and how often each cell has them."""

    group: NumberGroup
    given: Given
    cells: Cells
    values: tuple[Matrix, ...]
    shares: tuple[Distributions, ...]
    model: ScoreModel
    root: NDArray[np.float64]
    independent: bool = True

    @property
    def attributes(self) -> tuple[str, ...]:
        """The columns of the group."""
        return self.group.names

    def log_prob(self, original: Columns, released: Columns, segment_ids: NDArray[Any]) -> Matrix:
        """The chances of the values' scores, each given those before it."""
        new = self.group.numbers(released)
        cell = self.cells.of(segment_ids, self.group.numbers(original))
        known = self.cells.known[cell]
        share, upto = np.zeros(new.shape), np.zeros(new.shape)
        for j, (values, shares) in enumerate(zip(self.values, self.shares, strict=True)):
            code = np.minimum(np.searchsorted(values, new[:, j]), len(values) - 1)
            place, there = shares.place(cell, code)
            there &= values[code] == new[:, j]
            share[:, j] = np.where(there, shares.probability[place], 0.0)
            upto[:, j] = shares.cumulative[place] - cell
        fitted = np.zeros(new.shape)
        if self.given.columns:
            fitted = self.model.fitted(self.given.design(original), cell)
        places = score_places(np.maximum(upto - share, 0.0), upto)
        found = log_in_turn(places, fitted, self.root[cell], known)
        return np.where((np.isnan(new) == ~known).all(axis=1), found, -np.inf)

    def described(self) -> dict[str, Any]:
        """Nothing but the form: the values are those of the table."""
        return {"form": "permutation within segments", "attributes": list(self.attributes)}


def shuffled_values(learnt: LearntGroup) -> ShuffledValues:
    """Count the values of every cell, and learn how their ranks go together."""
    from hushwood.techniques.moment_kernels import triangular_roots

    cells, cell = learnt.cells, learnt.cell
    numbers = np.where(np.isnan(learnt.numbers), 0.0, learnt.numbers)
    orders, in_order = sorted_in_cells(numbers, cell, cells.count)
    start = Layout.of(cell, cells.count).start
    ranks = ranks_in_cells(orders, in_order, start)
    model = score_model(ranks, learnt.given.design(learnt.original.columns), cell, cells.sizes)
    counted = [_counted(column, start) for column in in_order]
    return ShuffledValues(
        learnt.group,
        learnt.given,
        cells,
        tuple(values for values, _ in counted),
        tuple(shares for _, shares in counted),
        model,
        triangular_roots(np.ascontiguousarray(model.rest)),
    )


def _counted(column: Matrix, start: Integers) -> tuple[Matrix, Distributions]:
    """The distinct values of a column that is sorted by cell and value, and their shares in every cell."""
    from hushwood.techniques.rank_kernels import counted_values

    values, cell, share, upto = counted_values(column, start)
    code = np.arange(len(values))
    if len(start) > 2:
        values, code = np.unique(values, return_inverse=True)
    return values, Distributions(len(values), cell * len(values) + code, share, upto)

"""The law of shuffling: in every column a record gets one of its cell's values, in proportion to their frequency.

That is exact for one column of one record. How columns depend on each other is as in `copula_law`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.techniques.laws.redraw import Distributions
from hushwood.techniques.protocol import Columns
from hushwood.techniques.together.cells import Cells, Layout
from hushwood.techniques.together.column_by_column import log_column_by_column
from hushwood.techniques.together.conditioning import Given
from hushwood.techniques.together.copula import (
    ScoreModel,
    ranks_in_cells,
    score_model,
    score_places,
    sorted_in_cells,
)
from hushwood.techniques.together.learnt_groups import LearntGroup
from hushwood.techniques.together.number_groups import NumberGroup


@dataclass(frozen=True, slots=True)
class ShuffledValues:
    """The values of every column, and how often each cell has them."""

    group: NumberGroup
    given: Given
    cells: Cells
    values: tuple[Floats, ...]
    shares: tuple[Distributions, ...]
    model: ScoreModel
    root: Floats
    independent: bool = True

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.group.names

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """The probabilities of the values' scores, each given those before it."""
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
        found = log_column_by_column(places, fitted, self.root[cell], known)
        return np.where((np.isnan(new) == ~known).all(axis=1), found, -np.inf)

    def described(self) -> dict[str, Any]:
        return {"form": "permutation within segments", "attributes": list(self.attributes)}


def shuffled_values(learnt: LearntGroup) -> ShuffledValues:
    """Count the values of every cell, and learn how their ranks are correlated."""
    from hushwood.techniques.kernels.moments import triangular_roots

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


def _counted(column: Floats, start: Integers) -> tuple[Floats, Distributions]:
    """The distinct values of a column that is sorted by cell and value, and their shares in every cell."""
    from hushwood.techniques.kernels.ranks import counted_values

    values, cell, share, upto = counted_values(column, start)
    code = np.arange(len(values))
    if len(start) > 2:
        values, code = np.unique(values, return_inverse=True)
    return values, Distributions(len(values), cell * len(values) + code, share, upto)

"""Data shuffling inside cells: every column keeps its values, dealt out anew so that ranks go together as before.

New normal scores are drawn with the correlations of the original ones (given the scores of the columns that are
conditioned on), and the record with the r-th smallest score gets the r-th smallest original value (Muralidhar and
Sarathy 2006; algorithms 3.3). The drawn scores have these correlations exactly, not only on average, so that small
cells keep them too. `shuffle` is the technique made of it.
"""

from __future__ import annotations

import numpy as np

from hushwood.techniques.cells import Integers, Marks, Matrix
from hushwood.techniques.copula import (
    ScoreModel,
    order_in_cells,
    positive_semidefinite,
    ranks_in_cells,
    score_model,
    sorted_in_cells,
)
from hushwood.techniques.covariances import Stack
from hushwood.techniques.group_rows import GroupRows

CORRECTIONS = 2


def fewest_to_shuffle(rows: GroupRows) -> int:
    """How many records it takes for correlations that are not there by chance alone."""
    return len(rows.group.names) + rows.given.columns + 2


def shuffled(rows: GroupRows, chosen: Marks, numbers: Matrix, model: ScoreModel | None = None) -> Matrix:
    """The numbers with the columns of the chosen cells dealt out anew; others as they are.

    `model` is that of all cells, if it is known already.
    """
    if not chosen.any():
        return numbers
    part, places = rows.taken(chosen)
    dealt = _dealt_out(part, model.of_cells(np.flatnonzero(chosen)) if model else None).T
    if isinstance(places, slice):
        return np.ascontiguousarray(dealt)
    out = numbers.copy()
    out[places] = dealt
    return out


def _dealt_out(rows: GroupRows, model: ScoreModel | None) -> Matrix:
    """Deal by new scores, and again with scores that correct what ties and skewness cost of the correlations."""
    from hushwood.techniques.rank_kernels import column_products, unit_columns

    cell, cells, start = rows.cell, rows.cells.count, rows.layout.start
    orders, values = sorted_in_cells(rows.numbers, cell, cells)
    design = rows.given.design(rows.columns)
    if model is None:
        model = score_model(ranks_in_cells(orders, values, start), design, cell, rows.cells.sizes)
    fitted = model.fitted(design, cell) if design.shape[1] else np.empty((0, len(values)))
    frame = _frame(rows, design)
    unit = unit_columns(values, start)
    wanted = column_products(_dealt(unit, orders), cell, cells)
    rest = model.rest
    by_score = _orders_of_scores(rows, frame, rest, fitted)
    for _ in range(CORRECTIONS):
        found = column_products(_dealt(unit, by_score), cell, cells)
        rest = positive_semidefinite(rest + wanted - found)
        by_score = _orders_of_scores(rows, frame, rest, fitted)
    return _dealt(values, by_score)


def _frame(rows: GroupRows, design: Matrix) -> Matrix:
    """Random orthonormal columns of every cell, beside 1 and the given ones."""
    from hushwood.techniques.frame_kernels import random_frames

    layout = rows.layout
    frame = np.empty(rows.numbers.shape)
    every = np.ones(rows.cells.count, bool)
    random_frames(layout.sorted(rows.normals()), layout.sorted(design), layout.start, every, frame)
    return layout.back(frame)


def _orders_of_scores(rows: GroupRows, frame: Matrix, rest: Stack, fitted: Matrix) -> list[Integers]:
    """Places sorted by cell and inside a cell by a column's new score, for every column."""
    from hushwood.techniques.moment_kernels import triangular_roots
    from hushwood.techniques.rank_kernels import score_columns

    length = np.sqrt(np.maximum(rows.cells.sizes - 1.0, 1.0))
    roots = triangular_roots(np.ascontiguousarray(rest)) * length[:, None, None]
    scores = score_columns(frame, roots, fitted, rows.cell)
    return [order_in_cells(column, rows.cell, rows.cells.count) for column in scores]


def _dealt(sorted_columns: Matrix, orders: list[Integers]) -> Matrix:
    """Columns [column, record]: the place at r in a column's order gets its r-th value."""
    out = np.empty(sorted_columns.shape)
    for column, values, order in zip(out, sorted_columns, orders, strict=True):
        column[order] = values
    return out

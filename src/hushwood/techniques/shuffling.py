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
    cell_correlations,
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
    from hushwood.techniques.rank_kernels import unit_columns

    cell, cells, start = rows.cell, rows.cells.count, rows.layout.start
    design = rows.given.design(rows.columns)
    if model is None:
        orders, values = sorted_in_cells(rows.numbers, cell, cells)
        model = score_model(ranks_in_cells(orders, values, start), design, cell, rows.cells.sizes)
    else:
        values = _in_order(rows)
    fitted = model.fitted(design, cell) if design.shape[1] else np.empty((0, len(values)))
    frame = _frame(rows, design)
    unit = unit_columns(values, start)
    wanted = cell_correlations(rows.numbers, cell, cells)
    rest = model.rest
    for _ in range(CORRECTIONS):
        found = _products(_dealt(rows, unit, frame, rest, fitted), cell, cells)
        rest = positive_semidefinite(rest + wanted - found)
    return _dealt(rows, values, frame, rest, fitted)


def _in_order(rows: GroupRows) -> Matrix:
    """The values [column, place] sorted by cell and inside it; of one cell without their places, which take longer."""
    if rows.cells.count == 1:
        return np.sort(rows.numbers.T)
    return sorted_in_cells(rows.numbers, rows.cell, rows.cells.count)[1]


def _products(columns: Matrix, cell: Integers, cells: int) -> Stack:
    """The products [cell, column, column] of columns over the records of every cell."""
    from hushwood.techniques.rank_kernels import column_products

    return (columns @ columns.T)[None] if cells == 1 else column_products(columns, cell, cells)


def _frame(rows: GroupRows, design: Matrix) -> Matrix:
    """Random orthonormal columns of every cell, beside 1 and the given ones."""
    from hushwood.techniques.frame_kernels import random_frames

    layout = rows.layout
    frame = np.empty(rows.numbers.shape)
    every = np.ones(rows.cells.count, bool)
    random_frames(layout.sorted(rows.normals()), layout.sorted(design), layout.start, every, frame)
    return layout.back(frame)


def _dealt(rows: GroupRows, in_order: Matrix, frame: Matrix, rest: Stack, fitted: Matrix) -> Matrix:
    """Columns [column, record]: the record with the r-th smallest score of its cell gets the r-th of `in_order`."""
    from hushwood.techniques.moment_kernels import triangular_roots
    from hushwood.techniques.rank_kernels import deal, packed, score_columns

    length = np.sqrt(np.maximum(rows.cells.sizes - 1.0, 1.0))
    roots = triangular_roots(np.ascontiguousarray(rest)) * length[:, None, None]
    scores = score_columns(frame, roots, fitted, rows.cell)
    row_bits = len(frame).bit_length()
    # Packed with their records, scores sort three times as fast; equal to forty bits or so, they go by record.
    score_bits = min(52, 64 - row_bits - rows.cells.count.bit_length())
    for column, values in zip(scores, in_order, strict=True):
        keys = packed(column, rows.cell, score_bits, row_bits)
        keys.sort()
        deal(values, keys, row_bits, column)
    return np.asarray(scores)

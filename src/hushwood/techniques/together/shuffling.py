"""Data shuffling inside cells: every column keeps its values, permuted so that ranks are correlated as before.

New normal scores are drawn with the correlations of the original ones (given the scores of the columns that are
conditioned on), and the record with the r-th smallest score gets the r-th smallest original value (Muralidhar and
Sarathy 2006). The drawn scores have these correlations exactly, not only on average, so that small
cells keep them too. `shuffle` is the technique built on it.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.techniques.together.copula import (
    ScoreModel,
    cell_correlations,
    positive_semidefinite,
    ranks_in_cells,
    score_model,
    sorted_in_cells,
)
from hushwood.techniques.together.group_rows import GroupRows

CORRECTIONS = 2


def fewest_to_shuffle(rows: GroupRows) -> int:
    """The fewest records whose correlations are not just chance."""
    return len(rows.group.names) + rows.given.columns + 2


def shuffled(rows: GroupRows, chosen: Flags, numbers: Floats, model: ScoreModel | None = None) -> Floats:
    """The numbers with the columns of the chosen cells shuffled; others unchanged.

    `model` is that of all cells, if it is already known.
    """
    if not chosen.any():
        return numbers
    part, places = rows.taken(chosen)
    new = _shuffled_cells(part, model.of_cells(np.flatnonzero(chosen)) if model else None).T
    if isinstance(places, slice):
        return np.ascontiguousarray(new)
    out = numbers.copy()
    out[places] = new
    return out


def _shuffled_cells(rows: GroupRows, model: ScoreModel | None) -> Floats:
    """Shuffle by new scores, and again with scores that correct the correlations for ties and skewness."""
    from hushwood.techniques.kernels.ranks import unit_columns

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
        found = _products(_by_scores(rows, unit, frame, rest, fitted), cell, cells)
        rest = positive_semidefinite(rest + wanted - found)
    return _by_scores(rows, values, frame, rest, fitted)


def _in_order(rows: GroupRows) -> Floats:
    """The values [column, place] sorted by cell and inside it; of one cell without their places, which take longer."""
    if rows.cells.count == 1:
        return np.sort(rows.numbers.T)
    return sorted_in_cells(rows.numbers, rows.cell, rows.cells.count)[1]


def _products(columns: Floats, cell: Integers, cells: int) -> Floats:
    """The products [cell, column, column] of columns over the records of every cell."""
    from hushwood.techniques.kernels.ranks import column_products

    return (columns @ columns.T)[None] if cells == 1 else column_products(columns, cell, cells)


def _frame(rows: GroupRows, design: Floats) -> Floats:
    """Random orthonormal columns of every cell, orthogonal to 1 and the given ones."""
    from hushwood.techniques.kernels.orthogonal import random_frames

    layout = rows.layout
    frame = np.empty(rows.numbers.shape)
    every = np.ones(rows.cells.count, bool)
    random_frames(layout.sorted(rows.normals()), layout.sorted(design), layout.start, every, frame)
    return layout.back(frame)


def _by_scores(rows: GroupRows, in_order: Floats, frame: Floats, rest: Floats, fitted: Floats) -> Floats:
    """Columns [column, record]: the record with the r-th smallest score of its cell gets the r-th of `in_order`."""
    from hushwood.techniques.kernels.numbers import triangular_roots
    from hushwood.techniques.kernels.ranks import deal, packed, score_columns

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

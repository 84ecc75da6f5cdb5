"""Rounding to a grid that keeps the totals of cells: the numbers nearest to the next step go the other way.

Plain rounding moves the mean of a cell, most of all at the end of a box, where all numbers are rounded inwards.
"""

from __future__ import annotations

import numpy as np

from hushwood.techniques.cells import Matrix
from hushwood.techniques.copula import order_in_cells
from hushwood.techniques.group_rows import GroupRows


def balanced(rows: GroupRows, numbers: Matrix) -> Matrix:
    """The numbers, rounded inside their boxes where their column has a grid, with every cell's totals kept."""
    out = numbers.copy()
    segment = rows.cells.segment
    low, high = rows.group.low[segment], rows.group.high[segment]
    start = rows.layout.start
    for j in np.flatnonzero(rows.group.on_grid).tolist():
        lowest, highest = low[rows.cell, j], high[rows.cell, j]
        rounded = np.clip(np.rint(numbers[:, j]), lowest, highest)
        lost = numbers[:, j] - rounded
        steps = np.rint(np.bincount(rows.cell, lost, minlength=rows.cells.count))
        if steps.any():
            way = np.sign(steps)[rows.cell]
            room = (rounded + way >= lowest) & (rounded + way <= highest) & (way != 0)
            order = order_in_cells(np.where(room, -way * lost, np.inf), rows.cell, rows.cells.count)
            place = np.empty(len(order), np.int64)
            place[order] = np.arange(len(order)) - start[rows.cell[order]]
            rounded += np.where(room & (place < np.abs(steps)[rows.cell]), way, 0.0)
        out[:, j] = rounded
    return out

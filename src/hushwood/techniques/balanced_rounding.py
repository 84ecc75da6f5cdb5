"""Rounding to a grid that keeps the totals of cells: the numbers nearest to the next step go the other way.

Plain rounding moves the mean of a cell, most of all at the end of a box, where all numbers are rounded inwards.
"""

from __future__ import annotations

import numpy as np

from hushwood.techniques.cells import Marks, Matrix
from hushwood.techniques.copula import order_in_cells
from hushwood.techniques.group_rows import GroupRows


def balanced(rows: GroupRows, numbers: Matrix, copied: Marks) -> Matrix:
    """The numbers, on the grids of their boxes, with every cell's totals kept to half a step.

    Cells that hand out `copied` numbers keep them to the last bit.
    """
    out = numbers.copy()
    group, segment = rows.group, rows.cells.segment
    first, last, step = group.first[segment], group.last[segment], group.step[segment]
    start = rows.layout.start
    for j in range(len(group.names)):
        # In steps from the first grid point: far from zero sums of the numbers themselves would lose the steps.
        unit, lowest = step[rows.cell, j], first[rows.cell, j]
        place, highest = (numbers[:, j] - lowest) / unit, (last[rows.cell, j] - lowest) / unit
        rounded = np.clip(np.rint(place), 0.0, highest)
        lost = place - rounded
        steps = np.rint(np.bincount(rows.cell, lost, minlength=rows.cells.count))
        if steps.any():
            way = np.sign(steps)[rows.cell]
            room = (rounded + way >= 0) & (rounded + way <= highest) & (way != 0)
            order = order_in_cells(np.where(room, -way * lost, np.inf), rows.cell, rows.cells.count)
            turn = np.empty(len(order), np.int64)
            turn[order] = np.arange(len(order)) - start[rows.cell[order]]
            rounded += np.where(room & (turn < np.abs(steps)[rows.cell]), way, 0.0)
        fitted = lowest + rounded * unit
        out[:, j] = fitted if group.decimal[j] else np.where(copied[rows.cell], out[:, j], fitted)
    return out

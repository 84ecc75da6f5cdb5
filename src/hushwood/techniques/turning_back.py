"""Drawn numbers that left their box, turned back into it with others of their cell: means and covariances stay exactly.

A draw from all directions misses the range of the original numbers here and there, also where nearly all of it fits.
Where many numbers are outside, the whole cell is left to `rotation_walk`.
"""

from __future__ import annotations

import numpy as np

from hushwood.random_streams import group_order
from hushwood.tables.coding import dense_codes
from hushwood.techniques.cells import Integers, Marks, Matrix
from hushwood.techniques.group_rows import GroupRows

FEW = 0.05  # share of a cell's records
TRIES = 8


def turned_back(rows: GroupRows, numbers: Matrix, chosen: Marks) -> tuple[Matrix, Marks]:
    """The numbers, those outside turned back in the chosen cells with few of them; the cells that are all inside."""
    from hushwood.techniques.rotation_kernels import turn_back

    low, high = rows.room()
    outside = _outside(rows, numbers, low, high)
    count = np.bincount(rows.cell[outside], minlength=rows.cells.count)
    # Given numbers would need turns of more than three records at once.
    few = chosen & (count <= FEW * rows.cells.sizes) & (not rows.given.numeric)
    outside = outside[few[rows.cell[outside]]]
    if len(outside):
        mates, start = _mates(rows, outside)
        row_ids = rows.ids_of(outside)
        tries = [rows.streams.words(rows.purpose, "turned back", t, row_ids) for t in range(TRIES)]
        box = rows.cell[outside]
        turn_back(numbers, outside, mates, start, low[box], high[box], np.stack(tries))
        left = _outside(rows, numbers, low, high)
        count = np.bincount(rows.cell[left], minlength=rows.cells.count)
    return numbers, chosen & (count == 0)


def _outside(rows: GroupRows, numbers: Matrix, low: Matrix, high: Matrix) -> Integers:
    """The records with a number outside its box."""
    from hushwood.techniques.rotation_kernels import rows_outside

    return np.flatnonzero(rows_outside(numbers, rows.cell, low, high))


def _mates(rows: GroupRows, outside: Integers) -> tuple[Integers, Integers]:
    """All records sorted by cell and given categories, and where those like every record outside begin and end."""
    strata = rows.given.strata(rows.columns)
    keys, group = dense_codes(rows.cell * (int(strata.max(initial=0)) + 1) + strata)
    limits = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(keys)))])
    return group_order(group), np.stack([limits[group[outside]], limits[group[outside] + 1]], axis=1)

"""A walk of small rotations that keeps means and covariances, and every number in its box.

Three records of a cell are permuted and rotated around their mean, by an angle that keeps all their numbers inside; the
next sweep combines others. Given columns are held fixed as well: categories by rotating only records of one category
(rare ones together), numbers by rotating more records at once. `rotation` is the technique built on it.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.random_streams import keyed_order
from hushwood.tables.frames.storage import dense_codes
from hushwood.techniques.together.conditioning import Given
from hushwood.techniques.together.group_rows import GroupRows

SWEEPS = 12
_THREE = 3


def fewest_to_turn(given: Given) -> int:
    """The fewest records of a cell that can be rotated."""
    return _THREE + len(given.numeric)


def walked(rows: GroupRows, chosen: Flags, numbers: Floats) -> Floats:
    """The numbers after a walk in the chosen cells; others unchanged."""
    from hushwood.techniques.kernels.rotation import turn_blocks, turn_threes

    if not chosen.any():
        return numbers
    part, places = rows.taken(chosen)
    owner, cell = _turned_together(part)
    start = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=len(owner)))])
    low, high = (end[owner] for end in part.room())
    moved = np.array(numbers[places])
    alike = _alike(moved, cell, low, high, part.group.step[part.cells.segment][owner])
    given = part.given.numbers(part.columns)
    for sweep in range(SWEEPS):
        words = rows.streams.words(rows.purpose, "who is turned together", sweep, part.row_ids)
        u = rows.streams.uniform(rows.purpose, "how far to turn", sweep, part.row_ids)
        order = keyed_order(words, cell if sweep % 2 else alike)
        if given.shape[1]:
            axes = [rows.streams.normal(rows.purpose, "axis", 2 * sweep + i, part.row_ids) for i in range(2)]
            turn_blocks(moved, given, order, start, low, high, u, np.stack(axes, axis=1))
        else:
            turn_threes(moved, order, start, low, high, u)
    out = numbers.copy()
    out[places] = moved
    return out


def _turned_together(rows: GroupRows) -> tuple[Integers, Integers]:
    """Cells split by the given categories: the cell each part comes from, and the part of every record.

    Categories with too few records to rotate are merged, if necessary with the largest, so that all records move.
    """
    fewest = fewest_to_turn(rows.given)
    strata = rows.given.strata(rows.columns)
    kinds = int(strata.max(initial=0)) + 2  # the last for rare categories
    for _ in range(2):
        keys, place = dense_codes(rows.cell * kinds + strata)
        sizes = np.bincount(place, minlength=len(keys))
        small = sizes[place] < fewest
        if not small.any():
            break
        by_size = np.lexsort((sizes, keys // kinds))
        last = np.append(np.diff(keys[by_size] // kinds) != 0, True)
        largest = np.zeros(rows.cells.count, np.int64)
        largest[keys[by_size][last] // kinds] = keys[by_size][last] % kinds
        rare = small & (strata < kinds - 1)
        strata = np.where(rare, kinds - 1, np.where(small, largest[rows.cell], strata))
    keys, place = dense_codes(rows.cell * kinds + strata)
    return keys // kinds, place


def _alike(numbers: Floats, cell: Integers, low: Floats, high: Floats, step: Floats) -> Integers:
    """Cells split by which numbers lie at an end of their box.

    A number at the end of its box can hardly rotate with two that are far from it, but can with others like it.
    """
    pattern = np.zeros(len(numbers), np.int64)
    for j in range(numbers.shape[1]):
        near = step[cell, j]  # the ends of a grid are half a step away
        at_end = 1 * (numbers[:, j] <= low[cell, j] + near) + 2 * (numbers[:, j] >= high[cell, j] - near)
        pattern = dense_codes(pattern * 4 + at_end)[1]
    return dense_codes(cell * (int(pattern.max(initial=0)) + 1) + pattern)[1]

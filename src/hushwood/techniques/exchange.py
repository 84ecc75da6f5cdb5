"""Single numbers exchanged with other records of the segment: what shuffling does with a record whose gaps nobody has.

The values of a column in a segment stay, as they do by permutation in `fallbacks`, which needs records with equal gaps.
"""

from __future__ import annotations

import numpy as np

from hushwood.random_streams import keyed_order
from hushwood.techniques.cells import Cells, Integers, Marks, Matrix
from hushwood.techniques.group_rows import GroupRows

_TWO = 2


def can_exchange(cells: Cells) -> Marks:
    """Cells whose every number has another one of its column in the segment."""
    there = _records(cells, np.ones(cells.count, bool))
    return np.asarray(((there[cells.segment] >= _TWO) | ~cells.known).all(axis=1))


def share_exchanged(cells: Cells, chosen: Marks) -> Matrix:
    """The chance of a record of every cell that one of its numbers is exchanged when those of the chosen cells are."""
    wanting = _records(cells, chosen)
    others = _records(cells, ~chosen)
    chance = np.minimum(wanting / np.maximum(others, 1.0), 1.0)
    return np.asarray(1 - np.prod(1 - chance[cells.segment] * cells.known, axis=1))


def _records(cells: Cells, chosen: Marks) -> Matrix:
    """The records [segment, column] of the chosen cells that have a number of the column."""
    out = np.zeros((int(cells.segment.max(initial=0)) + 1, cells.known.shape[1]))
    np.add.at(out, cells.segment[chosen], (cells.known * cells.sizes[:, None])[chosen])
    return out


def exchanged(rows: GroupRows, chosen: Marks, numbers: Matrix) -> Matrix:
    """The numbers, with every one of the chosen cells handed on to another record, and another handed to it."""
    if not chosen.any():
        return numbers
    out = numbers.copy()
    segment = rows.cells.segment
    concerned = np.isin(segment, segment[chosen])
    row_ids = np.asarray(rows.row_ids, np.int64)
    for j, name in enumerate(rows.group.names):
        there = np.flatnonzero((concerned & rows.cells.known[:, j])[rows.cell])
        words = rows.streams.words(rows.purpose, name, 2, row_ids[there])
        mine, group = chosen[rows.cell[there]], segment[rows.cell[there]]
        wanting = np.bincount(group, mine)[group]
        # Those that want a number and as many others, in a circle: everybody hands on to the next.
        first = keyed_order(words, 2 * group + ~mine)
        pool = first[_place(group[first]) < 2 * wanting[first]]
        circle = pool[keyed_order(words[pool], group[pool])]
        out[there[circle], j] = numbers[there[circle[_next(group[circle])]], j]
    return out


def _place(group: Integers) -> Integers:
    """The place of every record in its group; records are sorted by group."""
    return np.arange(len(group)) - np.searchsorted(group, group)


def _next(group: Integers) -> Integers:
    """The record after every one of its group; the first after the last."""
    here = np.arange(len(group))
    begin, end = np.searchsorted(group, group), np.searchsorted(group, group, side="right")
    return np.where(here + 1 < end, here + 1, begin)

"""Groups of records that are close in all numbers, by maximum distance to the average vector (MDAV).

Groups are made inside cells: the records of the table, or of one segment, that have the same numbers missing. The loops
over records are in `kernels.mdav`.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.techniques.protocol import Within
from hushwood.techniques.together.cells import CellLayout, Cells

# The time grows with the square of the records: 100,000 of six columns take some seven seconds.
LARGEST_BLOCK = 100_000
# Coordinates are multiples of 2⁻²⁰ standard deviations, so that sums of a block are exact and ties are ties.
_FINENESS = 2.0**20


def near_records(numbers: Floats, segment_ids: Array, within: Within, k: int) -> Codes:
    """The group of every record: k to 2k - 1 of its cell, or all of a cell with fewer."""
    from hushwood.techniques.kernels.partitions import mdav_groups

    points = standardised(numbers)
    cells = Cells.of_table(segment_ids, numbers, within)
    layout = blocks(points, CellLayout.of(cells.of(segment_ids, numbers), cells.count), LARGEST_BLOCK)
    found = mdav_groups(np.ascontiguousarray(layout.sorted(points).T), layout.start, min(k, len(numbers)))
    return layout.back(found).astype(np.int32)


def standardised(numbers: Floats) -> Floats:
    """Columns in standard deviations from their means, rounded to a fine grid; missing numbers are at the mean."""
    known = ~np.isnan(numbers)
    count = np.maximum(known.sum(axis=0), 1)
    centred = np.where(known, numbers - np.where(known, numbers, 0.0).sum(axis=0) / count, 0.0)
    widest = np.abs(centred).max(axis=0, initial=0.0)
    centred /= np.where(widest > 0, widest, 1.0)  # squares of very large or small numbers would be lost
    spread = np.sqrt((centred**2).sum(axis=0) / count)
    return np.asarray(np.rint(centred / np.where(spread > 0, spread, 1.0) * _FINENESS) / _FINENESS)


def blocks(points: Floats, layout: CellLayout, most: int) -> CellLayout:
    """The cells, those of more than `most` records halved along their widest column until none is."""
    sizes = np.diff(layout.start)
    block = np.empty(len(points), np.int64)
    block[layout.order] = np.repeat(np.arange(len(sizes)), sizes)
    large = [layout.order[layout.start[c] : layout.start[c + 1]] for c in np.flatnonzero(sizes > most)]
    made = len(sizes)
    while large:
        rows = large.pop()
        widest = int(points[rows].var(axis=0).argmax())
        ascending = rows[np.argsort(points[rows, widest], kind="stable")]
        halves = np.sort(ascending[: len(rows) // 2]), np.sort(ascending[len(rows) // 2 :])
        block[halves[1]] = made
        made += 1
        large += [half for half in halves if len(half) > most]
    return CellLayout.of(block, made)

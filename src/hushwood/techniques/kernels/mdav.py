"""The loops of microaggregation over all remaining records, compiled by numba; `mdav` prepares the points.

Coordinates are multiples of one power of two, so their sums are exact in any order, and a used record can be
replaced by the last one. Ties go to the record that comes first in the table.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled

PIECE = 1024  # distances that stay in the first-level cache while all columns go by


@compiled
def mdav_groups(points, start, least):
    """Group of every record; `points` are [column, record], those of block b from start[b] to start[b + 1]."""
    group = np.empty(points.shape[1], np.int64)
    made = 0
    for b in range(len(start) - 1):
        begin, end = start[b], start[b + 1]
        made = _block(points[:, begin:end].copy(), group[begin:end], least, made)
    return group


@compiled
def _block(points, group, least, made):
    """Group the records of one block, two groups at a time from its outskirts inwards."""
    left = points.shape[1]
    row, place = np.arange(left), np.arange(left)
    away, chosen = np.empty(left), np.empty(least, np.int64)
    total = points.sum(axis=1)
    while left >= 2 * least:
        _distances(points, left, total / left, away)
        first = _farthest(away, left, row)
        pairs = left >= 3 * least
        for _ in range(2 if pairs else 1):
            _distances(points, left, points[:, first].copy(), away)
            _nearest(away, left, row, first, chosen)
            away[chosen] = -1.0  # so that the farthest of the rest is found
            opposite = row[_farthest(away, left, row)]
            group[row[chosen]] = made
            made += 1
            left = _take_out(points, left, row, place, chosen, total)
            first = place[opposite]
        if not pairs:
            break
    for j in range(left):
        group[row[j]] = made
    return made + (left > 0)


@compiled
def _distances(points, left, centre, away):
    """Squared distances of all records left from one point, added up column by column."""
    for begin in range(0, left, PIECE):
        piece = away[begin : min(begin + PIECE, left)]
        piece[:] = 0.0
        for c in range(len(centre)):
            column, x = points[c, begin : begin + len(piece)], centre[c]
            for j in range(len(piece)):
                difference = column[j] - x
                piece[j] += difference * difference


@compiled
def _farthest(away, left, row):
    best = 0
    for j in range(1, left):
        if away[j] >= away[best] and (away[j] > away[best] or row[j] < row[best]):
            best = j
    return best


@compiled
def _nearest(away, left, row, centre, chosen):
    """Fill `chosen` with a record and its nearest others, in the order of (distance, row)."""
    chosen[0] = centre
    count = 1
    limit = np.inf
    for j in range(left):
        if away[j] > limit or j == centre:
            continue
        at = count
        if count == len(chosen):
            last = chosen[count - 1]
            if away[j] == away[last] and row[j] > row[last]:
                continue
            at -= 1
        else:
            count += 1
        while at > 1 and _before(away, row, j, chosen[at - 1]):
            chosen[at] = chosen[at - 1]
            at -= 1
        chosen[at] = j
        if count == len(chosen):
            limit = away[chosen[count - 1]]


@compiled
def _before(away, row, one, other):
    return away[one] < away[other] or (away[one] == away[other] and row[one] < row[other])


@compiled
def _take_out(points, left, row, place, chosen, total):
    """Put the last records where the chosen ones were, from the back, and take them off the totals."""
    for j in np.sort(chosen)[::-1]:
        total -= points[:, j]
        left -= 1
        points[:, j] = points[:, left]
        row[j] = row[left]
        place[row[j]] = j
    return left

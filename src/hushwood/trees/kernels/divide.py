"""The loops that send a level's records to the children of its nodes, compiled by numba.

Entries and orders are those of `kernels.scan`; `c45.growth` calls both.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled as _compile
from hushwood.trees.kernels.scan import ENTRY

UNKNOWN = -2
CLOSED = -1

# `upper` has a bit for every record of complete data: whether it goes to the second of two branches. The bits of a
# million records fit a cache that their targets do not fit.
Division = namedtuple("Division", "child_start target upper place share begin known")


@_compile
def _send_in_two(node, codes, cut, level, target, known, counts):
    """`send_entries` for a numeric test of complete data; `known` and `counts` are those of the two children."""
    number = np.zeros((2, counts.shape[1]), np.int64)
    for entry in range(level.start[node], level.start[node + 1]):
        record = level.rows[entry]
        branch = np.int64(codes[record] > cut)
        target[record] = branch
        number[branch, level.classes[entry]] += 1
    for child in range(2):
        for c in range(counts.shape[1]):
            known[child] += number[child, c]
            counts[child, c] = number[child, c]


@_compile
def send_entries(
    nodes, codes, attribute, cut, child_start, level, slack, least, target, known, unknown, counts
):
    """Send the entries of some of a level's nodes (from, to) to their branches.

    `target[entry]` (`target[record]` with complete data) becomes the branch or UNKNOWN; `known[child]` counts
    entries and `unknown[node]` those without a value; `counts[child]` get the class weights, shares of the unknown
    included. An unknown entry of less weight than `least[node]` is lost: its target is CLOSED.
    """
    complete = len(level.weights) == 0
    class_count = counts.shape[1]
    stray = np.zeros(class_count)
    for node in range(nodes[0], nodes[1]):
        a = attribute[node]
        if a < 0:
            continue
        first, last = child_start[node], child_start[node + 1]
        if complete and cut[node] >= 0:
            _send_in_two(node, codes[a], cut[node], level, target, known[first:last], counts[first:last])
            continue
        stray[:] = 0.0
        for entry in range(level.start[node], level.start[node + 1]):
            record = level.rows[entry]
            code = codes[a, record]
            weight = 1.0 if complete else level.weights[entry]
            if code < 0:
                if weight < least[node]:
                    target[entry] = CLOSED
                    continue
                target[entry] = UNKNOWN
                unknown[node] += 1
                stray[level.classes[entry]] += weight
                continue
            branch = code if cut[node] < 0 else np.int32(code > cut[node])
            target[record if complete else entry] = branch
            known[first + branch] += 1
            counts[first + branch, level.classes[entry]] += weight
        if unknown[node] > 0:
            weight_known = counts[first:last].sum()
            for child in range(first, last):
                part = counts[child].sum() / weight_known
                if part > slack:
                    for c in range(class_count):
                        counts[child, c] += part * stray[c]


@_compile
def _open_part(first, division):
    """Begin and end of a child in the next level; CLOSED and CLOSED if it is not open."""
    place = division.place[first]
    if place == CLOSED:
        return CLOSED, CLOSED
    return division.begin[place], division.begin[place + 1]


@_compile
def _goes_up(record, division):
    """Whether a record of complete data goes to the second of two branches, as 0 or 1."""
    return np.int64(division.upper[record >> 3] >> (record & 7) & 1)


@_compile
def _place_in_two(node, level, division, rows, classes):
    """`place_entries` for the two children of a node of complete data.

    Which child is next cannot be guessed, so nothing here branches on it: the one open child also gets entries of the
    other, on which its next own entry is written.
    """
    first, entry = division.child_start[node], level.start[node]
    low, low_end = _open_part(first, division)
    high, high_end = _open_part(first + 1, division)
    if low != CLOSED and high != CLOSED:
        for i in range(entry, level.start[node + 1]):
            upper = _goes_up(level.rows[i], division)
            at = high if upper else low
            rows[at], classes[at] = level.rows[i], level.classes[i]
            low += 1 - upper
            high += upper
        return
    kept, at, end = np.int64(low == CLOSED), max(low, high), max(low_end, high_end)
    while at < end:
        rows[at], classes[at] = level.rows[entry], level.classes[entry]
        at += np.int64(_goes_up(level.rows[entry], division) == kept)
        entry += 1


@_compile
def place_entries(nodes, level, division, rows, weights, classes):
    """Lay out the entries of some nodes' open children: their known entries, then the unknown ones of the parent.

    `division.place[child]` is the child's number in the next level or CLOSED, `division.begin` its first entry there.
    Unless data are complete, `division.target[entry]` becomes open child << 32 | new entry, or CLOSED, or for an
    unknown entry UNKNOWN - its rank among the unknown of its node.
    """
    complete = len(level.weights) == 0
    cursor = division.begin.copy()
    for node in range(nodes[0], nodes[1]):
        first, last = division.child_start[node], division.child_start[node + 1]
        if first == last:
            continue
        if complete and last - first == 2:
            _place_in_two(node, level, division, rows, classes)
            continue
        stray = 0
        for entry in range(level.start[node], level.start[node + 1]):
            record = level.rows[entry]
            branch = np.int64(division.target[record if complete else entry])
            if branch == UNKNOWN:
                division.target[entry] = UNKNOWN - stray
                for other in range(first, last):
                    if division.share[other] > 0.0 and division.place[other] != CLOSED:
                        new = division.begin[division.place[other]] + division.known[other] + stray
                        rows[new] = record
                        classes[new] = level.classes[entry]
                        weights[new] = level.weights[entry] * division.share[other]
                stray += 1
                continue
            if branch == CLOSED:
                continue
            place = division.place[first + branch]
            if place == CLOSED:
                if not complete:
                    division.target[entry] = CLOSED
                continue
            new = cursor[place]
            cursor[place] += 1
            rows[new] = record
            classes[new] = level.classes[entry]
            if not complete:
                division.target[entry] = place << 32 | new
                weights[new] = level.weights[entry]


@_compile
def _divide_in_two(items, first, division, out):
    """`divide_complete` for the two children of a node, the first of them `first`; in the way of `_place_in_two`."""
    low, low_end = _open_part(first, division)
    high, high_end = _open_part(first + 1, division)
    if low != CLOSED and high != CLOSED:
        for i in range(len(items)):
            upper = _goes_up(items[i] & ENTRY, division)
            out[high if upper else low] = items[i]
            low += 1 - upper
            high += upper
        return
    kept, at, end = np.int64(low == CLOSED), max(low, high), max(low_end, high_end)
    i = 0
    while at < end:
        out[at] = items[i]
        at += np.int64(_goes_up(items[i] & ENTRY, division) == kept)
        i += 1


@_compile
def divide_complete(order, start, division, cursor, out):
    """Divide one attribute's order among the open children, ascending in each; entries are records."""
    for node in range(len(start) - 1):
        first, last = division.child_start[node], division.child_start[node + 1]
        items = order[start[node] : start[node + 1]]
        if last - first == 2:
            _divide_in_two(items, first, division, out)
        elif first < last:
            for i in range(len(items)):
                place = division.place[first + division.target[items[i] & ENTRY]]
                if place != CLOSED:
                    out[cursor[place]] = items[i]
                    cursor[place] += 1


@_compile
def count_order(order, start, division, size):
    """How many known entries of one attribute every open child gets, into `size`."""
    for node in range(len(start) - 1):
        first, last = division.child_start[node], division.child_start[node + 1]
        if first == last:
            continue
        for i in range(start[node], start[node + 1]):
            target = division.target[order[i] & ENTRY]
            if target >= 0:
                size[target >> 32] += 1
            elif target <= UNKNOWN:
                for other in range(first, last):
                    if division.share[other] > 0.0 and division.place[other] != CLOSED:
                        size[division.place[other]] += 1


@_compile
def divide_order(order, start, division, cursor, out):
    """`divide_complete` for entries that carry weights, where an unknown one goes to several children."""
    for node in range(len(start) - 1):
        first, last = division.child_start[node], division.child_start[node + 1]
        if first == last:
            continue
        for i in range(start[node], start[node + 1]):
            item = order[i]
            target = division.target[item & ENTRY]
            if target >= 0:
                place = target >> 32
                out[cursor[place]] = (item & ~ENTRY) | (target & ENTRY)
                cursor[place] += 1
            elif target <= UNKNOWN:
                for other in range(first, last):
                    place = division.place[other]
                    if division.share[other] > 0.0 and place != CLOSED:
                        new = division.begin[place] + division.known[other] + (UNKNOWN - target)
                        out[cursor[place]] = (item & ~ENTRY) | new
                        cursor[place] += 1

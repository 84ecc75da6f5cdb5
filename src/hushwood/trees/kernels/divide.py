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

Division = namedtuple("Division", "child_start target place share begin known")


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
def divide_complete(order, start, division, cursor, out):
    """Divide one attribute's order among the open children, ascending in each; entries are records."""
    for node in range(len(start) - 1):
        first = division.child_start[node]
        if first == division.child_start[node + 1]:
            continue
        for i in range(start[node], start[node + 1]):
            place = division.place[first + division.target[order[i] & ENTRY]]
            if place != CLOSED:
                out[cursor[place]] = order[i]
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

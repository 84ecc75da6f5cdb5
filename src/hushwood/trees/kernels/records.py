"""Loops over records, compiled by numba: sorting a column, dividing a binary node, routing, the gain of every cut.

A column is sorted by a radix sort of the numbers' bit patterns. Flipped in the right bits, the patterns of doubles are
in the order of the numbers. An *item* is a part of such a pattern << 32 | row, so a pass moves 8 bytes a row and reads
nothing else. The sort is stable: equal numbers keep the order of their rows. `TrainingSet` ranks columns with it, and
SysFor ranks cuts by their gain ratio (docs/trees.md).
"""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled
from hushwood.kernels.compiling import compiled as _compile

ROW = np.uint64(0xFFFFFFFF)  # the low half of an item
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_SIGN = np.uint64(63)
_TOP = np.uint64(1 << 63)
_LAST = np.uint64(0xFFFFFFFFFFFFFFFF)  # the key of missing values
_DIGIT_BITS = 11
_DIGIT = np.uint64((1 << _DIGIT_BITS) - 1)
_DIGITS = 3  # of a half
MOVES_PER_ROW = 4  # by insertion; beyond them a second radix sort is faster
# An item of an order holds its row in the low bits; what stands above them (a rank, or nothing) is the caller's.
ROW_BITS = 32
ROW_MASK = (1 << ROW_BITS) - 1


@_compile
def _branch(value, numeric, threshold, branches):
    """Number of the branch that a value follows, or -1 if it is unknown."""
    if np.isnan(value):
        return -1
    if numeric:
        return 0 if value <= threshold else 1
    return int(value) if 0 <= value < branches else -1


@_compile
def route(columns, column_of, numeric, threshold, branch_start, branches, missing_to, leaves):
    """The leaf of every record, into `leaves`; unknown values follow `missing_to`.

    All records take a step, then all that are not in a leaf take the next. A record that went down alone would wait
    for the processor at every turn that it guesses wrong; here no turn is guessed. Indices are unsigned, because numba
    looks for negative ones otherwise.
    """
    waiting, nodes = np.empty(len(leaves), np.uint32), np.empty(len(leaves), np.uint32)
    count = np.uint64(0)
    if column_of[0] >= 0:
        for row in range(len(leaves)):
            waiting[row], nodes[row] = row, 0
        count = np.uint64(len(leaves))
    else:
        leaves[:] = 0
    while count > 0:
        still = np.uint64(0)
        for place in range(count):
            row, node = waiting[place], nodes[place]
            value = columns[np.uint64(column_of[node]), row]
            first = np.uint64(branch_start[node])
            ways = np.int64(branch_start[node + np.uint64(1)]) - np.int64(first)
            plain = (value == value) & ~numeric[node]
            branch = np.int64(value if plain else 0.0) + np.int64(numeric[node] & (value > threshold[node]))
            known = (value == value) & (branch >= 0) & (branch < ways)
            child = np.uint32(branches[first + np.uint64(branch) * np.uint64(known)])
            child = child if known else np.uint32(missing_to[node])
            leaves[row] = child
            waiting[still], nodes[still] = row, child
            still += np.uint64(column_of[child] >= 0)
        count = still


@_compile
def collect(matrix, attribute, numeric, threshold, branch_start, branches, share_of, own, out):
    """Add up the leaves' distributions for every row; unknown values go down all branches in their shares."""
    nodes, shares = np.empty(len(own) + 1, np.int64), np.empty(len(own) + 1)
    for row in range(len(matrix)):
        waiting = 1
        nodes[0], shares[0] = 0, 1.0
        while waiting > 0:
            waiting -= 1
            node, share = nodes[waiting], shares[waiting]
            if attribute[node] < 0:
                for c in range(out.shape[1]):
                    out[row, c] += share * own[node, c]
                continue
            first, last = branch_start[node], branch_start[node + 1]
            b = _branch(matrix[row, attribute[node]], numeric[node], threshold[node], last - first)
            if b >= 0:
                nodes[waiting], shares[waiting] = branches[first + b], share
                waiting += 1
                continue
            for i in range(first, last):
                if share_of[i] > 0.0:
                    nodes[waiting], shares[waiting] = branches[i], share * share_of[i]
                    waiting += 1


@compiled
def _key(value):
    """A whole number in the order of the values; 0 and -0 are equal, and missing values are last."""
    if np.isnan(value):
        return _LAST
    bits = np.float64(value + 0.0).view(np.uint64)
    return bits ^ ((np.uint64(0) - (bits >> _SIGN)) | _TOP)


@compiled
def _sort_items(items, spare):
    """Sort by the upper half, digit by digit; the array that holds the result comes first, then the other one."""
    count = np.zeros((_DIGITS, 1 << _DIGIT_BITS), np.uint32)
    lowest, middle, highest = count[0], count[1], count[2]
    for i in range(len(items)):
        part = items[i] >> _HALF
        lowest[part & _DIGIT] += np.uint32(1)
        middle[part >> np.uint64(_DIGIT_BITS) & _DIGIT] += np.uint32(1)
        highest[part >> np.uint64(2 * _DIGIT_BITS)] += np.uint32(1)
    for digit in range(_DIGITS):
        place, shift = count[digit], np.uint64(32 + digit * _DIGIT_BITS)
        if len(items) == 0 or place[items[0] >> shift & _DIGIT] == len(items):
            continue
        first = np.uint32(0)
        for d in range(len(place)):
            here = place[d]
            place[d] = first
            first += here
        for i in range(len(items)):
            item = items[i]
            d = item >> shift & _DIGIT
            spare[place[d]] = item
            place[d] += np.uint32(1)
        items, spare = spare, items
    return items, spare


@compiled
def _order_ties(column, items):
    """Insert items with equal upper halves where their numbers belong; whether that took few enough moves."""
    moves = MOVES_PER_ROW * len(items)
    for i in range(1, len(items)):
        item = items[i]
        if item >> _HALF != items[i - 1] >> _HALF:
            continue
        own, at = _key(column[item & ROW]), i
        while at > 0 and items[at - 1] >> _HALF == item >> _HALF and _key(column[items[at - 1] & ROW]) > own:
            items[at] = items[at - 1]
            at -= 1
        items[at] = item
        moves -= i - at
        if moves < 0:
            return False
    return True


@compiled
def ascending(column, items, spare):
    """Sort the rows of a column, missing values last; `items` and `spare` are room, and the result is one of them.

    Only its lower half means anything. Keys count from the lowest one and are cut to their upper 32 bits; where that
    makes too many of them equal, rows are first sorted by the bits that were cut off.
    """
    low, high = _LAST, np.uint64(0)
    for i in range(len(column)):
        key = _key(column[i])
        low, high = min(low, key), max(high, key)
    cut = np.uint64(0)
    while len(column) > 0 and (high - low) >> cut > ROW:
        cut += _ONE
    rest, lost = (_ONE << cut) - _ONE, np.uint64(0)
    for i in range(len(column)):
        key = _key(column[i]) - low
        lost |= key & rest
        items[i] = key >> cut << _HALF | np.uint64(i)
    items, spare = _sort_items(items, spare)
    if lost == 0 or _order_ties(column, items):
        return items
    for i in range(len(column)):
        items[i] = (_key(column[i]) - low & rest) << _HALF | np.uint64(i)
    items, spare = _sort_items(items, spare)
    for i in range(len(column)):
        row = items[i] & ROW
        items[i] = (_key(column[row]) - low) >> cut << _HALF | row
    return _sort_items(items, spare)[0]


@compiled
def rank_sorted(column, items, codes, rows, values):
    """Dense rank of every value, given their ascending order; return how many are known and how many distinct.

    Missing values (NaN, sorted last) get code -1; `rows` receives the order without them, `values` the distinct ones.
    """
    known, distinct, last = 0, 0, np.nan
    while known < len(items):
        row = np.int32(items[known] & ROW)
        value = column[row] + 0.0  # 0 and -0 are one value, and that is 0
        if np.isnan(value):
            break
        distinct += value != last
        last = value
        values[distinct - 1] = value
        codes[row] = distinct - 1
        rows[known] = row
        known += 1
    for i in range(known, len(items)):
        codes[np.int32(items[i] & ROW)] = -1
    return known, distinct


@compiled
def divide(order, lo, hi, goes_left, spare):
    """Move the items of rows that go left before the others, both in the order they had."""
    at, kept = lo, 0
    for i in range(lo, hi):
        item = order[i]
        if goes_left[item & ROW_MASK]:
            order[at] = item
            at += 1
        else:
            spare[kept] = item
            kept += 1
    order[at:hi] = spare[:kept]


@_compile
def _xlogx(x: float) -> float:
    return x * math.log2(x) if x > 0.0 else 0.0


@_compile
def cut_ratios(codes, classes, rows, weights, distinct, class_count, least, people):
    """Ranks around every admissible cut of these records, and its plain gain ratio (no price for the threshold).

    Both sides of a cut hold `least` people; without survey weights that is their weight.
    """
    histogram = np.zeros((distinct, class_count))
    heads = np.zeros(distinct)
    total, everyone = 0.0, 0.0
    for i in range(len(rows)):
        total += weights[i]
        if codes[rows[i]] >= 0:
            histogram[codes[rows[i]], classes[rows[i]]] += weights[i]
            heads[codes[rows[i]]] += people[i]
            everyone += people[i]
    left, right = np.zeros(class_count), np.zeros(class_count)
    known = 0.0
    for rank in range(distinct):
        for c in range(class_count):
            right[c] += histogram[rank, c]
            known += histogram[rank, c]
    whole = _xlogx(known)
    for c in range(class_count):
        whole -= _xlogx(right[c])
    unknown = _xlogx(total) - _xlogx(max(total - known, 0.0))
    below, above = np.empty(distinct, np.int64), np.empty(distinct, np.int64)
    ratio = np.empty(distinct)
    cuts = 0
    last = -1
    left_weight, left_people = 0.0, 0.0
    for rank in range(distinct):
        here = 0.0
        for c in range(class_count):
            here += histogram[rank, c]
        if here <= 0.0:
            continue
        if last >= 0 and left_people >= least and everyone - left_people >= least:
            parts = _xlogx(left_weight) + _xlogx(known - left_weight)
            info = unknown - parts
            for c in range(class_count):
                parts -= _xlogx(left[c]) + _xlogx(max(right[c], 0.0))
            below[cuts], above[cuts] = last, rank
            ratio[cuts] = (whole - parts) / info
            cuts += 1
        for c in range(class_count):
            left[c] += histogram[rank, c]
            right[c] -= histogram[rank, c]
        left_weight += here
        left_people += heads[rank]
        last = rank
    return below[:cuts], above[:cuts], ratio[:cuts]

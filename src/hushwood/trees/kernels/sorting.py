"""The rows of a column in ascending order, compiled by numba: a radix sort of the numbers' bit patterns.

Flipped in the right bits, the patterns of doubles are in the order of the numbers. An *item* is a part of such a
pattern << 32 | row, so a pass moves 8 bytes a row and reads nothing else. The sort is stable: equal numbers keep the
order of their rows. `TrainingSet` ranks columns with it.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled

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

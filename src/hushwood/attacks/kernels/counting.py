"""The loops over pairs of a target and a released record, and over the records of a predicate, compiled by numba.

A pair's pattern has bit j set if the two agree in attribute j: the numbers within their tolerances first, then the
codes (`fellegi_sunter`). A term of a predicate is a range of ranks low <= rank < high of one column. The records of a
range stand together in the column's sorted order, so only those of a predicate's narrowest term are looked at
(`predicates`).
"""

from __future__ import annotations

import numpy as np

from hushwood.distances.kernels.blocks import mixed_word
from hushwood.kernels.compiling import compiled as _compile

BLOCK = 1024


@_compile
def _patterns(target_numbers, target_codes, tolerances, numbers, codes, begin, end, out):
    """The patterns of one target with the records begin..end."""
    count = end - begin
    for j in range(count):
        out[j] = 0
    for c in range(numbers.shape[0]):
        value, near, column = target_numbers[c], tolerances[c], numbers[c][begin:end]
        bit = np.int32(1 << c)
        for j in range(count):
            out[j] |= bit if abs(column[j] - value) <= near else np.int32(0)
    for c in range(codes.shape[0]):
        code, values = target_codes[c], codes[c][begin:end]
        bit = np.int32(1 << (numbers.shape[0] + c))
        for j in range(count):
            out[j] |= bit if values[j] == code else np.int32(0)


@_compile
def count_patterns(target_numbers, target_codes, tolerances, numbers, codes, counts):
    """Add up how often each pattern occurs between one target and all records."""
    rows = numbers.shape[1]
    out = np.empty(BLOCK, np.int32)
    for begin in range(0, rows, BLOCK):
        end = min(begin + BLOCK, rows)
        _patterns(target_numbers, target_codes, tolerances, numbers, codes, begin, end, out)
        for j in range(end - begin):
            counts[out[j]] += 1


@_compile
def _keep(best, ties, rows, price, tie, row):
    """Put a record into the list, which rises by price and tie, if it comes before the last."""
    place = len(best) - 1
    if price == best[place] and tie >= ties[place]:
        return
    while place > 0 and (price < best[place - 1] or (price == best[place - 1] and tie < ties[place - 1])):
        best[place], ties[place], rows[place] = best[place - 1], ties[place - 1], rows[place - 1]
        place -= 1
    best[place], ties[place], rows[place] = price, tie, row


@_compile
def likeliest_rows(
    target_numbers, target_codes, tolerances, numbers, codes, cost, words, first_target, best, ties, rows
):
    """Keep the records with the cheapest patterns of every target, ties by the key; `best` starts at infinity."""
    count = numbers.shape[1]
    out = np.empty(BLOCK, np.int32)
    last = best.shape[1] - 1
    for begin in range(0, count, BLOCK):
        end = min(begin + BLOCK, count)
        for t in range(best.shape[0]):
            _patterns(target_numbers[t], target_codes[t], tolerances, numbers, codes, begin, end, out)
            for j in range(end - begin):
                price = cost[out[j]]
                if price <= best[t, last]:
                    tie = mixed_word(words[begin + j], first_target + t)
                    _keep(best[t], ties[t], rows[t], price, tie, begin + j)


@_compile
def _narrowest(p, begin, column, low, high, offset, starts, rows):
    """The term with the fewest records and where they stand in its column's order; -1 without terms."""
    best, best_from, best_to = -1, 0, rows
    for term in range(begin[p], begin[p + 1]):
        at = offset[column[term]]
        first, last = starts[at + low[term]], starts[at + high[term]]
        if best < 0 or last - first < best_to - best_from:
            best, best_from, best_to = term, first, max(first, last)
    return best, best_from, best_to


@_compile
def _fulfils(row, first, last, skipped, column, low, high, ranks):
    for term in range(first, last):
        if term != skipped:
            rank = ranks[column[term], row]
            if rank < low[term] or rank >= high[term]:
                return False
    return True


@_compile
def count_rows(begin, column, low, high, ranks, order, offset, starts, most, first, last, counts, found):
    """Count the records of the predicates first..last up to `most`, and keep one of them in `found`."""
    rows = ranks.shape[1]
    for p in range(first, last):
        best, place, end = _narrowest(p, begin, column, low, high, offset, starts, rows)
        matches = 0
        while place < end and matches < most:
            row = place if best < 0 else order[column[best], place]
            if _fulfils(row, begin[p], begin[p + 1], best, column, low, high, ranks):
                matches += 1
                found[p] = row
            place += 1
        counts[p] = matches

"""The loops over the records that may fulfil a predicate, compiled by numba; `predicates` wraps them.

A term is a range of ranks low <= rank < high of one column. The records of a range stand together in the column's
sorted order, so only those of a predicate's narrowest term are looked at.
"""

from __future__ import annotations

from hushwood.kernels.compiling import compiled as _compile


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

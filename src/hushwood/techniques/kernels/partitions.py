"""The loops of Mondrian, of top-down specialisation and of microaggregation over the records, compiled by numba.

For Mondrian every column has the records of each part in the order of its values, as a slice of one line; a run is the
records of a slice that have the same value. Microaggregation has coordinates that are multiples of one power of two, so
their sums are exact in any order, and a used record can be replaced by the last one. Ties go to the record that comes
first in the table.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled

TOLERANCE = 1e-12  # scores that differ by less, as a share of what is scored, are equal
PIECE = 1024  # distances that stay in the first-level cache while all columns go by


@compiled
def best_split(
    orders, ranks, category, begin, end, label, classes, number, known, logs, k, least, sensitive, spare, left
):
    """Column, records that go left (put into `left`), and the scores of the part before and after; column -1 if none.

    A score is the entropy of the class times the records, in bits, or the sum of squares of a numeric response.
    `spare` has a zero for every sensitive value.
    """
    size = end - begin
    line, run_end = np.empty(size, np.int32), np.empty(size, np.int64)
    before, scale = _whole(orders[0, begin:end], label, classes, number, known, logs)
    found, cut, best = -1, 0, np.inf
    for column in range(len(orders)):
        line[:] = orders[column, begin:end]
        runs = _runs(line, ranks[column], run_end)
        if runs < 2 or size < 2 * k:
            continue
        if category[column]:
            _by_response(line, run_end, runs, label, classes, number, known)
        fine = _allowable(line, run_end, runs, k, least, sensitive, spare)
        if classes > 0:
            at, score = _best_of_classes(
                line, run_end, runs, fine, label, classes, logs, category[column], scale
            )
        else:
            at, score = _best_of_numbers(line, run_end, runs, fine, number, known, scale)
        if at >= 0 and score < best - TOLERANCE * scale:
            found, cut, best = column, run_end[at], score
            left[:cut] = line[:cut]
    return found, cut, before, best


@compiled
def _whole(line, label, classes, number, known, logs):
    """Score of a part that is not split, and the size of what is added up for it, which rounding is judged by."""
    if classes > 0:
        counts = np.zeros(classes, np.int64)
        for row in line:
            counts[label[row]] += 1
        return _entropy(counts, len(line), logs), 1.0 + logs[len(line)]
    weight = total = squares = 0.0
    for row in line:
        weight += known[row]
        total += number[row]
        squares += number[row] ** 2
    return squares - total**2 / max(weight, 1.0), squares


@compiled
def _entropy(counts, size, logs):
    """Entropy of the counts times their sum, in bits."""
    score = logs[size]
    for count in counts:
        score -= logs[count]
    return score


@compiled
def _runs(line, rank, run_end):
    """Where the runs of a line end; returns their number."""
    runs = 0
    for i in range(1, len(line)):
        if rank[line[i]] != rank[line[i - 1]]:
            run_end[runs] = i
            runs += 1
    run_end[runs] = len(line)
    return runs + 1


@compiled
def _by_response(line, run_end, runs, label, classes, number, known):
    """Put the runs in the order of their share of the part's most frequent class, or of their mean response."""
    held = np.ones(len(line))
    seen = np.ones(len(line))
    if classes > 0:
        counts = np.zeros(classes, np.int64)
        for row in line:
            counts[label[row]] += 1
        frequent = np.argmax(counts)
        for i in range(len(line)):
            held[i] = label[line[i]] == frequent
    else:
        for i in range(len(line)):
            held[i], seen[i] = number[line[i]], known[line[i]]
    mean = np.empty(runs)
    start = 0
    for r in range(runs):
        mean[r] = held[start : run_end[r]].sum() / max(seen[start : run_end[r]].sum(), 1.0)
        start = run_end[r]
    _reorder(line, run_end, np.argsort(mean, kind="mergesort"))


@compiled
def _reorder(line, run_end, order):
    """The same runs in another order."""
    old, ends = line.copy(), run_end[: len(order)].copy()
    place = 0
    for i in range(len(order)):
        r = order[i]
        start = ends[r - 1] if r > 0 else 0
        line[place : place + ends[r] - start] = old[start : ends[r]]
        place += ends[r] - start
        run_end[i] = place


@compiled
def _allowable(line, run_end, runs, k, least, sensitive, spare):
    """For the cut after every run, whether both sides have k records and no sensitive value is too frequent there."""
    fine = np.zeros(runs - 1, np.bool_)
    for r in range(runs - 1):
        fine[r] = run_end[r] >= k and len(line) - run_end[r] >= k
    if least > 1.0 and fine.any():
        for s in range(len(sensitive)):
            _mark_uniform(line, run_end, fine, sensitive[s], least, spare)
    return fine


@compiled
def _mark_uniform(line, run_end, fine, values, least, counts):
    """Take back the cuts after which one value has more than 1 / least of the records of a side."""
    most, i = 0, 0
    for r in range(len(fine)):
        while i < run_end[r]:
            counts[values[line[i]]] += 1
            most = max(most, counts[values[line[i]]])
            i += 1
        fine[r] &= most * least <= i * (1.0 + TOLERANCE)
    counts[values[line]] = 0
    most, i = 0, len(line)
    for r in range(len(fine) - 1, -1, -1):
        while i > run_end[r]:
            i -= 1
            counts[values[line[i]]] += 1
            most = max(most, counts[values[line[i]]])
        fine[r] &= most * least <= (len(line) - i) * (1.0 + TOLERANCE)
    counts[values[line]] = 0


@compiled
def _best_of_classes(line, run_end, runs, fine, label, classes, logs, every, scale):
    """The run after which to cut, and its score; -1 if no cut is allowable.

    Of numbers, only cuts that have different classes on their two sides count; if none is allowable, the one
    that halves the part most evenly.
    """
    pure = _pure_class(line, run_end, runs, label)
    left, right = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    for row in line:
        right[label[row]] += 1
    middle = _middle(run_end, runs, len(line))
    found, best, halved = -1, np.inf, np.inf
    i = 0
    for r in range(runs - 1):
        while i < run_end[r]:
            left[label[line[i]]] += 1
            right[label[line[i]]] -= 1
            i += 1
        border = every or pure[r] < 0 or pure[r] != pure[r + 1]
        if not fine[r] or not (border or r == middle):
            continue
        score = _entropy(left, i, logs) + _entropy(right, len(line) - i, logs)
        if r == middle:
            halved = score
        if border and score < best - TOLERANCE * scale:
            found, best = r, score
    if found < 0 and halved < np.inf:
        return middle, halved
    return found, best


@compiled
def _pure_class(line, run_end, runs, label):
    """The class of every run, -1 if it has several."""
    pure = np.empty(runs, np.int64)
    i = 0
    for r in range(runs):
        pure[r] = label[line[i]]
        while i < run_end[r]:
            if label[line[i]] != pure[r]:
                pure[r] = -1
            i += 1
    return pure


@compiled
def _middle(run_end, runs, size):
    """The run after which the cut halves the line most evenly, the first of equals."""
    middle = 0
    for r in range(1, runs - 1):
        if abs(2 * run_end[r] - size) < abs(2 * run_end[middle] - size):
            middle = r
    return middle


@compiled
def _best_of_numbers(line, run_end, runs, fine, number, known, scale):
    """The run after which to cut, and the sums of squares of both sides together; -1 if no cut is allowable."""
    weight = total = squares = 0.0
    for row in line:
        weight += known[row]
        total += number[row]
        squares += number[row] ** 2
    found, best = -1, np.inf
    low = held = 0.0
    i = 0
    for r in range(runs - 1):
        while i < run_end[r]:
            low += known[line[i]]
            held += number[line[i]]
            i += 1
        score = squares - held**2 / max(low, 1.0) - (total - held) ** 2 / max(weight - low, 1.0)
        if fine[r] and score < best - TOLERANCE * scale:
            found, best = r, score
    return found, best


@compiled
def sizes_after(groups, ranks, child_of, children, count):
    """Records of every group and child, [group · children + child]; groups that are not parted are at child 0."""
    sizes = np.zeros(count * children, np.int64)
    for row in range(len(groups)):
        sizes[groups[row] * children + max(child_of[ranks[row]], 0)] += 1
    return sizes


@compiled
def smallest_of(sizes):
    """The smallest size that is not 0."""
    smallest = np.iinfo(np.int64).max
    for size in sizes:
        if 0 < size < smallest:
            smallest = size
    return smallest


@compiled
def renumber(groups, ranks, child_of, children, sizes):
    """Give every group and child that has records a number of its own, in place of the old groups; how many."""
    number = np.empty(len(sizes), np.int64)
    made = 0
    for place in range(len(sizes)):
        number[place] = made
        made += sizes[place] > 0
    for row in range(len(groups)):
        groups[row] = number[groups[row] * children + max(child_of[ranks[row]], 0)]
    return made


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

"""Compiled loops over pairs of records: their agreement, the nearest ones, similarity entropy and partners' ranks.

The *agreement* of two records is the number of attributes minus the sum of their distances. Released records are
processed in blocks that stay in the cache for all targets of a task, two targets at a time, so that what was loaded is
used twice. All sums of distances are exact (see `Coded`), so fastmath may reorder them: equal agreements have equal
bits.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled_with

BLOCK = 2048  # released records compared with two targets in one go
PIECE = 128  # of them are searched one by one only if one is good enough

compiled = compiled_with(fastmath=True)
# 2²³·log2(1 + z) = z·(C0 + C1·z + ... + C5·z⁵) for z from -1/4 to 1/2, to 2²³·2.3e-6: the least largest error. With
# this factor the exponent bits of a float32 can be added as they are.
LOG_UNIT = 2.0**23
_C0, _C1, _C2, _C3, _C4, _C5 = (
    np.float32(LOG_UNIT * c)
    for c in (1.44268155, -0.72109455, 0.48164558, -0.37106928, 0.29272676, -0.1451793)
)
TERMS = 512  # sums of more terms than this lose too much in single precision
_ONE = np.float32(1.0)
_THREE_QUARTERS = np.int32(0x3F400000)  # its bits
_EXPONENT = np.int32(-0x800000)  # the bits of a float32 that hold sign and exponent


@compiled
def _lower(sums, targets, t, u, numbers, c, begin, end):
    """Subtract the distances in three numeric attributes from the sums of both targets."""
    x, y, z = numbers[c][begin:end], numbers[c + 1][begin:end], numbers[c + 2][begin:end]
    one, a, b, d = sums[0], targets[t, c], targets[t, c + 1], targets[t, c + 2]
    other, e, f, g = sums[1], targets[u, c], targets[u, c + 1], targets[u, c + 2]
    for j in range(end - begin):
        one[j] -= abs(x[j] - a) + abs(y[j] - b) + abs(z[j] - d)
        other[j] -= abs(x[j] - e) + abs(y[j] - f) + abs(z[j] - g)


@compiled
def _loss(difference):
    """Minus the distance in one attribute, which is at most 1."""
    loss, most = -abs(difference), np.float32(-1.0)
    return loss if loss > most else most


@compiled
def _lower_cut(sums, targets, t, u, numbers, c, begin, end):
    """The same where a difference may exceed 1."""
    x, y, z = numbers[c][begin:end], numbers[c + 1][begin:end], numbers[c + 2][begin:end]
    one, a, b, d = sums[0], targets[t, c], targets[t, c + 1], targets[t, c + 2]
    other, e, f, g = sums[1], targets[u, c], targets[u, c + 1], targets[u, c + 2]
    for j in range(end - begin):
        one[j] += _loss(x[j] - a) + _loss(y[j] - b) + _loss(z[j] - d)
        other[j] += _loss(x[j] - e) + _loss(y[j] - f) + _loss(z[j] - g)


@compiled
def _count(misses, targets, t, u, codes, c, begin, end):
    """Count the differing codes of four categorical attributes; casts keep the sums in bytes, 32 in a register."""
    w, x = codes[c][begin:end], codes[c + 1][begin:end]
    y, z = codes[c + 2][begin:end], codes[c + 3][begin:end]
    one, a, b, d, e = misses[0], targets[t, c], targets[t, c + 1], targets[t, c + 2], targets[t, c + 3]
    other, f, g, h, i = misses[1], targets[u, c], targets[u, c + 1], targets[u, c + 2], targets[u, c + 3]
    for j in range(end - begin):
        one[j] += np.uint8(w[j] != a) + np.uint8(x[j] != b) + np.uint8(y[j] != d) + np.uint8(z[j] != e)
        other[j] += np.uint8(w[j] != f) + np.uint8(x[j] != g) + np.uint8(y[j] != h) + np.uint8(z[j] != i)


@compiled
def agreements(pair, t, u, begin, end, sums, misses):
    """Agreement of targets t and u with the released records from `begin` to `end`, into the two rows of `sums`."""
    misses[:, : end - begin] = 0
    for c in range(0, pair.codes.shape[0], 4):
        _count(misses, pair.target_codes, t, u, pair.codes, c, begin, end)
    all_equal = np.float32(pair.attributes)
    for i in range(2):
        own_sums, own_misses = sums[i], misses[i]
        for j in range(end - begin):
            own_sums[j] = all_equal - np.float32(own_misses[j])
    for c in range(0, pair.plain, 3):
        _lower(sums, pair.target_numbers, t, u, pair.numbers, c, begin, end)
    for c in range(pair.plain, pair.numbers.shape[0], 3):
        _lower_cut(sums, pair.target_numbers, t, u, pair.numbers, c, begin, end)


@compiled
def mixed_word(word, target):
    """A number that orders tied records differently for every target (the finish of splitmix64)."""
    z = word + np.uint64(target + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def _any_reaches(sums, limit):
    """Whether one of the sums is at least the limit; counted, because counting is vectorised."""
    reaching = np.int32(0)
    for j in range(len(sums)):
        reaching = np.int32(reaching + np.int32(sums[j] >= limit))
    return reaching > 0


@compiled
def _insert(best, ties, rows, agreement, tie, row):
    """Insert a record into the sorted list unless it comes after the last one; rows arrive in ascending order."""
    place = len(best)
    while place > 0 and (
        agreement > best[place - 1] or (agreement == best[place - 1] and tie < ties[place - 1])
    ):
        place -= 1
    for i in range(len(best) - 1, place, -1):
        best[i], ties[i], rows[i] = best[i - 1], ties[i - 1], rows[i - 1]
    if place < len(best):
        best[place], ties[place], rows[place] = agreement, tie, row


@compiled
def _keep_best(t, begin, sums, count, words, best, ties, rows):
    """Insert the records of a block that are among the best so far into target t's list."""
    last = len(best) - 1
    for piece in range(0, count, PIECE):
        end = min(piece + PIECE, count)
        if not _any_reaches(sums[piece:end], best[last]):
            continue
        for j in range(piece, end):
            if sums[j] >= best[last]:
                row = begin + j
                tie = mixed_word(words[row], t) if len(words) else np.uint64(row)
                _insert(best, ties, rows, sums[j], tie, row)


@compiled
def nearest_rows(pair, first, last, words, best, ties, rows):
    """Keep the records that agree most with targets `first` to `last` in `best` (at first -1), `ties` and `rows`.

    Without `words` (length 0) ties go to the earlier record.
    """
    released = pair.numbers.shape[1]
    sums, misses = np.empty((2, BLOCK), np.float32), np.empty((2, BLOCK), pair.codes.dtype)
    for begin in range(0, released, BLOCK):
        count = min(BLOCK, released - begin)
        for t in range(first, last, 2):
            u = min(t + 1, last - 1)
            agreements(pair, t, u, begin, begin + count, sums, misses)
            _keep_best(t, begin, sums[0], count, words, best[t], ties[t], rows[t])
            if u > t:
                _keep_best(u, begin, sums[1], count, words, best[u], ties[u], rows[u])


@compiled
def scaled_log2(x):
    """Binary logarithm of a positive float32 in units of 1/LOG_UNIT; some finite number for 0."""
    bits = np.float32(x).view(np.int32)
    exponent = np.int32(np.int32(bits - _THREE_QUARTERS) & _EXPONENT)
    z = np.int32(bits - exponent).view(np.float32) - _ONE
    return (((((_C5 * z + _C4) * z + _C3) * z + _C2) * z + _C1) * z + _C0) * z + np.float32(exponent)


@compiled
def _sum_and_x_log_x(sums):
    total, weighted = np.float32(0.0), np.float32(0.0)
    for j in range(len(sums)):
        total += sums[j]
        weighted += sums[j] * scaled_log2(sums[j])
    return total, weighted


@compiled
def _above_and_equal(sums, count, agreement):
    above, equal = np.int32(0), np.int32(0)
    for j in range(count):
        above = np.int32(above + np.int32(sums[j] > agreement))
        equal = np.int32(equal + np.int32(sums[j] == agreement))
    return above, equal


@compiled
def _partners_agreement(pair, first, last, partner, sums, misses):
    own = np.zeros(last - first, np.float32)
    for t in range(first, last):
        if partner[t] >= 0:
            agreements(pair, t, t, partner[t], partner[t] + 1, sums, misses)
            own[t - first] = sums[0, 0]
    return own


@compiled
def similarity_sums(pair, first, last, partner, total, weighted, above, equal):
    """Sum the agreements of targets `first` to `last` with all released records, and agreement·log2(agreement).

    `weighted` is in units of 1/LOG_UNIT. `above` and `equal` count the released records that agree more than, and
    as much as, the target's partner; without `partner` (length 0) nothing is counted.
    """
    released = pair.numbers.shape[1]
    sums, misses = np.empty((2, BLOCK), np.float32), np.empty((2, BLOCK), pair.codes.dtype)
    paired = len(partner) > 0
    own = _partners_agreement(pair, first, last if paired else first, partner, sums, misses)
    for begin in range(0, released, BLOCK):
        count = min(BLOCK, released - begin)
        for one in range(first, last, 2):
            agreements(pair, one, min(one + 1, last - 1), begin, begin + count, sums, misses)
            for t in range(one, min(one + 2, last)):
                for piece in range(0, count, TERMS):
                    some, some_weighted = _sum_and_x_log_x(sums[t - one][piece : min(piece + TERMS, count)])
                    total[t] += some
                    weighted[t] += some_weighted
                if paired and partner[t] >= 0:
                    more, same = _above_and_equal(sums[t - one], count, own[t - first])
                    above[t] += more
                    equal[t] += same

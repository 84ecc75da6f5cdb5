"""Compiled loops for similarity entropy and partners' ranks."""

from __future__ import annotations

import numpy as np

from hushwood.distances.kernels.blocks import BLOCK, agreements, compiled

# 2²³·log2(1 + z) = z·(C0 + C1·z + ... + C5·z⁵) for z from -1/4 to 1/2, to 2²³·2.3e-6: the least largest error. With
# this factor the exponent bits of a float32 can be added as they are.
LOG_UNIT = 2.0**23
_C0, _C1, _C2, _C3, _C4, _C5 = (
    np.float32(LOG_UNIT * c)
    for c in (1.44268155, -0.72109455, 0.48164558, -0.37106928, 0.29272676, -0.1451793)
)
PIECE = 512  # sums of more terms than this lose too much in single precision
_ONE = np.float32(1.0)
_THREE_QUARTERS = np.int32(0x3F400000)  # its bits
_EXPONENT = np.int32(-0x800000)  # the bits of a float32 that hold sign and exponent


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
                for piece in range(0, count, PIECE):
                    some, some_weighted = _sum_and_x_log_x(sums[t - one][piece : min(piece + PIECE, count)])
                    total[t] += some
                    weighted[t] += some_weighted
                if paired and partner[t] >= 0:
                    more, same = _above_and_equal(sums[t - one], count, own[t - first])
                    above[t] += more
                    equal[t] += same

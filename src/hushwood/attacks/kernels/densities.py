"""How densely records lie around each target: sums of a kernel over pairs of a target and a record, compiled by numba.

The kernel falls by a factor e for each attribute in which two records differ entirely.
"""

from __future__ import annotations

from math import exp, log1p

import numpy as np

from hushwood.distances.kernels.blocks import BLOCK, agreements
from hushwood.kernels.compiling import compiled_with

compiled = compiled_with(fastmath=True)


@compiled
def kernel_sums(pair, first, last, rates, total, gain):
    """Add up the kernel between targets `first` to `last` and all records, and log(1 + kernel x rate of the record).

    Without `rates` (length 0) there is no second sum.
    """
    records, rated = pair.numbers.shape[1], len(rates) > 0
    sums, misses = np.empty((2, BLOCK), np.float32), np.empty((2, BLOCK), pair.codes.dtype)
    for begin in range(0, records, BLOCK):
        count = min(BLOCK, records - begin)
        for one in range(first, last, 2):
            agreements(pair, one, min(one + 1, last - 1), begin, begin + count, sums, misses)
            for t in range(one, min(one + 2, last)):
                near, gained = 0.0, 0.0
                for j in range(count):
                    kernel = exp(sums[t - one, j] - pair.attributes)
                    near += kernel
                    if rated:
                        gained += log1p(kernel * rates[begin + j])
                total[t] += near
                gain[t] += gained

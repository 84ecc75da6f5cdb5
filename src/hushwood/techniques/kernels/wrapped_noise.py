"""Normal noise in whole steps, wrapped around inside an interval: one pass over the records, compiled by numba.

What `NoiseLaw.sample` says in numpy, word for word; a tenth of the time, because no intermediate array is made.
"""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled
from hushwood.kernels.normal_quantile import LARGEST_BELOW_ONE, quantile


@compiled
def add_wrapped_normal(values, segment_ids, words, moves, first, step, points, scale, unit, out):
    """Values with normal noise; `unit` is 10ᵖ for a column of p decimals and 0 for a continuous one.

    `moves` marks the segments in which values get noise, and the other arrays have an entry for every segment.
    """
    decimal = unit > 0.0
    for row in range(len(values)):
        value, segment = values[row], segment_ids[row]
        if not moves[segment] or np.isnan(value):
            out[row] = value
            continue
        u = (np.float64(np.int64(words[row] >> np.uint64(11))) + 0.5) * 1.1102230246251565e-16
        noise = np.rint(scale[segment] * quantile(min(u, LARGEST_BELOW_ONE)))
        many = points[segment]
        if decimal:
            place = np.rint(value * unit) - first[segment]
        else:
            place = np.rint((value - first[segment]) / step[segment])
            place = min(max(place, 0.0), many - 1.0)
        place += noise
        place -= math.floor(place / many) * many
        if place < 0.0:
            place += many
        if place >= many:
            place = 0.0
        out[row] = (first[segment] + place) / unit if decimal else first[segment] + place * step[segment]

"""The likelihood of a numeric attribute under noise inside sub-domains, block by block, from `noise_tables`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.risk.likelihoods import MISSING_AT, Doubles, Integers, Noise, codes_among, placed
from hushwood.measures.risk.noise_tables import NoiseTables
from hushwood.tables.domains import to_steps
from hushwood.tables.table import Array
from hushwood.techniques.noise import NoiseLaw

NO_LIMIT = 1e300


@dataclass(frozen=True, slots=True)
class NoiseOver:
    """A noise law, its segment of every block, and the blocks in which it works."""

    law: NoiseLaw
    segment: Integers
    covered: NDArray[np.bool_]


def noise_likelihood(wanted: Doubles, given: Doubles, block: Array, laws: Sequence[NoiseOver]) -> Noise:
    """From the values of the targets and of the released records, and the laws; blocks without one copy values."""
    tables = NoiseTables()
    count = len(laws[0].segment)
    low, high, origin = np.full(count, -NO_LIMIT), np.full(count, NO_LIMIT), np.zeros(count)
    step = np.ones(count)
    rulers = np.repeat(np.array([astuple(tables.equal())]), count, axis=0)
    for over in laws:
        segment = over.segment[over.covered]
        rulers[over.covered] = _rulers(over.law, segment, tables)
        inside = over.law.intervals
        origin[over.covered] = inside.first[segment]
        low[over.covered], high[over.covered] = inside.low[segment], inside.high[segment]
        step[over.covered] = inside.step[segment]
    stretch, period, offset, last, constant, mirror, rest, rest_stretch = rulers.T
    stretch, rest_stretch = stretch / step, rest_stretch / step  # rulers are in steps, numbers in units
    precision = laws[0].law.intervals.precision
    number, steps = to_steps(wanted, precision), to_steps(given, precision)
    codes, own, _ = codes_among(steps, number)
    places = np.where(stretch[block] == 0, codes, (steps - origin[block]) * stretch[block])
    return Noise(
        placed(places, given, MISSING_AT),
        np.where(np.isnan(number), 0.0, number),
        placed(own, wanted, MISSING_AT),
        low,
        high,
        origin,
        stretch,
        period,
        offset.astype(np.int64),
        last,
        constant,
        mirror,
        rest.astype(np.int64),
        rest_stretch,
        tables.joined(),
    )


def _rulers(law: NoiseLaw, segment: Integers, tables: NoiseTables) -> Doubles:
    """One row of numbers for every segment; intervals of the same size have the same."""
    inside = law.intervals
    sizes = np.stack([inside.points[segment], inside.step[segment], law.scale[segment]])
    _, first, same = np.unique(sizes, axis=1, return_index=True, return_inverse=True)
    found = [astuple(tables.ruler(law, int(one))) for one in segment[first]]
    return np.array(found).reshape(len(found), -1)[same.reshape(-1)] if found else np.zeros((0, 8))

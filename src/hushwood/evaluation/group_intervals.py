"""How far a number that was measured on a sample may be from that of the table: by random groups of the sample.

The sample falls into ten keyed groups of records, partners together. The measure is taken of each; the spread of the
ten numbers tells the error of the number of the whole sample (Wolter 2007, chapter 2). That costs about as much as
measuring once more. Distances of distributions are larger in small samples, so the interval also reaches as far as the
groups' mean says that the sample's number is shifted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hushwood.arrays import Integers
from hushwood.measures.protocol import Measure, Measurement
from hushwood.random_streams import Streams
from hushwood.tables.pairs.pairing import Pair

if TYPE_CHECKING:
    from hushwood.evaluation.case import Case

GROUPS = 10
FEWEST = 100  # records of a group
STUDENT = 2.262  # between ± this lie 95 % of Student's t with nine degrees of freedom


def group_interval(measure: Measure, case: Case, value: float) -> tuple[float, float] | None:
    """An approximate 95 % interval of a number about a sample; None if the measure or the sample is not fit for it."""
    pair = case.pair
    if not measure.by_groups or min(pair.original.rows, pair.released.rows) < GROUPS * FEWEST:
        return None
    numbers = []
    for rows, after in _groups(pair, case.streams):
        result, _ = case.part(rows, after).result(measure, brief=True)
        if not isinstance(result, Measurement):
            return None
        numbers.append(result.value)
    reach = STUDENT * float(np.std(numbers, ddof=1)) / np.sqrt(GROUPS)
    # What is left in the whole sample of a shift that falls with the square root of the records.
    shift = (float(np.mean(numbers)) - value) / (np.sqrt(GROUPS) - 1)
    ends = value - reach - max(shift, 0.0), value + reach - min(shift, 0.0)
    low, high = (
        fallback if end is None else end
        for end, fallback in zip(measure.bounds, (-np.inf, np.inf), strict=True)
    )
    return float(max(ends[0], low)), float(min(ends[1], high))


def _groups(pair: Pair, streams: Streams) -> list[tuple[Integers, Integers | None]]:
    """Rows of the original in ten groups; and of the release, where they are not paired."""
    rows = _tenths(pair.original.rows, streams, "original")
    if pair.partner is not None:
        return [(some, None) for some in rows]
    return list(zip(rows, _tenths(pair.released.rows, streams, "released"), strict=True))


def _tenths(rows: int, streams: Streams, name: str) -> list[Integers]:
    order = streams.order("interval", name, range(rows))
    return [np.sort(part) for part in np.array_split(order, GROUPS)]

"""Percentages of records that are classified rightly, out of numbers by key: the thesis prints counts, we count too.

The keys are in `keys`. Ways of which no count is printed have percentages at once.
"""

from __future__ import annotations

from hushwood.experiments.thesis_frameworks.keys import count_key, right_key, size_key
from hushwood.experiments.thesis_frameworks.matrices import Values
from hushwood.experiments.thesis_frameworks.ways import Way


def percent_right(values: Values, ours: Values, way: Way | str, place: int) -> list[float]:
    """Of ours or of the printed runs; the sizes of the tables are in ours."""
    known = values.get(right_key(way, place))
    if known is not None:
        return list(known)
    return [100 * count / ours[size_key(place)][0] for count in values.get(count_key(way, place), ())]

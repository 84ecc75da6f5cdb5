"""Dates and times as texts that stand for an interval: "2019", "2019-05", "2019-05-01 to 2019-06-30".

Dates are days since 1970, times seconds, as in a table. `texts` reads intervals of numbers.
"""

from __future__ import annotations

import math

import numpy as np

from hushwood.tables.generalised.texts import Interval, stands_for_anything
from hushwood.tables.schema import Attribute

_TO = " to "
_NANO = 9
_UNITS = frozenset(["Y", "M", "D", "h", "m", "s", "ms", "us", "ns"])


def read_moments(text: str, attribute: Attribute) -> Interval | None:
    """First and last moment that a text stands for in a column of dates or times; None if it is neither.

    >>> day = Attribute("visit", "numeric", storage="Date", precision=0)
    >>> read_moments("1970", day), read_moments("1970-02", day), read_moments("1970-01-02 to 1970-01-05", day)
    ((0.0, 364.0), (31.0, 58.0), (1.0, 4.0))
    """
    text = text.strip()
    if stands_for_anything(text):
        return -math.inf, math.inf
    first, sign, last = text.partition(_TO)
    start = _moment(first, attribute)
    end = _moment(last, attribute) if sign else start
    if start is None or end is None or start[0] > end[1]:
        return None
    return start[0], end[1]


def _moment(text: str, attribute: Attribute) -> Interval | None:
    """A year, month, day, hour, minute or second, from its first to its last moment."""
    text = text.strip()
    if attribute.storage == "Time":
        text = f"1970-01-01T{text}"
    try:
        moment = np.datetime64(text)
    except ValueError:
        return None
    unit = np.datetime_data(moment.dtype)[0]
    if unit not in _UNITS or np.isnat(moment):
        return None
    if attribute.storage == "Date":
        days = moment.astype("datetime64[D]"), (moment + 1).astype("datetime64[D]")
        first, after = (float(day.astype(np.int64)) for day in days)
        return first, max(after - 1, first)
    # Whole steps of the column's grid, divided as when the column is read: the same number to the last bit.
    decimals = min(attribute.precision or 0, _NANO)
    step = 10 ** (_NANO - decimals)
    start, after = (
        int(point.astype("datetime64[ns]").astype(np.int64)) // step for point in (moment, moment + 1)
    )
    return start / 10.0**decimals, max(after - 1, start) / 10.0**decimals

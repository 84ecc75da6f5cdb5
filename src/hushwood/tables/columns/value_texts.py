"""Single numbers of a table as people read them: dates, clock times, years and plain numbers.

Years are known by the name of their column and by their range; they have no thousands separators.
"""

from __future__ import annotations

import math
import re

import numpy as np

# Nobody writes dates beyond this; numpy would count on into years of twenty digits.
_MOST_DAYS = 3_700_000
_DAY = 86_400
_TICK = 1e-6
_MOST_SHOWN = 4  # decimals that amounts and measurements are shown with, zeros included
_TEMPORAL = re.compile(r"Date|Time|Datetime\[(ms|us|ns)(, *[\w+/-]+)?\]|Duration\[(ms|us|ns)\]")
_NAMED = re.compile(r"year|jahr", re.IGNORECASE)
_NAMED_RANGE, _RANGE = (1500, 2200), (1800, 2100)


def is_temporal(storage: str) -> bool:
    """Whether a storage, as named by `storage.storage_name`, holds dates, times or durations.

    >>> is_temporal("Datetime[us, Europe/Paris]"), is_temporal("Date"), is_temporal("Int64")
    (True, True, False)
    """
    return _TEMPORAL.fullmatch(storage) is not None


def number_text(value: float) -> str:
    """A number without needless decimals.

    >>> number_text(27.0), number_text(0.1), number_text(1234567.0)
    ('27', '0.1', '1234567')
    """
    return f"{value:.10g}"


def value_text(value: float, storage: str = "Float64", precision: int | None = None) -> str:
    """A number as its column shows it, with all its decimals; dates are days, and times seconds, since 1970.

    >>> value_text(1234.5), value_text(19723.0, "Date"), value_text(86460.0, "Datetime(time_unit='us')")
    ('1,234.5', '2024-01-01', '1970-01-02 00:01')
    >>> value_text(27.6, precision=2), value_text(0.1, precision=0), value_text(1e-7, precision=7)
    ('27.60', '0.1', '1e-07')
    """
    if storage.startswith("Date"):
        unit = "D" if storage == "Date" else "m"
        moment = np.datetime64(round(value), "D" if storage == "Date" else "s").astype(f"datetime64[{unit}]")
        return str(moment).replace("T", " ")
    if precision and precision <= _MOST_SHOWN and not is_temporal(storage):
        return f"{value:,.{precision}f}"
    return f"{value:,.10g}"


def limit_text(limit: float, storage: str = "Float64") -> str:
    """The threshold of a test as it is shown for a column of this storage.

    A threshold between two days is shown as the earlier one, which separates whole days in the same way. Times are
    shown in full, in UTC where the column has a time zone; durations in seconds.

    >>> limit_text(19723.5, "Date"), limit_text(86460.5, "Datetime[us, Europe/Paris]"), limit_text(45000.0, "Time")
    ('2024-01-01', '1970-01-02 00:01:00.5 UTC', '12:30')
    >>> limit_text(1234567.5), limit_text(90.0, "Duration[ms]")
    ('1234567.5', '90 s')
    """
    kind = storage.partition("[")[0] if is_temporal(storage) else ""
    if kind == "Date" and abs(limit) < _MOST_DAYS:
        return str(np.datetime64(math.floor(limit), "D"))
    if kind == "Duration":
        return f"{number_text(limit)} s"
    if kind == "Datetime" and abs(limit) < _MOST_DAYS * _DAY:
        return _moment_text(limit) + (" UTC" if "," in storage else "")
    if kind == "Time" and 0 <= limit <= _DAY - _TICK:
        return _moment_text(limit).partition(" ")[2]
    return number_text(limit)


def _moment_text(seconds: float) -> str:
    """Date and time to the microsecond, without trailing zeros."""
    moment = str(np.datetime64(round(seconds / _TICK), "us")).replace("T", " ")
    whole, _, fraction = moment.partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole.removesuffix(":00")


def are_years(name: str, low: float | None, high: float | None) -> bool:
    """Whether whole numbers in this range are years; a name that says so widens the range.

    >>> are_years("admitted", 1998, 2024), are_years("Baujahr", 1650, 2020), are_years("price", 1650, 2020)
    (True, True, False)
    """
    if low is None or high is None:
        return False
    first, last = _NAMED_RANGE if _NAMED.search(name) else _RANGE
    return first <= low and high <= last


def can_be_year(number: float) -> bool:
    """Whether a number lies where years do."""
    return _NAMED_RANGE[0] <= number <= _NAMED_RANGE[1]


def without_separators(text: str) -> str:
    """A number or a range of numbers without thousands separators.

    >>> without_separators("1,998 – 2,003")
    '1998 – 2003'
    """
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)

"""What sort of quantity numbers are, for how they are shown: years have no thousands separators."""

from __future__ import annotations

import re

_NAMED = re.compile(r"year|jahr", re.IGNORECASE)
_NAMED_RANGE, _RANGE = (1500, 2200), (1800, 2100)


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

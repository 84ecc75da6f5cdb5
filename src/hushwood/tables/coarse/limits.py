"""Limits of top and bottom codes: a number, a date, or a percentile that shows nobody's own value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from math import floor, log10

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.tables.formats.schema_file import limit_number
from hushwood.tables.frames.storage import storable
from hushwood.tables.schema import LARGEST_NUMBER, Attribute

FEWEST = 5  # records at the limit or beyond it; and exactly at it, if it is not rounded
_MONTHS = {"year": 12, "quarter": 3, "month": 1}
_ON_GRID = 1e-9
_PERCENT = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*%")


def number_of(text: str, attribute: Attribute) -> float:
    """The number that the text stands for; dates and moments are written as such."""
    try:
        if attribute.storage == "Date":
            return limit_number(date.fromisoformat(text))
        if attribute.storage.startswith("Datetime"):
            return limit_number(datetime.fromisoformat(text))
        number = float(text)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        what = "dates such as 1990-12-31" if attribute.storage.startswith("Date") else "numbers"
        raise InputError(f"Column {attribute.name!r} holds {what}; {text!r} in a rule is not one.")
    if abs(number) > LARGEST_NUMBER:
        raise InputError(
            f"A rule for {attribute.name!r} may name numbers up to {LARGEST_NUMBER:g}; {text!r} was given."
        )
    return number


def is_percentile(text: str) -> bool:
    """Whether a limit is given as a percentile, which needs the records.

    >>> is_percentile("99.5 %"), is_percentile("99")
    (True, False)
    """
    return _PERCENT.fullmatch(text.strip()) is not None


def limit_of(word: str, text: str, attribute: Attribute, values: Floats | None, step: float | None) -> float:
    """The limit of a top or bottom code, on the column's grid; a percentile is that of the `values`."""
    if not text:
        raise InputError(
            f'Give the {word} code of {attribute.name!r} a value: "{attribute.name}: {word} 100".'
        )
    if not is_percentile(text):
        return float(storable(np.array([number_of(text, attribute)]), attribute)[0])
    share = float(text.strip().rstrip("%")) / 100
    if not 0 < share < 1:
        raise InputError(
            f"A {word} code is a percentile above 0 % and below 100 %; {text!r} was given for {attribute.name!r}."
        )
    known = np.empty(0) if values is None else np.sort(values[~np.isnan(values)])
    return _rounded(word, known, share, attribute, step)


def _rounded(word: str, known: Floats, share: float, attribute: Attribute, step: float | None) -> float:
    """The percentile, if five records have that very value; or else rounded towards the middle.

    Five records must lie at it or beyond, too. That one of them has a rounded value shows nothing about anyone.
    """
    if len(known):
        exact = float(np.quantile(known, share, method="inverted_cdf"))
        shared = step is None and np.count_nonzero(known == exact) >= FEWEST
        for limit in (exact,) if shared else _candidates(word, exact, attribute, step):
            beyond = np.count_nonzero(known >= limit if word == "top" else known <= limit)
            if beyond >= FEWEST:
                return limit
    raise InputError(
        f"Column {attribute.name!r} has no {word} code near that percentile that hides its {FEWEST - 1} most extreme "
        f"records; give it as a number: --{word}-code {attribute.name}=LIMIT."
    )


def _candidates(word: str, exact: float, attribute: Attribute, step: float | None) -> Iterator[float]:
    """Ever coarser limits: two digits and fewer, or the start of a month, quarter or year.

    With a declared step they are multiples of that.
    """
    later = 0 if word == "top" else 1
    if step is None and attribute.storage.startswith("Date"):
        for calendar in ("month", "quarter", "year"):
            yield float(starts(np.array([exact]), calendar, attribute.storage, later)[0])
        return
    size = floor(log10(abs(exact))) if exact else 0
    units = [times * 10.0**power for power in (size - 1, size) for times in (1, 2, 5)]
    least = 0.0 if attribute.precision is None else 10.0**-attribute.precision
    for unit in units if step is None else [step * times for times in (1, 2, 5, 10, 20, 50, 100)]:
        if unit >= least:
            times = exact / unit
            whole = np.rint(times) if abs(times - np.rint(times)) < _ON_GRID else np.floor(times) + later
            yield float(storable(np.array([whole * unit]), attribute)[0]) + 0.0


def starts(values: Floats, unit: str, storage: str, later: int = 0) -> Floats:
    """The first moment of every value's day, month, quarter or year, in UTC; or of one that is so much later."""
    tick = "D" if storage == "Date" else "s"
    known = ~np.isnan(values)
    moments = np.floor(np.where(known, values, 0.0)).astype(np.int64).astype(f"datetime64[{tick}]")
    if unit == "day":
        first = moments.astype("datetime64[D]") + later
    else:
        months = _MONTHS[unit]
        place = moments.astype("datetime64[M]").astype(np.int64) // months + later
        first = (place * months).astype("datetime64[M]")
    return np.where(known, first.astype(f"datetime64[{tick}]").astype(np.int64).astype(np.float64), np.nan)

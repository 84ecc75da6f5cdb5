"""Dates and moments in any order of day, month and year: the patterns that a text may have, and reading by them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import product

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.csv.ways import Way

_SHAPE = re.compile(
    r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})"
    r"(?:([T ])(\d{1,2}):\d{2}(:\d{2}(?:\.(\d{3}|\d{6}))?)?( ?[AaPp][Mm])?(Z|[+-]\d{2}:?\d{2})?)?"
)
_WORD = re.compile("yyyy|yy|dd?|mm?|hh?|ss")
_FIELDS = {"yyyy": "%Y", "yy": "%y", "dd": "%d", "d": "%-d", "mm": "%m", "m": "%-m"}
_FIELDS |= {"hh": "%H", "h": "%-H", "ss": "%S"}
_REGEX = {
    "%d": r"\d{2}",
    "%m": r"\d{2}",
    "%Y": r"\d{4}",
    "%y": r"\d{2}",
    "%H": r"\d{2}",
    "%I": r"\d{2}",
    "%M": r"\d{2}",
    "%S": r"\d{2}",
    "%-d": r"\d{1,2}",
    "%-m": r"\d{1,2}",
    "%-H": r"\d{1,2}",
    "%-I": r"\d{1,2}",
    "%.3f": r"\.\d{3}",
    "%.6f": r"\.\d{6}",
    "%p": "[AaPp][Mm]",
    "%P": "[AaPp][Mm]",
}
_FIELD = re.compile(r"%-?(?:\.\d)?[A-Za-z]")
# ISO 8601 as it is mostly found: with or without seconds, and with any fraction of them.
_ANY_MOMENT = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?$"
_ZONE = r"(Z|[+-]\d{2}:?\d{2})$"
ANY_ZONE = "*"
ISO = "%Y-%m-%d"


def time_ways(first: str) -> Iterator[Way]:
    """The ways to write dates or moments of which this may be the first, those that say the most first."""
    found = _SHAPE.fullmatch(first)
    if found is None:
        if re.match(_ANY_MOMENT, first):
            yield Way("moment", zone=ANY_ZONE if re.search(_ZONE, first) else "")
        return
    begin, sign, middle, end, gap, hour, seconds, fraction, half, zone = found.groups()
    dates = list(_date_patterns(begin, sign, middle, end))
    if gap is None:
        for pattern in dates:
            yield Way("date", pattern="" if pattern == ISO else pattern)
        return
    clock = ":%M" + (":%S" if seconds else "") + (f"%.{len(fraction)}f" if fraction else "")
    if half:
        clock += half[: len(half) - 2] + ("%p" if half.strip().isupper() else "%P")
    letter = "I" if half else "H"
    hours = [f"%{letter}"] * (len(hour) == 2) + [f"%-{letter}"]
    for pattern, shown in product(dates, hours):
        yield Way("moment", pattern=f"{pattern}{gap}{shown}{clock}", zone=zone or "")
    if ISO in dates and not half:
        yield Way("moment", zone=ANY_ZONE if zone else "")


def _date_patterns(begin: str, sign: str, middle: str, end: str) -> Iterator[str]:
    """Year first, or day or month first; padded with zeros, unless this one is not."""
    orders = {
        4: ["Y m d"],
        2: ["d m Y", "m d Y"] if len(end) == 4 else ["d m y", "m d y", "y m d"],
    }
    if len(begin) == 3 or len(end) == 3 or (len(begin) == 4 and len(end) > 2):
        return
    for order in orders[4 if len(begin) == 4 else 2]:
        fields = order.split()
        padded = all(len(each) in (2, 4) for each in (begin, middle, end))
        if padded:
            yield sign.join(f"%{field}" for field in fields)
        yield sign.join(f"%{field}" if field in "Yy" else f"%-{field}" for field in fields)


def order_of(pattern: str) -> str:
    """The order of day, month and year, a year of two digits as `y`.

    >>> order_of("%-d.%-m.%Y %H:%M"), order_of("%m/%d/%y")
    ('dmY', 'mdy')
    """
    letters = {"b": "m", "B": "m", "e": "d"}
    found = (letters.get(field[-1], field[-1]) for field in _FIELD.findall(pattern))
    return "".join(letter for letter in found if letter in "dmYy")


def in_words(pattern: str) -> str:
    """A pattern as people write it.

    >>> in_words("%-d.%-m.%Y %H:%M")
    'd.m.yyyy hh:mm'
    """
    words = {"d": "dd", "m": "mm", "Y": "yyyy", "y": "yy", "H": "hh", "I": "hh", "M": "mm", "S": "ss"}
    words |= {"p": "AM", "P": "am", "f": ".f"}

    def word(found: re.Match[str]) -> str:
        text = words.get(found[0][-1], found[0])
        return text[:1] if found[0][1] == "-" else text

    return _FIELD.sub(word, pattern)


def pattern_from(given: str) -> str:
    """A pattern as it was given: dd.mm.yyyy, or %d.%m.%Y.

    >>> pattern_from("dd.mm.yyyy hh:mm"), pattern_from("%d/%m/%Y")
    ('%d.%m.%Y %H:%M', '%d/%m/%Y')
    """
    pattern = given.strip()
    if "%" not in pattern:
        day, hour, clock = pattern.lower().partition("h")
        day = _WORD.sub(lambda found: _FIELDS[found[0]], day).replace("t", "T")
        pattern = day + _WORD.sub(lambda found: _FIELDS[found[0]].replace("m", "M"), hour + clock)
    if sorted(order_of(pattern).lower()) != ["d", "m", "y"]:
        raise InputError(
            f"--date-format {given!r} must name day, month and year, such as dd.mm.yyyy, mm/dd/yyyy or %d.%m.%Y."
        )
    return pattern


def parsed_times(texts: pl.Series, way: Way) -> pl.Series:
    """Texts as dates or moments; null where they are not written in this way."""
    if way.kind == "date":
        pattern = way.pattern or ISO
        return _fitting(texts, pattern).str.to_date(pattern, strict=False)
    if not way.pattern:
        return _any_moments(texts, bool(way.zone))
    if not way.zone:
        return _fitting(texts, way.pattern).str.to_datetime(way.pattern, strict=False, time_unit="us")
    value = pl.col(texts.name)
    ended = texts.to_frame().select(pl.when(value.str.ends_with(way.zone)).then(value)).to_series()
    local = _fitting(ended.str.head(-len(way.zone)), way.pattern)
    moments = local.str.to_datetime(way.pattern, strict=False, time_unit="us") - offset_of(way.zone)
    return moments.dt.replace_time_zone("UTC")


def offset_of(zone: str) -> timedelta:
    """How far the clocks of an offset are ahead of UTC.

    >>> offset_of("-0130")
    datetime.timedelta(days=-1, seconds=81000)
    """
    if zone == "Z":
        return timedelta(0)
    sign = -1 if zone[0] == "-" else 1
    return sign * timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))


def _fitting(texts: pl.Series, pattern: str) -> pl.Series:
    """Only the texts that have exactly the digits of a pattern: the library accepts more."""
    fields = _FIELD.findall(pattern)
    if any(
        field not in _REGEX for field in fields
    ):  # given by the user, with the names of months for example
        return texts
    parts = [re.escape(part) for part in _FIELD.split(pattern)]
    fits = "".join(part + _REGEX.get(field, "") for part, field in zip(parts, [*fields, ""], strict=True))
    value = pl.col(texts.name)
    return texts.to_frame().select(pl.when(value.str.contains(f"^{fits}$")).then(value)).to_series()


def _any_moments(texts: pl.Series, zoned: bool) -> pl.Series:
    """ISO dates with a time; those with an offset are converted to UTC."""
    value = pl.col(texts.name)
    only = texts.to_frame().select(pl.when(value.str.contains(_ANY_MOMENT)).then(value)).to_series()
    moments = only.str.replace(" ", "T", literal=True)
    with_seconds = moments.str.replace(r"(T\d{2}:\d{2})(Z|[+-].*)?$", "$1:00$2")
    pattern = "%Y-%m-%dT%H:%M:%S%.f" + ("%#z" if zoned else "")
    return with_seconds.str.to_datetime(pattern, strict=False, time_unit="us")

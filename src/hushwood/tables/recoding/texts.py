"""One released text that stands for several values: a set of categories as we write it, or an interval of numbers.

Sets: "{a, b}", "{a, b and 12 more}", "ALL". Intervals are read as people, ARX, R's `cut` and pandas' `cut` write them:
"20-30", "[20, 30[", "(20,30]", "20..30", "20 to 30", "< 20", "50+", "{20, 25}", "130**". Dates and times too stand for
an interval: "2019", "2019-05", "2019-05-01 to 2019-06-30".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from hushwood.arrays import Codes, Floats
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.frames.storage import column_of_numbers, texts_of
from hushwood.tables.schema import Attribute

ALL = "ALL"
MISSING = "missing"
LONGEST = 80
_SEPARATORS = (", ", "; ", " | ")

Interval = tuple[float, float]
Labels = Mapping[
    str, Mapping[str, Sequence[str]]
]  # by column, the categories that a released label stands for

SUPPRESSED_WORDS = frozenset({"all", "any", "suppressed"})

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_NUMBER = rf"[+-]?(?:{_DIGITS}|∞|inf(?:inity)?)"
_PLAIN = re.compile(_NUMBER, re.IGNORECASE)
_RANGE = re.compile(rf"({_NUMBER})\s*(?:-|\.\.+|…|~|\bto\b)\s*({_NUMBER})", re.IGNORECASE)
_BELOW = re.compile(rf"(?:<|<=|=<|≤)\s*({_NUMBER})", re.IGNORECASE)
_ABOVE = re.compile(rf"(?:>|>=|=>|≥)\s*({_NUMBER})|({_NUMBER})\s*\+", re.IGNORECASE)
_BRACKETED = re.compile(r"[\[(\]]\s*(.+?)\s*[\])\[]")
_MASKED = re.compile(r"(\d+)(\*+)")
_DASHES = str.maketrans("\u2212\u2010\u2011\u2012\u2013\u2014", "------")
_ENDLESS = (-math.inf, math.inf)
_TO = " to "
_NANO = 9
_UNITS = frozenset(["Y", "M", "D", "h", "m", "s", "ms", "us", "ns"])
_LARGEST_WHOLE = 1e15


def set_label(values: Sequence[str], all_of: int) -> str:
    """The released value that stands for these categories, of a column that has `all_of` of them.

    A label of more than 80 characters lists only the first values and counts the others: `set_labels` keeps two long
    sets apart, and a release has a key that names all values.

    >>> set_label(["a"], 3), set_label(["a", "b"], 3), set_label(["a", "b", "c"], 3)
    ('a', '{a, b}', 'ALL')
    """
    if len(values) == 1:
        return values[0]
    if len(values) == all_of:
        return ALL
    whole = braced(values)
    return whole if len(whole) <= LONGEST else _shortened(values)


def set_labels(sets: Iterable[Sequence[str]], names: Iterable[str], all_of: int) -> list[str]:
    """The released value of every set: no two sets have the same, and a set never has the name of a category.

    >>> set_labels([["a", "ALL"], ["a"], ["a", "ALL", "b"]], ["a", "ALL", "b"], 3)
    ['{a, ALL}', 'a', 'ALL (group)']
    """
    taken, labels = set(names), []
    for own in sets:
        label = set_label(own, all_of)
        while len(own) > 1 and label in taken:
            label += " (group)"
        taken.add(label)
        labels.append(label)
    return labels


def braced(values: Sequence[str]) -> str:
    """The values in braces, with a separator that none of them contains, if there is one.

    >>> braced(["a", "b"]), braced(["a, b", "c"])
    ('{a, b}', '{a, b; c}')
    """
    free = (s for s in _SEPARATORS if not any(s.strip() in value for value in values))
    return f"{{{next(free, _SEPARATORS[0]).join(values)}}}"


def named_in(label: str) -> list[str]:
    """A released value and, if it stands for a set, the values named in it.

    >>> named_in("a"), named_in("{a, b and 12 more}")
    (['a'], ['{a, b and 12 more}', 'a', 'b'])
    """
    inside = re.fullmatch(r"\{(.*?)( and \d+ more)?\}", label, re.DOTALL)
    if inside is None:
        return [label]
    sets = [inside[1].split(separator) for separator in _SEPARATORS]
    return list(dict.fromkeys([label, *(name for names in sets if len(names) > 1 for name in names)]))


def _shortened(values: Sequence[str]) -> str:
    """As many of the first values as fit, at least one, and the number of the others."""
    for shown in range(len(values) - 1, 0, -1):
        label = f"{braced(values[:shown])[:-1]} and {len(values) - shown} more}}"
        if len(label) <= LONGEST:
            break
    return label


def stands_for_anything(text: str) -> bool:
    """Whether the text says that the value was withheld: "*", "*****", "Any", "ALL", "suppressed"."""
    return text.casefold() in SUPPRESSED_WORDS or (text != "" and not text.strip("*"))


def read_interval(text: str) -> Interval | None:
    """Smallest and largest number that a text stands for, infinite where it is open; None if it is not an interval.

    Open and closed ends are treated alike: on real numbers the difference does not matter.

    >>> read_interval("-5--1"), read_interval("[1,000, 2,000)"), read_interval(">= 50"), read_interval("130**")
    ((-5.0, -1.0), (1000.0, 2000.0), (50.0, inf), (13000.0, 13099.0))
    >>> read_interval("young")
    """
    text = text.strip().translate(_DASHES)
    if stands_for_anything(text):
        return _ENDLESS
    for read in (_plain, _range, _open_ended, _bracketed, _set, _masked):
        found = read(text)
        if found is not None:
            return found if found[0] <= found[1] else None
    return None


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("∞", "inf"))


def _plain(text: str) -> Interval | None:
    if not _PLAIN.fullmatch(text) or math.isinf(_number(text)):
        return None
    return _number(text), _number(text)


def _range(text: str) -> Interval | None:
    found = _RANGE.fullmatch(text)
    return (_number(found[1]), _number(found[2])) if found else None


def _open_ended(text: str) -> Interval | None:
    if found := _BELOW.fullmatch(text):
        return -math.inf, _number(found[1])
    if found := _ABOVE.fullmatch(text):
        return _number(found[1] or found[2]), math.inf
    return None


def _bracketed(text: str) -> Interval | None:
    """Two numbers in brackets; commas may also separate thousands, so exactly one way to split must make sense."""
    found = _BRACKETED.fullmatch(text)
    if not found:
        return None
    inside = found[1]
    if ranged := _range(inside):
        return ranged
    places = [i for i, sign in enumerate(inside) if sign in ",;"]
    cuts = [(inside[:i].strip(), inside[i + 1 :].strip()) for i in places]
    readings = [(_number(a), _number(b)) for a, b in cuts if _PLAIN.fullmatch(a) and _PLAIN.fullmatch(b)]
    sensible = [reading for reading in readings if reading[0] <= reading[1]]
    return sensible[0] if len(sensible) == 1 else None


def _set(text: str) -> Interval | None:
    if not (text.startswith("{") and text.endswith("}")):
        return None
    parts = [part.strip() for part in text[1:-1].replace(";", ",").split(",")]
    if not all(_PLAIN.fullmatch(part) for part in parts):
        return None
    numbers = [_number(part) for part in parts]
    return min(numbers), max(numbers)


def _masked(text: str) -> Interval | None:
    """Whole numbers whose last digits are replaced by stars, as in postal codes."""
    found = _MASKED.fullmatch(text)
    if not found:
        return None
    width = 10 ** len(found[2])
    first = int(found[1]) * width
    return float(first), float(first + width - 1)


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


def can_be_ranges(attribute: Attribute) -> bool:
    """Whether intervals of a column can be written as text; durations have no text."""
    return attribute.kind == "numeric" and not attribute.storage.startswith("Duration")


def range_codes(low: Floats, high: Floats, attribute: Attribute) -> tuple[Codes, tuple[str, ...]]:
    """The label of every interval as a code (-1 where missing), and the labels in the order of their intervals.

    >>> age = Attribute("age", "numeric", storage="Int64", precision=0)
    >>> range_codes(np.array([20.0, np.nan, -3.0]), np.array([30.0, np.nan, -3.0]), age)
    (array([ 1, -1,  0], dtype=int32), ('-3', '20-30'))
    """
    known = ~np.isnan(low)
    pairs, place = np.unique(np.column_stack([low, high])[known], axis=0, return_inverse=True)
    labels = _labels(pairs[:, 0], pairs[:, 1], attribute)
    codes = np.full(len(low), -1, np.int32)
    codes[known] = place.reshape(-1)
    return codes, tuple(labels)


def as_ranges(attribute: Attribute, labels: tuple[str, ...]) -> Attribute:
    """The attribute of the released texts."""
    return Attribute(attribute.name, "categorical", attribute.role, "String", categories=labels)


def _labels(low: Floats, high: Floats, attribute: Attribute) -> list[str]:
    temporal = is_temporal(attribute.storage)
    first, last = (
        texts_of(column_of_numbers(x, attribute)).to_list() if temporal else [_text(v) for v in x.tolist()]
        for x in (low, high)
    )
    found = []
    for start, end, below_zero in zip(first, last, (low < 0).tolist(), strict=True):
        sign = " to " if temporal or below_zero else "-"
        found.append(start if start == end else f"{start}{sign}{end}")
    return found


def _text(value: float) -> str:
    """A number that is read back exactly."""
    return f"{value:.0f}" if value == round(value) and abs(value) < _LARGEST_WHOLE else repr(value)

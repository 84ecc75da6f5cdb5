"""The ways in which values stand in a text file: decimal commas, thousands, fixed decimals, the order of a date.

A way is found by reading (`types`) and used for writing (`file`), so that a release looks like its input. A further way
to write values is a field of `Way`, tried by `number_ways` or `time_ways`, and read and written by these two modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from itertools import product
from typing import Any, Literal, get_args

import polars as pl

from hushwood.errors import InputError

WayKind = Literal["whole", "wide", "decimal", "boolean", "date", "moment", "mixed"]
NUMBERS = frozenset({"whole", "wide", "decimal"})
TIMES = frozenset({"date", "moment"})
# Separators of thousands: those of English, German, French (also as spaces that do not break) and Swiss numbers.
_SPACES_AND_MARKS = (" ", "\u00a0", "\u202f", "'", "\u2019")
_THOUSANDS = {",": (".", *_SPACES_AND_MARKS), ".": (",", *_SPACES_AND_MARKS)}
DECIMALS = tuple(_THOUSANDS)
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
# A zero too many in front: postal codes and account numbers are not numbers.
_CODE = r"^\s*[+-]?0\d"
_ONE_DECIMAL = r"[+-]?\d+([.,]\d+)?"
_GROUPED = r"[+-]?\d{1,3}((,\d{3})+(\.\d+)?|(\.\d{3})+(,\d+)?)"
_MIXED = f"^({_ONE_DECIMAL}|{_GROUPED})$"
_TYPES: dict[str, pl.DataType] = {"whole": pl.Int64(), "wide": pl.Int128(), "decimal": pl.Float64()}


@dataclass(frozen=True, slots=True)
class Way:
    """How the values of a column are written, and what they are.

    `places` are the decimals that every number shows; numbers that are `pointed` have at least one. `pattern` is that
    of a date or moment, or the word for true. A `zone` is the offset that every moment ends with. What is `mixed` has
    decimal points and decimal commas.
    """

    kind: WayKind
    decimal: str = "."
    thousands: str = ""
    places: int | None = None
    pointed: bool = False
    pattern: str = ""
    zone: str = ""

    @property
    def usual(self) -> bool:
        """Whether every program understands it: decimal points, no thousands, ISO dates."""
        return self.decimal == "." and not self.thousands and self.kind != "mixed" and not self.foreign_order

    @property
    def plain(self) -> bool:
        """Whether values are written as any library writes them."""
        usual = "true" if self.kind == "boolean" and self.pattern else ""
        return self == Way(self.kind, pointed=self.kind == "decimal", pattern=usual)

    @property
    def foreign_order(self) -> bool:
        """Whether it is a date that does not begin with its year and hyphens."""
        return self.kind in TIMES and bool(self.pattern) and not self.pattern.startswith("%Y-%m-%d")

    @property
    def written(self) -> Way:
        """The way that released values are written in: moments are kept, and changed, by the second."""
        if self.kind != "moment" or not self.pattern or "%S" in self.pattern:
            return self
        return replace(self, pattern=self.pattern.replace("%M", "%M:%S"))

    def implies(self, other: Way) -> bool:
        """Whether texts written in this way are always written in the other one, too."""
        if self.kind in NUMBERS and other.kind in NUMBERS:
            return self._number_implies(other)
        if self.kind in NUMBERS and other.kind == "mixed":
            return not self.thousands or self.thousands in ".,"
        if self.kind != other.kind:
            return False
        if self.kind == "boolean":
            return not other.pattern
        if not other.pattern:
            return self.pattern.startswith("%Y-%m-%d") and bool(self.zone) == bool(other.zone)
        pattern = self.pattern or ("%Y-%m-%d" if self.kind == "date" else "")
        padded = "%-" not in pattern
        return padded and pattern == other.pattern.replace("%-", "%") and self.zone == other.zone

    def _number_implies(self, other: Way) -> bool:
        order = ("whole", "wide", "decimal")
        if order.index(self.kind) > order.index(other.kind):
            return False
        unmarked = self.kind != "decimal" and not self.thousands
        same_decimal = self.decimal == other.decimal or unmarked
        same_thousands = not self.thousands or self.thousands == other.thousands
        if not (same_decimal and same_thousands):
            return False
        if other.places is not None:
            return self.places == other.places
        return not other.pointed or self.pointed or bool(self.places)

    def to_json(self) -> dict[str, Any]:
        """Only what is not usual."""
        usual = asdict(Way(self.kind))
        return {"kind": self.kind} | {
            name: value for name, value in asdict(self).items() if value != usual[name]
        }


def way_from_json(content: dict[str, Any]) -> Way:
    """The way that `to_json` wrote."""
    return Way(**content)


def is_way(content: object) -> bool:
    """Whether a JSON object is a way."""
    if not isinstance(content, dict) or content.get("kind") not in get_args(WayKind):
        return False
    texts = {"decimal", "thousands", "pattern", "zone"}
    types = {"kind": str, "places": int, "pointed": bool, **dict.fromkeys(texts, str)}
    return all(name in types and isinstance(value, types[name]) for name, value in content.items())


def number_ways(first: str) -> Iterator[Way]:
    """All ways to write numbers of which this may be the first, the usual ones first, then those without thousands."""
    signs = {sign for sign in first[1:] if not sign.isdecimal()}
    yield Way("whole")
    yield Way("wide")
    yield from _decimal_ways(first, ".", "")
    if signs <= {","}:
        yield from _decimal_ways(first, ",", "")
    for decimal, between in _THOUSANDS.items():
        for thousands in between:
            if signs <= {decimal, thousands}:
                yield Way("whole", decimal, thousands)
                yield from _decimal_ways(first, decimal, thousands)
    if signs <= set(DECIMALS):
        yield Way("mixed")


def _decimal_ways(first: str, decimal: str, thousands: str) -> Iterator[Way]:
    """With as many decimals as the first number, with at least one, or with any."""
    _, sign, decimals = first.partition(decimal)
    if sign and decimals.isdecimal():
        yield Way("decimal", decimal, thousands, places=len(decimals))
        yield Way("decimal", decimal, thousands, pointed=True)
    yield Way("decimal", decimal, thousands)


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


def parsed_numbers(texts: pl.Series, way: Way) -> pl.Series:
    """Texts as numbers; null where they are not written in this way."""
    if way.kind == "mixed":
        return _none(texts) if texts.str.contains(_CODE).any() else only(texts, _MIXED)
    if way.places is not None:
        sign = texts.str.slice(-way.places - 1, 1)
        if not (sign == way.decimal).all():
            return _none(texts)
    elif way.pointed and not texts.str.contains(way.decimal, literal=True).all():
        return _none(texts)
    plain = _with_points(texts, way)
    if plain.str.contains(_CODE).any():
        return _none(texts)
    numbers = plain.cast(_TYPES[way.kind], strict=False)
    return numbers.fill_nan(None) if way.kind == "decimal" else numbers


def _with_points(texts: pl.Series, way: Way) -> pl.Series:
    """The texts as the library reads numbers; null where they have other characters than those of the way."""
    if way.thousands:
        sign, decimal = re.escape(way.thousands), re.escape(way.decimal)
        grouped = only(texts, rf"^[+-]?(\d{{1,3}}({sign}\d{{3}})+|\d+)({decimal}\d+)?$")
        texts = grouped.str.replace_all(way.thousands, "", literal=True)
    elif way.decimal == "," and texts.str.contains(".", literal=True).any():
        return _none(texts)
    return texts.str.replace(",", ".", literal=True) if way.decimal == "," else texts


def only(texts: pl.Series, pattern: str) -> pl.Series:
    """The texts that a pattern fits, null for others."""
    value = pl.col(texts.name)
    return texts.to_frame().select(pl.when(value.str.contains(pattern)).then(value)).to_series()


def _none(texts: pl.Series) -> pl.Series:
    return texts.clear(len(texts))

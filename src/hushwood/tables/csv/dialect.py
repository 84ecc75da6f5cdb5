"""How a delimited file is written: encoding, separator, line ends, and the ways of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hushwood.errors import InputError
from hushwood.tables.csv.ways import DECIMALS, Way, in_words, pattern_from, way_from_json

UTF8 = "utf-8"
AUTO = "auto"
Quoting = Literal["necessary", "non_numeric", "always"]
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a file is written; `mark` says that it begins with a byte order mark."""

    separator: str = ","
    encoding: str = UTF8
    mark: bool = False
    line_end: str = "\n"
    quoting: Quoting = "necessary"
    ways: Mapping[str, Way] = field(default_factory=dict)

    @property
    def form(self) -> TextForm:
        """What is to be said of another file that is written like this one."""
        return TextForm(self.encoding, self.separator, known=written_ways(self.ways))

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say about a file that is not written as most are."""
        said = []
        if self.encoding != UTF8:
            said.append(f"The file is {name_of(self.encoding)} text, and so is the release.")
        commas = [name for name, way in self.ways.items() if way.decimal == ","]
        grouped = [name for name, way in self.ways.items() if way.thousands and way.decimal == "."]
        if commas:
            said.append(f"Numbers have decimal commas in {_some(commas)}; the release has them too.")
        if grouped:
            said.append(
                f"Numbers are written with separators between thousands in {_some(grouped)}, in the release too."
            )
        patterns: dict[str, list[str]] = {}
        for name, way in self.ways.items():
            if way.foreign_order:
                patterns.setdefault(in_words(way.pattern), []).append(name)
        for pattern, names in patterns.items():
            said.append(f"Dates are written as {pattern} in {_some(names)}; the release has them like that.")
        return tuple(said)


def written_ways(ways: Mapping[str, Way]) -> dict[str, Way]:
    """The ways of released columns."""
    return {name: way.written for name, way in ways.items()}


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return shown + (f" and {more} more" if more > 0 else "")


def name_of(encoding: str) -> str:
    """The name that people know an encoding by.

    >>> name_of("cp1252"), name_of("utf-16-le"), name_of("latin-1")
    ('Windows-1252', 'UTF-16', 'latin-1')
    """
    return {"cp1252": "Windows-1252", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}.get(encoding, encoding)


@dataclass(frozen=True, slots=True)
class TextForm:
    """What is said about how a text file is written; the rest is found in it.

    `formats` are the patterns of dates, of one column or of all. `known` are the ways of a file that this one should
    look like; they decide where several are possible.
    """

    encoding: str = AUTO
    separator: str | None = None
    decimal: str | None = None
    formats: Mapping[str | None, str] = field(default_factory=dict)
    known: Mapping[str, Way] = field(default_factory=dict)

    def __post_init__(self) -> None:
        separator = self.separator
        if separator is not None and (len(separator) != 1 or not separator.isascii() or separator in '"\r\n'):
            raise InputError(f"{separator!r} cannot be a separator. Use one character, such as , or ;.")
        if self.decimal is not None and self.decimal not in DECIMALS:
            raise InputError(f"{self.decimal!r} cannot be a decimal sign. Use , or a point.")

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> TextForm:
        """As the arguments of `reading.read` say; `date_format` holds patterns, some as COLUMN=PATTERN."""
        given = arguments.get("date_format") or ()
        formats: dict[str | None, str] = {}
        for each in [given] if isinstance(given, str) else given:
            column, sign, pattern = each.rpartition("=")
            formats[column if sign else None] = pattern_from(pattern)
        ways = arguments.get("ways") or {}
        return cls(
            arguments.get("encoding") or AUTO,
            arguments.get("separator"),
            arguments.get("decimal"),
            formats,
            {name: way_from_json(way) for name, way in ways.items()},
        )

    def for_release(self) -> TextForm:
        """The same for a release of the table, whoever made it: its separator is found, and dates are as they were."""
        return replace(self, separator=None, decimal=None, formats={}, known=written_ways(self.known))

    def ways_of(self, column: str) -> list[Way]:
        """The ways to try first: that of the file to look like, and the date formats that were given."""
        given = [self.formats[name] for name in (column, None) if name in self.formats]
        found = [Way("moment" if "%H" in each or "%I" in each else "date", pattern=each) for each in given]
        known = self.known.get(column)
        return found if known is None else [known, *found]

"""Columns of codes: postcodes, ICD-10, classifications, other texts of one width. They name things, they do not count.

A column of numbers is taken for codes only if its name says so and its numbers have one width. Codes fall into wider
and wider groups: postcodes by their first digits, ICD-10 by category and chapter, others by their first characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import polars as pl

from hushwood.errors import unknown_name
from hushwood.tables.columns.header_words import (
    ACCOUNTS,
    PHONE,
    names_codes,
    names_diagnoses,
    names_no_code,
    names_postcodes,
    said_by,
)
from hushwood.tables.columns.identifying import CARDS, contact_data, have_digits, personal_pattern
from hushwood.tables.frames.storage import TEXT_STORAGES, distinct, literal, storage_name, texts_of
from hushwood.tables.schema import Attribute

_CHAPTER = "chapter"
# How the groups of codes are found, as a schema names it.
HIERARCHIES = ("prefix", "icd-10", "uk-postcode")
CODE_NAMES = {"prefix": "codes", "icd-10": "ICD-10", "uk-postcode": "postcodes"}
_ICD = r"^[A-Za-z]\d[0-9A-Za-z](\.?[0-9A-Za-z]{1,4})?(\.?-)?[!*+†]?$"
_ICD_POINT = r"^[A-Za-z]\d[0-9A-Za-z]\.[0-9A-Za-z-]"
_ATC = r"^[A-Za-z]\d{2}[A-Za-z]{2}\d{2}$"
_UK = r"^[A-Za-z]{1,2}\d[A-Za-z\d]?\s?\d[A-Za-z]{2}$"
_POSTCODE = r"^\d{3,6}(-\d{3,4})?$|^\d{4}\s?[A-Za-z]{2}$"
_DIGITS = r"^\d+$"
_SIGNS = r"^[A-Za-z0-9]+([./-][A-Za-z0-9]+)*$"
_MOST, _HALF = 0.9, 0.5
_NARROWEST, _WIDEST = 3, 12
_LONGEST_PREFIX = 6
_LOST_ZEROS = 2  # leading zeros that a file of numbers may have dropped from a postcode
_SAMPLE = 10_000
_SHORTEST_CONTACT, _LONGEST_NUMBER = 5, 18  # digits of phone and account numbers
_WORDS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


@dataclass(frozen=True, slots=True)
class CodeLevel:
    """One level of groups: a group is the beginning of a code that matches the pattern, with `filled` after it.

    `filled` is a text, or one character that is repeated up to the width of the codes.
    """

    name: str
    pattern: str
    filled: str = "*"


@dataclass(frozen=True, slots=True)
class CodeKind:
    """Codes of one sort: how they are called, why a column is taken for them, and their levels, widest groups first.

    Codes that lost their leading zeros (because a file keeps them as numbers) are read with `width` digits if `padded`.
    """

    scheme: str
    why: str
    levels: tuple[CodeLevel, ...]
    width: int
    padded: bool = False

    @property
    def hierarchy(self) -> str:
        """How its groups are found, one of `HIERARCHIES`."""
        if self.levels == ICD_LEVELS:
            return "icd-10"
        return "uk-postcode" if self.levels == UK_LEVELS else "prefix"

    @property
    def level_names(self) -> tuple[str, ...]:
        """The levels that codes can be grouped by, the widest groups first."""
        return tuple(level.name for level in self.levels)

    def level(self, name: str) -> CodeLevel:
        """The level of that name; "2" and "2digit" are 2digits."""
        asked = name.strip().lower().replace(" ", "")
        for level in self.levels:
            number = re.match(r"\d*", level.name)
            if asked in {level.name, level.name.removesuffix("s"), number and number.group()}:
                return level
        raise unknown_name(f"level of {self.scheme} codes", name, self.level_names)


def digit_levels(most: int) -> tuple[CodeLevel, ...]:
    """Groups by the first digit, the first two, and so on.

    >>> [level.name for level in digit_levels(3)]
    ['1digit', '2digits', '3digits']
    """
    return tuple(CodeLevel(_counted(n, "digit"), rf"\d{{{n}}}") for n in range(1, most + 1))


def character_levels(lengths: Iterable[int]) -> tuple[CodeLevel, ...]:
    """Groups by the first characters.

    >>> [level.name for level in character_levels((1, 3))]
    ['1character', '3characters']
    """
    return tuple(CodeLevel(_counted(n, "character"), f".{{{n}}}") for n in lengths)


ICD_LEVELS = (CodeLevel(_CHAPTER, r"[A-Z]\d[0-9A-Z]", ""), CodeLevel("category", r"[A-Z]\d[0-9A-Z]", ".-"))
UK_LEVELS = (
    CodeLevel("area", r"[A-Z]{1,2}(?=\d)", ""),
    CodeLevel("district", r"[A-Z]{1,2}\d[A-Z\d]?(?=\s?\d[A-Z]{2}$)", ""),
)


def grouped(kind: CodeKind, level: str, codes: Sequence[str]) -> tuple[str, ...]:
    """The group of every code; a text that is not such a code stays what it is.

    >>> zips = CodeKind("postcode", "", digit_levels(4), width=5, padded=True)
    >>> grouped(zips, "2digits", ["10115", "2139", "abroad"])
    ('10***', '02***', 'abroad')
    >>> grouped(CodeKind("ICD-10", "", ICD_LEVELS, width=3), "chapter", ["I10.9"])
    ('I00-I99 circulatory system',)
    """
    wanted = kind.level(level)
    return tuple(_group(kind, wanted, code) for code in codes)


def prefix_levels(kind: CodeKind, codes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The path up from every code: itself, then ever wider groups, as in a taxonomy but without its root.

    >>> prefix_levels(CodeKind("postcode", "", digit_levels(2), width=3), ["101"])
    {'101': ('101', '10*', '1**')}
    """
    upwards = kind.levels[::-1]
    return {code: (code, *(_group(kind, level, code) for level in upwards)) for code in codes}


def _group(kind: CodeKind, level: CodeLevel, code: str) -> str:
    text = code.strip().upper()
    if kind.padded and text.isdigit():
        text = text.zfill(kind.width)
    found = re.match(level.pattern, text)
    if found is None:
        return code
    first = found.group()
    if level.name == _CHAPTER:
        return _chapter(first) or code
    return first + (level.filled * (kind.width - len(first)) if level.filled == "*" else level.filled)


def _chapter(category: str) -> str | None:
    """The chapter that a category of ICD-10 belongs to."""
    for low, high, about in icd_chapters():
        if low <= category[:2] + "0" and category[:2] <= high[:2]:
            return f"{low}-{high} {about}"
    return None


@cache
def icd_chapters() -> list[list[str]]:
    """The first and the last category of every chapter of ICD-10, and what it is about."""
    text = files("hushwood.tables.columns").joinpath("icd_chapters.txt").read_text("utf-8")
    return [line.split(" ", 2) for line in text.splitlines()[1:]]


def _counted(number: int, noun: str) -> str:
    return f"{number}{noun}" if number == 1 else f"{number}{noun}s"


_PHONE_LEVELS, _ACCOUNT_LEVELS = character_levels((2, 3, 4, 5, 6)), character_levels((2, 4, 8))


def code_kind(column: pl.Series, name: str | None = None) -> CodeKind | None:
    """What codes a column holds, if it does; `name` is the column's, unless it says another.

    >>> import polars as pl
    >>> code_kind(pl.Series("zip", [10115, 80331, 50667])).why
    "five digits each, named 'zip'"
    >>> code_kind(pl.Series("site", ["01067", "10115", "80331"])).level_names
    ('1digit', '2digits', '3digits', '4digits')
    >>> code_kind(pl.Series("income", [10115, 80331, 50667])) is None
    True
    """
    name = column.name if name is None else name
    if column.dtype.is_integer():
        return _of_numbers(name, column) if may_be_codes(name) else None
    if storage_name(column.dtype) not in TEXT_STORAGES:
        return None
    return _of_some(name, texts_of(distinct(column.head(_SAMPLE) if len(column) > _SAMPLE else column)))


def codes_of_texts(name: str, texts: Sequence[str]) -> CodeKind | None:
    """What codes the categories of a column are, if they are; all are texts, even those of numbers."""
    some = texts[:: max(1, len(texts) // _SAMPLE)]
    return _of_some(name, pl.Series(some, dtype=pl.String))


def codes_in(attribute: Attribute) -> CodeKind | None:
    """The codes of a column that has a hierarchy, found or declared.

    >>> site = Attribute("site", "categorical", categories=("ab1", "ab2", "c"), hierarchy="prefix")
    >>> codes_in(site).level_names, codes_in(Attribute("site", "categorical", categories=("ab1",))) is None
    (('1character', '2characters'), True)
    """
    if not attribute.hierarchy or not attribute.categories:
        return None
    found = codes_of_texts(attribute.name, attribute.categories)
    if found is not None and found.hierarchy == attribute.hierarchy:
        return found
    return _declared(attribute)


def _declared(attribute: Attribute) -> CodeKind:
    """Codes that only the schema knows as such."""
    why = "declared in the schema"
    if attribute.hierarchy == "icd-10":
        return CodeKind("ICD-10", why, ICD_LEVELS, 3)
    if attribute.hierarchy == "uk-postcode":
        return CodeKind("postcode", why, UK_LEVELS, 7)
    width = max(map(len, attribute.categories))
    most = max(1, min(width - 1, _LONGEST_PREFIX))
    digits = all(text.strip().isdecimal() for text in attribute.categories)
    levels = digit_levels(most) if digits else character_levels(range(1, most + 1))
    return CodeKind("code", why, levels, width)


def _of_some(name: str, texts: pl.Series) -> CodeKind | None:
    texts = texts.alias("").str.strip_chars()
    return None if len(texts) < 2 else _of_texts(name, texts)


def may_be_codes(name: str) -> bool:
    """Whether whole numbers under this name are codes, if their width says so too."""
    return names_postcodes(name) or names_codes(name) or _names_contacts(name)


def _names_contacts(name: str) -> bool:
    return said_by(name) in (PHONE, ACCOUNTS) and not names_no_code(name)


def _of_numbers(name: str, column: pl.Series) -> CodeKind | None:
    """Codes that are kept as numbers; all must have one width, but a postcode may have lost leading zeros."""
    known = literal(column).drop_nulls()
    if known.is_empty():
        return None
    low, high = int(known.min()), int(known.max())  # type: ignore[arg-type]
    shortest, width = len(str(low)), len(str(high))
    if _names_contacts(name):
        wide = width <= _LONGEST_NUMBER and shortest >= _SHORTEST_CONTACT
        levels = digit_levels(_LONGEST_PREFIX)
        return CodeKind("code", f"long numbers, named {name!r}", levels, width) if wide else None
    lost = _LOST_ZEROS if names_postcodes(name) else 0
    if low < 1 or low == high or not _NARROWEST <= width <= _WIDEST or shortest < width - lost:
        return None
    scheme = "postcode" if names_postcodes(name) else "code"
    each = "digits each" if shortest == width else "digits at most"
    return CodeKind(
        scheme,
        f"{_WORDS[width]} {each}, named {name!r}",
        _digits(width),
        width,
        padded=shortest < width,
    )


def _of_texts(name: str, texts: pl.Series) -> CodeKind | None:
    if _share(texts, _ICD) >= _MOST and (names_diagnoses(name) or _share(texts, _ICD_POINT) >= _HALF):
        named = f", named {name!r}" if names_diagnoses(name) else ""
        return CodeKind("ICD-10", f"a letter, two digits and more, as in ICD-10{named}", ICD_LEVELS, 3)
    if _share(texts, _ATC) >= _MOST:
        return CodeKind("ATC", "seven signs as in the ATC codes of drugs", character_levels((1, 3, 4, 5)), 7)
    if names_postcodes(name):
        found = _of_postcodes(name, texts)
        if found is not None:
            return found
    return _of_contacts(name, texts) or _of_digits(name, texts) or _of_signs(texts)


def _of_contacts(name: str, texts: pl.Series) -> CodeKind | None:
    """Phone and account numbers, whose first characters are those of a place or a bank."""
    by_name = said_by(name) == PHONE and have_digits(texts)
    if by_name or personal_pattern(texts) == PHONE:
        return CodeKind("phone", "phone numbers", _PHONE_LEVELS, _width(texts))
    if contact_data(texts) in (ACCOUNTS, CARDS):
        return CodeKind("account", "account numbers, with check digits", _ACCOUNT_LEVELS, _width(texts))
    return None


def _of_postcodes(name: str, texts: pl.Series) -> CodeKind | None:
    if _share(texts, _UK) >= _MOST:
        return CodeKind(
            "postcode", f"letters and digits as in the United Kingdom, named {name!r}", UK_LEVELS, 7
        )
    if _share(texts, _POSTCODE) < _MOST:
        return None
    digits = texts.str.extract(r"^(\d+)").drop_nulls()
    width, shortest = _width(digits), int(digits.str.len_chars().min())  # type: ignore[arg-type]
    longer = bool(texts.str.contains(r"^\d+(\s?[A-Za-z]|-\d)").any())
    zeros = bool(digits.str.starts_with("0").any())
    padded = not zeros and width - _LOST_ZEROS <= shortest < width
    each = "digits at most" if padded else "digits"
    levels = digit_levels(width if longer else width - 1)
    return CodeKind("postcode", f"{_WORDS[width]} {each}, named {name!r}", levels, width, padded)


def _of_digits(name: str, texts: pl.Series) -> CodeKind | None:
    """Texts of digits only: of one width with a leading zero, or named as codes."""
    if _share(texts, _DIGITS) < _MOST:
        return None
    digits = texts.filter(texts.str.contains(_DIGITS))
    width = _width(digits)
    same = bool((digits.str.len_chars() == width).all())
    zeros = bool(digits.str.starts_with("0").any())
    if not (zeros or names_codes(name)) or not 2 <= width <= _WIDEST or not same:
        return None
    why = f"all {_WORDS[width]} digits"
    why += ", some with a leading zero" if zeros else f", named {name!r}"
    return CodeKind("code", why, _digits(width), width)


def _of_signs(texts: pl.Series) -> CodeKind | None:
    """Letters and digits, each in the same place."""
    widths = texts.str.len_chars()
    width = _width(texts)
    if not _NARROWEST <= width <= _WIDEST or float((widths == width).mean() or 0) < _MOST:  # type: ignore[arg-type]
        return None
    alike = texts.filter(widths == width)
    if _share(alike, _SIGNS) < 1 or _share(alike, r"[A-Za-z]") < 1 or _share(alike, r"\d") < 1:
        return None
    shapes = alike.str.replace_all(r"\d", "0").str.replace_all(r"[A-Za-z]", "A").alias("shape")
    if float(shapes.value_counts()["count"].max()) < _MOST * len(texts):  # type: ignore[arg-type]
        return None
    lengths = range(1, min(width - 1, _LONGEST_PREFIX) + 1)
    return CodeKind(
        "code",
        f"letters and digits, each in its place, {_WORDS[width]} signs",
        character_levels(lengths),
        width,
    )


def _digits(width: int) -> tuple[CodeLevel, ...]:
    return digit_levels(min(width - 1, _LONGEST_PREFIX))


def _width(texts: pl.Series) -> int:
    """The length that most texts have, and the longest of several."""
    lengths = texts.str.len_chars().alias("width").value_counts().sort("count", "width", descending=True)
    return int(lengths["width"][0])


def _share(texts: pl.Series, pattern: str) -> float:
    return float(texts.str.contains(pattern).mean() or 0)  # type: ignore[arg-type]

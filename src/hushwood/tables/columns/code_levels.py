"""Codes in wider and wider groups: postcodes by their first digits, ICD-10 by category and chapter, others by prefix.

`code_patterns` says which codes a column holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hushwood.errors import unknown_name

# The first category of every chapter of ICD-10, the last one, and what the chapter is about.
ICD_CHAPTERS = (
    ("A00", "B99", "infectious diseases"),
    ("C00", "D49", "neoplasms"),
    ("D50", "D90", "blood and immune system"),
    ("E00", "E90", "endocrine, nutritional and metabolic diseases"),
    ("F00", "F99", "mental disorders"),
    ("G00", "G99", "nervous system"),
    ("H00", "H59", "eye"),
    ("H60", "H95", "ear"),
    ("I00", "I99", "circulatory system"),
    ("J00", "J99", "respiratory system"),
    ("K00", "K95", "digestive system"),
    ("L00", "L99", "skin"),
    ("M00", "M99", "muscles and bones"),
    ("N00", "N99", "genitourinary system"),
    ("O00", "O99", "pregnancy and childbirth"),
    ("P00", "P96", "perinatal conditions"),
    ("Q00", "Q99", "malformations"),
    ("R00", "R99", "symptoms and findings"),
    ("S00", "T98", "injuries and poisoning"),
    ("U00", "U99", "special purposes"),
    ("V00", "Y99", "external causes"),
    ("Z00", "Z99", "contact with health services"),
)
_CHAPTER = "chapter"
# How the groups of codes are found, as a schema names it.
HIERARCHIES = ("prefix", "icd-10", "uk-postcode")
CODE_NAMES = {"prefix": "codes", "icd-10": "ICD-10", "uk-postcode": "postcodes"}


@dataclass(frozen=True, slots=True)
class CodeLevel:
    """One level of groups: a group is the beginning of a code that matches the pattern, with `filled` after it.

    `filled` is a text, or one sign that is repeated up to the width of the codes.
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
    """The group of every code; a text that is no such code stays what it is.

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
    for low, high, about in ICD_CHAPTERS:
        if low <= category[:2] + "0" and category[:2] <= high[:2]:
            return f"{low}-{high} {about}"
    return None


def _counted(number: int, noun: str) -> str:
    return f"{number}{noun}" if number == 1 else f"{number}{noun}s"

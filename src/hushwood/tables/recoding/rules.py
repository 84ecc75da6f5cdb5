"""Rules of coarsening as texts: "age=5", "income=1000, top 100000", "visit=quarter", "zip=3digits", "city=FILE.csv:2".

A column, then what becomes of its values. "age: 5" is the same as "age=5". A top or bottom code may be given apart, as
"income=99%". `meaning` looks up what the rules mean for the columns of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hushwood.errors import InputError

EXAMPLES = "age=5, income=1000, visit=year, zip=3digits or city=FILE.csv:2"
UNITS = ("year", "quarter", "month", "day")
CODE_LEVELS = ("chapter", "category", "area", "district")  # of codes that have groups of their own
_WORDS = ("round", "top", "bottom", "prefix", *UNITS, *CODE_LEVELS)
_FORM = re.compile(rf"(?P<word>{'|'.join(_WORDS)})?\s*(?P<value>\S.*)?", re.IGNORECASE)
_CHARACTERS = re.compile(r"(\d+)\s*(?:digit|letter|character)s?", re.IGNORECASE)
_FILE = re.compile(r"(?P<file>\S.*\S):(?P<level>\d+)")
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_PLAIN = re.compile(
    rf"(?:round\s+)?{_NUMBER}|prefix\s+\d+|{_CHARACTERS.pattern}|(?:top|bottom)\s+\S+|{'|'.join(_WORDS[4:])}",
    re.IGNORECASE,
)

Steps = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CoarseningRule:
    """What becomes of one column: words such as round, top, year or prefix, with their value as it was written."""

    column: str
    steps: Steps

    @property
    def settles(self) -> bool:
        """Whether only a year, quarter or month, or a declared group, is left of every value."""
        return any(word in (*UNITS[:3], "file") for word, _ in self.steps)

    def text(self) -> str:
        """The rule as it can be written."""
        return f"{self.column}={', '.join(_text(*step) for step in self.steps)}"

    def says(self) -> str:
        """What becomes of the column, without the name of a file."""
        return ", ".join(
            f"level {value.rpartition(':')[2]} of a hierarchy" if word == "file" else _text(word, value)
            for word, value in self.steps
        )


def parsed_rules(
    texts: Iterable[str], top: Iterable[str] = (), bottom: Iterable[str] = ()
) -> list[CoarseningRule]:
    """The rules in order, with codes that were given apart; two rules for one thing are refused.

    >>> parsed_rules(["age=5"], bottom=["age=18"])[0].text()
    'age=5, bottom 18'
    """
    found: dict[str, Steps] = {}
    for text in texts:
        column, said = _halves(text)
        parts = [part.strip() for part in said.split(",")]
        if not column or not all(parts):
            raise InputError(f"A rule of coarsening is COLUMN=HOW, such as {EXAMPLES}; {text!r} was given.")
        if column in found:
            raise InputError(f"Column {column!r} has two rules of coarsening; put them in one, with commas.")
        found[column] = tuple(map(_step, parts))
    for word, limits in (("top", top), ("bottom", bottom)):
        for text in limits:
            column, limit = _column_and_limit(word, text)
            steps = found.get(column, ())
            if any(known == word for known, _ in steps):
                raise InputError(f"Column {column!r} has two {word} codes; keep one.")
            found[column] = (*steps, (word, limit))
    return [CoarseningRule(column, steps) for column, steps in found.items()]


def file_and_level(value: str) -> tuple[str, int] | None:
    """The hierarchy file that a step names, and the level; None if it names none.

    >>> file_and_level("cities.csv:2"), file_and_level("5")
    (('cities.csv', 2), None)
    """
    found = _FILE.fullmatch(value)
    return None if found is None else (found["file"], int(found["level"]))


def _halves(text: str) -> tuple[str, str]:
    """Column and rule, at the last = or colon; a name may hold either of them, and so may the name of a file."""
    column, sign, said = text.rpartition("=")
    parts = said.split(",")
    written = sign and (all(_PLAIN.fullmatch(p.strip()) for p in parts) or _FILE.fullmatch(said))
    if not written and (":" in said or not sign):
        column, sign, said = text.rpartition(":")
    return (column.strip(), said) if sign else ("", "")


def _column_and_limit(word: str, text: str) -> tuple[str, str]:
    column, sign, limit = text.rpartition("=")
    if not sign or not column.strip() or not limit.strip():
        raise InputError(
            f"A {word} code is given as COLUMN=LIMIT, such as --{word}-code income=99% or age=90; {text!r} was given."
        )
    return column.strip(), limit.strip()


def _step(text: str) -> tuple[str, str]:
    characters = _CHARACTERS.fullmatch(text)
    if characters:
        return "prefix", characters[1]
    if _FILE.fullmatch(text):
        return "file", text
    found = _FORM.fullmatch(text)
    return ((found["word"] or "").lower(), (found["value"] or "").strip()) if found else ("", text)


def _text(word: str, value: str) -> str:
    return value if word == "file" else f"{word} {value}".strip()

"""Columns with the headers of seven languages, written apart from the words that the gate knows, and invented values.

`column_headers.tsv` has a line for every header: its language, the header, and what the column holds. Names of persons
are drawn from the same file, not from the gate's list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import polars as pl

from hushwood.tables.columns.identifying import suspicion
from hushwood.tables.columns.inference import infer_schema
from support.planted_identifiers import card, iban, word

ROWS = 300
Make = Callable[[Random, str], object]


class Found(NamedTuple):
    """How many of a language's identifying columns stop, and how many of its harmless ones."""

    identifying: int
    stopped: int
    harmless: int
    stopped_in_vain: int

    @property
    def recall(self) -> float:
        return self.stopped / self.identifying

    @property
    def precision(self) -> float:
        return self.stopped / (self.stopped + self.stopped_in_vain)


@cache
def lines() -> tuple[tuple[str, str, str], ...]:
    """Language, header or name, and kind."""
    text = (Path(__file__).parent / "column_headers.tsv").read_text("utf-8")
    return tuple((a, b, c) for a, b, c in (line.split("\t") for line in text.splitlines() if line))


@cache
def _names(language: str, kind: str) -> list[str]:
    return [name for spoken, name, what in lines() if (spoken, what) == (language, kind)]


def _given(chance: Random, language: str) -> str:
    return chance.choice(_names(language, "given"))


def _family(chance: Random, language: str) -> str:
    return chance.choice(_names(language, "family"))


def _day(chance: Random, first: int, last: int) -> str:
    return f"{chance.randrange(first, last)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"


def _label(chance: Random, kinds: int) -> str:
    return word(Random(chance.randrange(kinds)), 3)  # noqa: S311 - test tables, not secrets


IDENTIFYING: dict[str, Make] = {
    "full_name": lambda chance, spoken: f"{_given(chance, spoken)} {_family(chance, spoken)}".lower(),
    "first_name": _given,
    "surname": _family,
    "email": lambda chance, _: f"{word(chance, 3)}@{word(chance, 2)}.example".lower(),
    "phone": lambda chance, _: f"0{chance.randrange(100, 999)} {chance.randrange(10**5, 10**6)}",
    "street_address": lambda chance, _: f"{word(chance, 3)} {chance.randrange(1, 99)}",
    "iban": lambda chance, _: iban(chance, 0),
    "card_number": lambda chance, _: card(chance, 0),
    "national_id": lambda chance, _: str(chance.randrange(10**8, 10**9)),
    "birth_date": lambda chance, _: _day(chance, 1930, 2010),
    "free_text": lambda chance, _: " ".join(word(chance, 2) for _ in range(chance.randrange(2, 9))),
    "record_number": lambda chance, _: chance.randrange(10**5, 10**6),
}
HARMLESS: dict[str, Make] = {
    "age": lambda chance, _: chance.randrange(18, 95),
    "income": lambda chance, _: chance.randrange(12_000, 90_000),
    "year": lambda chance, _: chance.randrange(1990, 2026),
    "postcode": lambda chance, _: f"{chance.randrange(10_000, 99_999)}",
    "town": lambda chance, _: _label(chance, 60),
    "category": lambda chance, _: _label(chance, 4),
    "job_title": lambda chance, _: f"{_label(chance, 40)} {_label(chance, 3)}".lower(),
    "diagnosis_code": lambda chance, _: (
        f"{chance.choice('EIJK')}{chance.randrange(10, 40)}.{chance.randrange(9)}"
    ),
    "measurement": lambda chance, _: round(chance.gauss(5, 1), 2),
    "count": lambda chance, _: chance.randrange(0, 30),
    "score": lambda chance, _: chance.randrange(1, 6),
    "visit_date": lambda chance, _: _day(chance, 2020, 2026),
    "amount": lambda chance, _: chance.randrange(0, 50_000),
    "percentage": lambda chance, _: round(chance.uniform(0, 100), 1),
    "product_name": lambda chance, _: _label(chance, 30),
    "school_or_hospital_name": lambda chance, _: f"{_label(chance, 25)} {_label(chance, 6)}",
    "weight_height": lambda chance, _: chance.randrange(45, 200),
}


def stops(language: str, header: str, kind: str) -> bool:
    """Whether the gate stops a column with this header and values of this kind."""
    chance = Random(f"{language} {header} {kind}")  # noqa: S311 - test tables, not secrets
    make = (IDENTIFYING | HARMLESS)[kind]
    column = pl.Series(header, [make(chance, language) for _ in range(ROWS)])
    if column.dtype == pl.String and kind.endswith("date"):
        column = column.str.to_date()
    return suspicion(infer_schema(column.to_frame())[0][header], column) is not None


def headers(language: str, among: dict[str, Make]) -> Iterator[tuple[str, str]]:
    """The language's headers of these kinds, and what each column holds."""
    return ((header, kind) for spoken, header, kind in lines() if spoken == language and kind in among)


def found(language: str, *, nameless: bool = False) -> Found:
    """What the gate stops; `nameless` gives all columns headers that say nothing, so that only values count."""
    counts = []
    for among in (IDENTIFYING, HARMLESS):
        asked = [("x" if nameless else header, kind) for header, kind in headers(language, among)]
        counts += [len(asked), sum(stops(language, *each) for each in asked)]
    return Found(*counts)

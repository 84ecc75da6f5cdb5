"""Columns that look as if they identify people, and many that do not."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import pytest

from hushwood.tables.columns.identifying import (
    are_dates,
    are_numbers,
    contact_data,
    is_iban,
    passes_luhn,
    personal_pattern,
    suspicion,
    words_per_text,
)
from hushwood.tables.columns.inference import infer_schema
from hushwood.tables.read_options import ReadOptions
from hushwood.tables.schema import Role
from support.gate_languages import HARMLESS, IDENTIFYING, found, lines, stops

CHANCE = Random(11)  # noqa: S311 - test tables, not secrets
ROWS = 500


def kind_of(name: str, values: Any, role: Role = "ordinary") -> str | None:
    column = pl.Series(name, values)
    found = suspicion(infer_schema(column.to_frame(), ReadOptions(roles={name: role}))[0][name], column)
    return None if found is None else found.kind


def drawn(low: int, high: int, rows: int = ROWS) -> list[int]:
    return [CHANCE.randrange(low, high) for _ in range(rows)]


DAYS = [date(2020, 1, 1) + timedelta(days=days) for days in drawn(0, 4000)]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("year", drawn(1950, 2020)),
        ("year", list(range(1980, 2020))),
        ("Geburtsjahr", drawn(1930, 2010)),
        ("age", drawn(18, 95)),
        ("Alter", list(range(20, 60))),
        ("ZIP code", drawn(10_000, 99_999)),
        ("PLZ", [f"{number:05}" for number in drawn(1_000, 99_999)]),
        ("postcode", [f"AB{number // 10} {number % 10}CD" for number in drawn(1, 10**5)]),
        ("income", drawn(12_000, 250_000)),
        ("fnlwgt", drawn(12_285, 1_484_705)),
        ("amount", [100 * number for number in range(1000, 1500)]),
        ("account balance", drawn(0, 10**6)),
        ("number of visits", drawn(0, 100_000)),
        ("number", drawn(1, 9)),
        ("id", drawn(1, 4)),
        ("creatinine", [CHANCE.gauss(1, 0.3) for _ in range(ROWS)]),
        ("id", [number + 0.5 for number in range(ROWS)]),
        ("Kreatinin", [f"{number / 1000:.3f}".replace(".", ",") for number in drawn(400, 9000)]),
        ("likert", drawn(1, 6)),
        ("icd", [f"{'ABCDEFGHIJ'[number % 10]}{number:02}.{number % 7}" for number in drawn(10, 99)]),
        ("diagnosis", [f"I{number}" for number in drawn(10, 99)]),
        ("visit", DAYS),
        ("Aufnahmedatum", [f"{day:%d.%m.%Y}" for day in DAYS]),
        ("seen", [f"{day:%Y/%m/%d}" for day in DAYS]),
        ("Geburtsgewicht", drawn(900, 5200)),
        ("birth length", drawn(300, 60_000, 40)),
        ("birth weight", [number / 1000 for number in drawn(900, 5200)]),
        ("name", [f"level {number}" for number in drawn(0, 5)]),
        ("patient", ["yes", "no"] * 250),
        ("country name", [f"land{number}" for number in drawn(0, 60)]),
        ("mobile", [f"brand{'abcdefghijklmnop'[number]}" for number in drawn(0, 16)]),
        ("uniformity of cell size", drawn(1, 11)),
        ("occupation", ["Machine operators, assemblers and inspectors", "Farmers and fishers"] * 250),
        ("website", ["https://one.example", "https://two.example"] * 250),
        ("flag", [True, False] * 250),
        ("code", [f"c{number}" for number in drawn(0, 40)]),
        ("x", [None] * 20),
        ("versions", [f"1.{number}.0" for number in drawn(0, 60)]),
        ("zip4", [f"{number:05}-{number % 9000 + 1000}" for number in drawn(10_000, 20_000)][:60]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_ordinary_columns_do_not_stop(name: str, values: list[Any]) -> None:
    assert kind_of(name, values) is None


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("x", [*["none"] * 150, "call a@b.example"], "e-mail addresses"),
        ("clerk", ["a@b.example", "c@d.example"] * 100, "e-mail addresses"),
        ("x", [f"+49 30 {number}" for number in drawn(10**6, 10**7)], "phone numbers"),
        ("x", [f"555-{number % 900 + 100}-{number:04}" for number in drawn(1000, 9999)], "phone numbers"),
        ("x", drawn(10**9, 10**12), "unique codes"),
        ("Telefon", drawn(10**6, 10**9), "phone numbers"),
        ("Patient", drawn(10**5, 10**6), "record numbers"),
        ("PID", [float(number) for number in drawn(10**5, 10**6)], "record numbers"),
        ("case no", drawn(10**5, 10**7), "record numbers"),
        ("x", list(range(7, 300)), "record numbers"),
        ("x", [number for number in range(400) if number % 5], "record numbers"),
        ("Fall-ID", [f"F{number // 4}" for number in range(400)], "record numbers"),
        ("geb", [day.year * 10_000 + day.month * 100 + day.day for day in DAYS], "dates of birth"),
        ("dob", DAYS, "dates of birth"),
        ("x", [f"{number:032x}" for number in drawn(10**30, 10**31)], "unique codes"),
        ("zip", ["a@b.example"] * 40, "e-mail addresses"),
        ("x", pl.Series([f"k{number}" for number in range(40)], dtype=pl.Categorical), "unique codes"),
        ("x", [str(number) for number in range(40)], "record numbers"),
        ("x", [f"{number:06}" for number in range(40)], "unique codes"),
    ],
)
def test_columns_that_stop(name: str, values: Any, kind: str) -> None:
    assert kind_of(name, values) == kind


def test_cards_are_known_by_their_check_digits_only() -> None:
    valid = [4_000_000_000_000_002 + 10**11 * place for place in range(300)]
    right = [number for number in valid if _luhn(number)]
    assert kind_of("x", right) == "card numbers"
    assert kind_of("x", [number + 1 for number in right]) == "unique codes"


def _luhn(number: int) -> bool:
    digits = [int(digit) for digit in reversed(str(number))]
    return sum(digits[::2] + [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]) % 10 == 0


def test_roles_that_end_the_suspicion() -> None:
    values = [f"a{number}@b.example" for number in range(40)]
    roles: tuple[Role, ...] = (
        "ordinary",
        "confidential",
        "ignored",
        "class",
        "identifier",
        "quasi-identifier",
    )
    assert [kind_of("x", values, role) is not None for role in roles] == [
        True,
        True,
        True,
        True,
        False,
        False,
    ]


def test_a_class_may_be_different_for_everyone() -> None:
    assert kind_of("pay", list(range(40)), "class") is None
    assert kind_of("pay", [f"k{number}" for number in range(40)], "class") is None
    assert kind_of("patient id", list(range(40)), "class") == "record numbers"


def test_columns_of_a_kind_that_cannot_be_read_are_left_to_the_warning_about_copies() -> None:
    column = pl.Series("x", [[number] for number in range(40)])
    attribute = infer_schema(column.to_frame(), ReadOptions(roles={"x": "ignored"}))[0]["x"]
    assert suspicion(attribute, column) is None


FIRST = (
    "anna",
    "PIOTR",
    "José",
    "Inès",
    "sanne",
    "Giulia",
    "hans",
    "Małgorzata",
    "emma",
    "luca",
    "Marta",
    "jan",
)


@pytest.mark.parametrize(
    "values",
    [
        [
            f"{CHANCE.choice(FIRST).lower()} {CHANCE.choice('klmnrst')}{CHANCE.choice(('owen', 'arski'))}"
            for _ in range(200)
        ],
        [
            f"{CHANCE.choice('KLMNRST')}{CHANCE.choice(('owen', 'arski'))}, {CHANCE.choice(FIRST)}"
            for _ in range(200)
        ],
        [CHANCE.choice(FIRST) for _ in range(200)],
        [f"Dr. {CHANCE.choice(FIRST)}" for _ in range(200)],
    ],
    ids=["lower case", "surname first", "first names", "titles"],
)
def test_common_first_names_stop_whatever_the_column_is_called(values: list[str]) -> None:
    assert kind_of("x3", values) == "names of persons"


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("nаme", [f"q{number}" for number in drawn(0, 150)], "names of persons"),  # with a Cyrillic letter
        ("x", [f"a{number}＠b.example" for number in range(60)], "e-mail addresses"),  # a wide at sign
        (
            "x",
            [f"DЕ02 1203 0000 0000 2020 51{'' if place else chr(0x200B)}" for place in range(60)],
            "bank account numbers",
        ),
    ],
)
def test_look_alikes_and_hidden_signs_do_not_help(name: str, values: list[str], kind: str) -> None:
    assert kind_of(name, values) == kind


@pytest.mark.parametrize("kind", [float, str])
def test_record_numbers_with_a_decimal_zero_stop(kind: type) -> None:
    for name, numbers in (("x", range(1_234_567, 1_234_767)), ("PatNr", drawn(10**6, 10**7))):
        assert kind_of(name, [kind(float(number)) for number in numbers]) == "record numbers"


STATES = (
    "Virginia",
    "Georgia",
    "Texas",
    "Ohio",
    "Utah",
    "Iowa",
    "Maine",
    "Idaho",
    "Florida",
    "Carolina",
    "Dakota",
    "Nevada",
)


@pytest.mark.parametrize(
    "values",
    [
        [CHANCE.choice(STATES) for _ in range(60)],
        [
            f"{CHANCE.choice(('san', 'santa', 'bad', 'saint'))} {CHANCE.choice(('maria', 'jose', 'marco'))}"
            for _ in range(60)
        ],
        [
            CHANCE.choice(("truck driver", "shop assistant", "nurse", "teacher", "farm worker"))
            for _ in range(60)
        ],
    ],
)
def test_places_and_jobs_are_no_names(values: list[str]) -> None:
    assert kind_of("x", values) is None


# Account numbers from the registry's examples and one with two figures exchanged.
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("GB82WEST12345698765432", True),
        ("FR1420041010050500013M02606", True),
        ("GB28WEST12345698765432", False),
        ("GB82", False),
        ("12345678901234567890", False),
    ],
)
def test_account_numbers(text: str, right: bool) -> None:
    assert is_iban(text) is right


def test_one_figure_changed_or_two_neighbours_exchanged_break_the_check_digit() -> None:
    assert passes_luhn("79927398713")
    assert not any(passes_luhn(f"7992739871{last}") for last in "012456789")
    assert not passes_luhn("97927398713")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a.b@c.example", "e-mail addresses"),
        ("GB82 WEST 1234 5698 7654 32", "bank account numbers"),
        ("078-05-1120", "insurance, tax or identity card numbers"),
        ("12 010180 A 123", "insurance, tax or identity card numbers"),
        ("756.1234.5678.97", "insurance, tax or identity card numbers"),
        ("AB 12 34 56 C", "insurance, tax or identity card numbers"),
        ("a at b.example", None),
        ("12345678", None),
    ],
)
def test_contact_data(text: str, kind: str | None) -> None:
    assert contact_data(pl.Series([text])) == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("+49 30 1234567", "phone numbers"),
        ("(030) 1234567", "phone numbers"),
        ("0171/1234567", "phone numbers"),
        ("555-123-4567", "phone numbers"),
        ("Bakaweg 12a", "postal addresses"),
        ("12 Baka Street", "postal addresses"),
        ("192.0.2.7", "network addresses"),
        ("2001:db8::7", "network addresses"),
        ("00:1b:44:11:3a:b7", "network addresses"),
        ("www.b.example", "web addresses"),
        ("123e4567-e89b-12d3-a456-426614174000", "unique codes"),
        ("Dr. Baka von Lido", "names of persons"),
        ("Lido, Baka", "names of persons"),
        ("01.02.1960", None),
        ("2020-01-31", None),
        ("12345-6789", None),
        ("0.1234567", None),
        ("I10.9", None),
        ("low", None),
    ],
)
def test_personal_patterns(text: str, kind: str | None) -> None:
    assert personal_pattern(pl.Series([text])) == kind


def test_dates_numbers_and_words() -> None:
    assert are_dates(pl.Series(["1.2.60", "01/02/1960", "1960-02-01 10:30"]))
    assert not are_dates(pl.Series(["1.2", "12345678"]))
    assert are_numbers(pl.Series(["1", "-2.5", "1e3"]))
    assert are_numbers(pl.Series(["1.234,5", "7"]))
    assert not are_numbers(pl.Series(["007", "8"]))
    assert not are_numbers(pl.Series(["1", "x"]))
    assert words_per_text(pl.Series(["a b c", "d"])) == 2


LANGUAGES = ("English", "German", "French", "Spanish", "Italian", "Dutch", "Polish")
PAGE = Path(__file__).parents[4] / "docs" / "gate.md"


def test_the_list_of_headers_is_whole() -> None:
    assert {spoken for spoken, _, _ in lines()} == set(LANGUAGES)
    assert {kind for _, _, kind in lines()} == {*IDENTIFYING, *HARMLESS, "given", "family"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_states_what_is_found(language: str) -> None:
    named, nameless = found(language), found(language, nameless=True)
    row = re.search(rf"\| {language} \|(.*)\|\n", PAGE.read_text("utf-8"))
    assert row is not None
    stated = [cell.strip() for cell in row[1].split("|")]
    assert stated[3:] == [
        f"{named.stopped} of {named.identifying}",
        f"{named.stopped_in_vain} of {named.harmless}",
        f"{nameless.stopped} of {nameless.identifying}",
        f"{nameless.stopped_in_vain} of {nameless.harmless}",
    ]
    assert named.recall >= 0.95 and named.precision >= 0.95


def test_a_gate_that_stops_everything_or_nothing_would_show() -> None:
    assert stops("French", "Prénom", "first_name") and not stops("French", "x", "age")
    assert not stops("French", "Âge", "age")

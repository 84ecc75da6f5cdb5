"""More than forty tables of invented people, each with columns that identify them under English or German names."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import polars as pl

from support.people_files import HEADER, people

ROWS = 80
SYLLABLES = [a + b for a in "bdgklmnrstv" for b in "aeio"]


class Planted(NamedTuple):
    """A table, and the columns in it that must be declared."""

    frame: pl.DataFrame
    columns: tuple[str, ...]


def word(chance: Random, syllables: int) -> str:
    return "".join(chance.choice(SYLLABLES) for _ in range(syllables)).capitalize()


def _mail(chance: Random, _: int) -> str:
    return f"{word(chance, 2)}.{word(chance, 3)}@{word(chance, 2)}.example".lower()


def _phone(chance: Random, _: int) -> str:
    return f"0{chance.randrange(150, 180)} {chance.randrange(10**6, 10**7)}"


def _foreign_phone(chance: Random, _: int) -> str:
    return f"+{chance.randrange(30, 50)} ({chance.randrange(10, 99)}) {chance.randrange(10**6, 10**7)}"


def iban(chance: Random, _: int) -> str:
    account = "".join(str(chance.randrange(10)) for _ in range(18))
    check = 98 - int(f"{account}131400") % 97  # D is 13 and E is 14
    return f"DE{check:02}{account}"


def _broken_iban(chance: Random, place: int) -> str:
    return f"DE{chance.randrange(100):02} 5001 {place:04} {chance.randrange(10**4):04} 00"


def card(chance: Random, _: int) -> str:
    digits = "4" + "".join(str(chance.randrange(10)) for _ in range(14))
    weighted = (int(d) * (2 - place % 2) for place, d in enumerate(digits))
    return digits + str(-sum(sum(divmod(number, 10)) for number in weighted) % 10)


def _text(chance: Random, _: int) -> str:
    said = chance.choice(("klagt seit", "reports pain for", "hat Husten seit"))
    return f"{word(chance, 2)} {said} {chance.randrange(2, 30)} days, {word(chance, 2)} was told"


def _person(chance: Random, _: int) -> str:
    return f"{word(chance, 2)} {word(chance, 3)}"


def _surname_first(chance: Random, _: int) -> str:
    return f"{word(chance, 3)}, {word(chance, 2)}"


def _first_name(chance: Random, _: int) -> str:
    return SYLLABLES[chance.randrange(8)].capitalize() + SYLLABLES[chance.randrange(8, 12)]


def _street(chance: Random, _: int) -> str:
    return f"{word(chance, 2)}{chance.choice(('straße', 'weg', 'platz'))} {chance.randrange(1, 99)}"


def _english_street(chance: Random, _: int) -> str:
    return f"{chance.randrange(1, 99)} {word(chance, 2)} {chance.choice(('Street', 'Road', 'Lane'))}"


def _born(chance: Random, _: int) -> str:
    return f"{chance.randrange(1, 29):02}.{chance.randrange(1, 13):02}.{chance.randrange(1930, 2010)}"


def _born_iso(chance: Random, _: int) -> str:
    return f"{chance.randrange(1930, 2010)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"


def _running(_: Random, place: int) -> str:
    return str(40_001 + place)


def _scattered(chance: Random, _: int) -> str:
    return str(chance.randrange(10**5, 10**6))


def _visits(chance: Random, place: int) -> str:
    return f"P{place // 3:04}"


def _uuid(chance: Random, _: int) -> str:
    return "-".join(f"{chance.getrandbits(4 * n):0{n}x}" for n in (8, 4, 4, 4, 12))


def _ip(chance: Random, _: int) -> str:
    return ".".join(str(chance.randrange(256)) for _ in range(4))


def _mac(chance: Random, _: int) -> str:
    return ":".join(f"{chance.randrange(256):02x}" for _ in range(6))


def _web(chance: Random, _: int) -> str:
    return f"https://{word(chance, 2).lower()}.example/{word(chance, 3).lower()}"


def _social(chance: Random, _: int) -> str:
    return f"{chance.randrange(100, 999)}-{chance.randrange(10, 99)}-{chance.randrange(1000, 9999)}"


# The name of the column, and how its values are made; a name such as "x7" leaves only the values to go by.
KINDS: tuple[tuple[str, Callable[[Random, int], str]], ...] = (
    *(("email", _mail), ("E-Mail-Adresse", _mail), ("x7", _mail), ("Kontakt", _mail)),
    *(("phone", _phone), ("Telefon", _foreign_phone), ("Handynr", _phone), ("v12", _foreign_phone)),
    *(("IBAN", iban), ("Kontonummer", iban), ("spalte_3", iban), ("iban code", _broken_iban)),
    *(("card", card), ("Kreditkarte", card)),
    *(("comment", _text), ("Bemerkung", _text), ("Diagnose-Text", _text), ("v9", _text)),
    *(("name", _person), ("Patient", _surname_first), ("Nachname", _first_name), ("Vorname", _first_name)),
    *(("first_name", _first_name), ("feld 1", _person)),
    *(("Straße", _street), ("home address", _english_street), ("feld 2", _street)),
    *(("Geburtsdatum", _born), ("date of birth", _born_iso), ("geb_dat", _born), ("DOB", _born_iso)),
    *(("PatID", _scattered), ("Fallnummer", _scattered), ("Versichertennummer", _scattered)),
    *(("row", _running), ("patient id", _visits), ("token", _uuid), ("client", _ip), ("Gerät", _mac)),
    *(("profile", _web), ("SSN", _social)),
)
TABLES = len(KINDS)


def planted_table(number: int) -> Planted:
    """The table of that number: one kind of planted column, and in every third table two more."""
    chance = Random(number)  # noqa: S311 - test tables, not secrets
    wanted = [number] + ([(number + 5) % len(KINDS), (number + 17) % len(KINDS)] if number % 3 == 0 else [])
    places = range(ROWS)
    age = [chance.randrange(18, 95) for _ in places]
    ordinary: dict[str, list[str]] = {
        ("Alter" if number % 2 else "age"): [str(years) for years in age],
        ("PLZ" if number % 2 else "zip"): [f"{chance.randrange(10_000, 99_999)}" for _ in places],
        "Kreatinin": [f"{chance.uniform(0.4, 3):.2f}" for _ in places],
        "Diagnose": [chance.choice(("I10", "E11.9", "J45.0")) for _ in places],
        "ill": ["yes" if years + chance.gauss(0, 9) > 55 else "no" for years in age],
    }
    planted = {name: [make(chance, place) for place in places] for name, make in (KINDS[w] for w in wanted)}
    return Planted(pl.DataFrame({**planted, **ordinary}), tuple(planted))


def people_with_mail() -> pl.DataFrame:
    """200 people with numbers, groups, a class, and an e-mail address each."""
    mail = pl.format("a{}@b.example", pl.int_range(200)).alias("my mail")
    table = pl.DataFrame(people(200), schema=HEADER, orient="row")
    return table.with_columns(pl.col("age").cast(pl.Int64), pl.col("score").cast(pl.Float64), mail)

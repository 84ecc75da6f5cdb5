"""What the name of a column says about it: words for people, contact data, codes and texts in seven languages.

The words are listed in `header_words.toml`, which is read when the first name is looked at.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise

NAMES, MAIL, PHONE, ADDRESS = "names of persons", "e-mail addresses", "phone numbers", "postal addresses"
ACCOUNTS, DOCUMENTS = "bank account numbers", "insurance, tax or identity card numbers"
BIRTH, TEXT, RECORDS = "dates of birth", "free text", "record numbers"

# Cyrillic and Greek letters that look like Latin ones, and characters that cannot be seen.
LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕһԛԝАВЕКМНОРСТУХІЈЅοναρικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijshqwABEKMHOPCTYXIJSovapikABEZHIKMNOPTYX",
    "\u200b\u200c\u200d\u2060\ufeff\u00ad",
)
_SPELT_OUT = str.maketrans(
    dict(zip("ßäöüÄÖÜłŁøđ", ["ss", "ae", "oe", "ue", "Ae", "Oe", "Ue", "l", "L", "o", "d"], strict=True))
)


def words_of(name: str) -> list[str]:
    """Lower-case words of a name, split at capitals and at whatever is not a letter, in plain Latin letters.

    >>> words_of("Straße_2"), words_of("PatientenID"), words_of("е-mаil"), words_of("Imię")
    (['strasse'], ['patienten', 'id'], ['e', 'mail'], ['imie'])
    """
    spelt = unicodedata.normalize("NFKC", name).translate(LOOK_ALIKES).translate(_SPELT_OUT)
    plain = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", plain)]


@cache
def _listed() -> Mapping[str, Mapping[str, list[str]]]:
    """The lists of words: patterns and other words by what they say, and what else a name may say."""
    return tomllib.loads(files("hushwood.tables.columns").joinpath("header_words.toml").read_text("utf-8"))


@cache
def _identifying() -> Mapping[str, re.Pattern[str]]:
    """What words of a name say that identifies people, in the order in which they count."""
    listed = _listed()
    words = {what: " ".join(lines).replace("*", "[a-z]*").split() for what, lines in listed["words"].items()}
    return {what: re.compile("|".join(p + words[what])) for what, p in listed["patterns"].items()}


@cache
def _other(what: str) -> re.Pattern[str]:
    return re.compile("|".join(_listed()["others"][what]))


def said_by(name: str) -> str | None:
    """What the column's name says that it holds, if that can identify people.

    >>> said_by("Vorname"), said_by("country name"), said_by("customer e-mail"), said_by("age")
    ('names of persons', None, 'e-mail addresses', None)
    """
    words = words_of(name)
    if len(words) == 1 and _other("person").fullmatch(words[0]):
        return NAMES
    for what, pattern in _identifying().items():
        if _any(pattern, words) and not (what == NAMES and _any(_other("things"), words)):
            return what
    return None


def weakly_names_records(name: str) -> bool:
    """Whether the name has a word that record numbers often have, and other columns too.

    >>> weakly_names_records("Sample_code_number"), weakly_names_records("income")
    (True, False)
    """
    return _any(_other("weak"), words_of(name))


def names_no_code(name: str) -> bool:
    """Whether the name speaks of a quantity, a year, an age or a postcode, which are not codes of a person.

    >>> names_no_code("ZIP code"), names_no_code("Geburtsjahr"), names_no_code("Fallnummer")
    (True, True, False)
    """
    return _any(_other("no codes"), words_of(name))


def names_postcodes(name: str) -> bool:
    """Whether the name says that the column holds postcodes.

    >>> names_postcodes("zip_code"), names_postcodes("WohnortPLZ"), names_postcodes("zipper")
    (True, True, False)
    """
    return _any(_other("postcodes"), words_of(name))


def names_codes(name: str) -> bool:
    """Whether the name is that of a classification or a key.

    >>> names_codes("ISCO-08"), names_codes("Gemeindeschlüssel"), names_codes("age")
    (True, True, False)
    """
    return _any(_other("codes"), words_of(name))


def names_diagnoses(name: str) -> bool:
    """Whether the name speaks of diagnoses.

    >>> names_diagnoses("ICD10"), names_diagnoses("Hauptdiagnose"), names_diagnoses("age")
    (True, True, False)
    """
    return _any(_other("diagnoses"), words_of(name))


def _any(pattern: re.Pattern[str], words: list[str]) -> bool:
    """Whether a word matches, or two neighbours do as one: "Kunden-Nr" is a "Kundennr"."""
    joined = (first + second for first, second in pairwise(words))
    return any(pattern.fullmatch(word) for word in (*words, *joined))

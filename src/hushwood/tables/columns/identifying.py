"""Columns that look as if they identify people: judged by their names, by their values, and by how many differ.

A name alone is not enough where the values cannot identify anyone, and values that merely differ are not enough where
they are measurements. Decimals are never suspicious. Patterns are looked for whatever the column is called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import polars as pl

from hushwood.tables.columns.header_words import (
    ACCOUNTS,
    ADDRESS,
    BIRTH,
    DOCUMENTS,
    LOOK_ALIKES,
    MAIL,
    NAMES,
    PHONE,
    RECORDS,
    TEXT,
    names_no_code,
    said_by,
    weakly_names_records,
)
from hushwood.tables.frames.storage import TEXT_STORAGES, as_numbers, distinct, literal, storage_name
from hushwood.tables.schema import Attribute

CODES = "unique codes"
# Whoever declares one of these roles has decided about the column.
SETTLING_ROLES = frozenset({"identifier", "quasi-identifier", "person", "household"})

_FEW_ROWS = 20
_FEW_VALUES, _ROWS_PER_VALUE = 10, 5
_SAMPLE = 10_000
_NEARLY_ALL, _MANY, _REPEATED = 0.9, 0.3, 0.2
_DENSE = 2 / 3
_LONG_NUMBER = 10**8
_WORDS_OF_TEXT, _WORDS_IF_NAMED = 4, 2
_BY_NAME, _BY_VALUES, _BY_BOTH = "its name", "its values", "its name and its values"
_Found = tuple[str, str] | None
CARDS, NETWORK, WEB, UUIDS = "card numbers", "network addresses", "web addresses", "unique codes"
_MAIL = r"[\w.+-]+@[\w-]+(\.[\w-]+)+"
_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_CARD = re.compile(r"\d{13,19}")
_INSURED = re.compile(r"[A-Z]\d{9}")  # the number of a German health insurance, with a check digit
_DOCUMENT = (
    r"^(\d{3}-\d{2}-\d{4}"  # social security, United States
    r"|\d{2}\s?\d{6}\s?[A-Z]\s?\d{3}"  # pension insurance, Germany
    r"|756\.\d{4}\.\d{4}\.\d{2}"  # social security, Switzerland
    r"|[A-Z]{2}\s?\d{2}\s?\d{2}\s?\d{2}\s?[A-D])$"  # national insurance, United Kingdom
)
_PHONE = (
    r"^((\+|00)[1-9][\d ()/.\-]{6,20}"  # with the code of a country
    r"|\(0\d{1,5}\)[ /\-]?\d[\d \-]{3,}|0\d{1,5}( ?[/\-] ?| )\d[\d \-]{3,}|0\d{8,13}"  # with that of a place
    r"|\(?\d{3}\)?[ .\-]\d{3}[ .\-]\d{4})$"  # as in North America
)
_STREET = (
    r"(?i)^\D*(straße|strasse|str\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee)\s+\d"
    r"|^\d+\w?,?\s.*\b(street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|blvd|square|way)\b"
)
_NETWORK = (
    r"(?i)^((\d{1,3}\.){3}\d{1,3}|([0-9a-f]{2}[:-]){5}[0-9a-f]{2}"
    r"|([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,6}(:[0-9a-f]{1,4}){1,6})$"
)
_WEB = r"(?i)^(https?://|www\.)\S+$"
_UUID = r"(?i)^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$"
_PERSON = (
    r"^((Dr\.|Prof\.|Mr\.?|Mrs\.?|Ms\.?|Frau|Herr) )*"
    r"\p{Lu}[\p{L}'’-]+,? (\p{Lu}\.? |von |van |de |zu )*\p{Lu}[\p{L}'’-]+$"
)
_LETTERS_ONLY = r"^[\p{L}.,'’ -]+$"
_FIRST_WORD = (
    r"^(?:(?:dr|prof|mrs?|ms|mme|frau|herr|sra?|dott|mevr|dhr|pani?)\.? )*([a-z]+)(?:[ -][a-z.'’-]+){0,3}$"
)
_AFTER_COMMA = r"^[^,]+, ?([a-z]+)"
_DATE = (
    r"^\s*(\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})([ T]\d{1,2}:\d{2}\S*)?\s*$"
)
_NUMBER = r"^\s*-?\d{1,3}([.']\d{3})*(,\d+)?\s*$|^\s*-?\d+(,\d+)?\s*$"
_MOST, _HALF, _SOME, _HARDLY = 0.8, 0.5, 0.3, 0.01
_FEW_NAMES = 5  # a place, a brand or a storm may be called like a person


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A column that looks as if it identifies people: what it seems to hold, and what that is judged by."""

    column: str
    kind: str
    why: str


@dataclass(frozen=True, slots=True)
class _ValueCounts:
    """The known values of a column: how many there are, and how many different ones."""

    name: str
    known: int
    different: int

    @property
    def few(self) -> bool:
        """Whether each value is shared by several records on average, too many to identify one person."""
        return self.different <= _FEW_VALUES and self.known >= _ROWS_PER_VALUE * self.different

    def differ(self, share: float) -> bool:
        """Whether more than this share of the values are different, in a table large enough to tell."""
        return self.known >= _FEW_ROWS and self.different > share * self.known


def can_identify(attribute: Attribute) -> bool:
    """Whether the column's values need to be looked at: no role settles it, and they are not decimals."""
    decimals = attribute.kind == "numeric" and attribute.precision != 0 and not attribute.carried
    timed = attribute.storage.startswith("Datetime")
    return attribute.role not in SETTLING_ROLES and not attribute.weight and (timed or not decimals)


def suspicion(attribute: Attribute, column: pl.Series) -> Suspicion | None:
    """Whether the column looks as if it identifies people and no role says what to do with it."""
    if not can_identify(attribute):
        return None
    known = literal(column).drop_nulls()
    dtype, found = known.dtype, None
    if known.is_empty():
        return None
    if storage_name(dtype) in TEXT_STORAGES:
        found = _of_texts(attribute, known)
    elif isinstance(dtype, pl.Date | pl.Datetime):
        found = (BIRTH, _BY_NAME) if said_by(attribute.name) == BIRTH else None
    elif dtype.is_numeric():
        found = _of_numbers(attribute.name, known)
    if found in ((CODES, _BY_VALUES), (RECORDS, _BY_VALUES)) and attribute.role == "class":
        return None  # what the rules are to predict may be different for everyone
    return None if found is None else Suspicion(attribute.name, *found)


def _of_texts(attribute: Attribute, known: pl.Series) -> _Found:
    name, listed = attribute.name, len(attribute.categories)
    known = known.cast(pl.String)
    sample = plainly(known.gather_every(max(1, len(known) // _SAMPLE)).unique(maintain_order=True))
    contact = contact_data(sample)
    if contact is not None:
        return contact, _BY_VALUES
    if (
        listed and _ValueCounts(name, len(known), listed).few
    ):  # as in most columns, and there is no need to count
        return None
    counted = _ValueCounts(name, len(known), len(distinct(known)))
    if counted.few:
        return None
    pattern = personal_pattern(sample)
    if pattern is not None and (pattern != NAMES or counted.differ(0.5)):
        return pattern, _BY_VALUES
    if are_first_names(sample):
        return NAMES, _BY_VALUES
    if are_dates(sample):
        return (BIRTH, _BY_BOTH) if said_by(name) == BIRTH else None
    if are_numbers(sample):
        numbers = known.cast(pl.Float64, strict=False).drop_nulls()
        return _of_numbers(name, numbers) if len(numbers) == len(known) else None
    return _of_other_texts(counted, sample)


def _of_other_texts(counted: _ValueCounts, sample: pl.Series) -> _Found:
    """Texts without a pattern: what the name says, sentences, and codes."""
    said, words = said_by(counted.name), words_per_text(sample)
    if said in (NAMES, MAIL, ADDRESS) or (said == PHONE and have_digits(sample)):
        return said, _BY_NAME
    if said == TEXT and words >= _WORDS_IF_NAMED:
        return TEXT, _BY_BOTH
    if words >= _WORDS_OF_TEXT and counted.differ(_MANY):
        return TEXT, _BY_VALUES
    if names_no_code(counted.name):
        return None
    if said in (RECORDS, ACCOUNTS, DOCUMENTS) and counted.different > _REPEATED * counted.known:
        return said, _BY_BOTH
    return (CODES, _BY_VALUES) if counted.differ(_NEARLY_ALL) else None


def _of_numbers(name: str, known: pl.Series) -> _Found:
    """Whole numbers that stand for records, people or days; decimals are measurements."""
    if known.dtype.is_float() or known.dtype.is_decimal():
        if not (known == known.round(0)).all():
            return None
        known = known.cast(pl.Int128, strict=False).drop_nulls()
    if known.is_empty():
        return None
    low, high = int(known.min()), int(known.max())  # type: ignore[arg-type]
    if _are_cards(known, low):
        return CARDS, _BY_VALUES
    said, head = said_by(name), known.head(_SAMPLE)
    named = said is not None or weakly_names_records(name)
    if not named and low < _LONG_NUMBER and head.n_unique() < len(head):
        return None
    counted = _ValueCounts(name, len(known), known.n_unique())
    if counted.few:
        return None
    if said == BIRTH and low >= 1800_01_01 and high <= 2100_12_31:
        return BIRTH, _BY_BOTH
    if said == PHONE and high >= _LONG_NUMBER // 1000:
        return PHONE, _BY_BOTH
    if names_no_code(name):
        return None
    if said in (RECORDS, ACCOUNTS, DOCUMENTS) and counted.different > _REPEATED * counted.known:
        return said, _BY_BOTH
    if (said == NAMES or weakly_names_records(name)) and counted.differ(_NEARLY_ALL):
        return RECORDS, _BY_BOTH
    if low >= _LONG_NUMBER and counted.differ(_NEARLY_ALL):
        return CODES, _BY_VALUES
    all_differ = counted.known >= _FEW_ROWS and counted.different == counted.known
    return (RECORDS, _BY_VALUES) if all_differ and counted.known > _DENSE * (high - low + 1) else None


def _are_cards(known: pl.Series, low: int) -> bool:
    if low < 10**12:
        return False
    sample = known.gather_every(max(1, len(known) // _SAMPLE)).unique(maintain_order=True)
    return contact_data(sample.cast(pl.String)) == CARDS


def plainly(texts: pl.Series) -> pl.Series:
    """The texts in one form of Unicode, Latin letters for look-alikes, and nothing that cannot be seen."""
    plain = texts.str.normalize("NFKC")
    odd = plain.str.contains(r"[\p{Cyrillic}\p{Greek}\p{Cf}]")
    if not odd.any():
        return plain
    return pl.Series(texts.name, [text.translate(LOOK_ALIKES) for text in plain.to_list()], dtype=pl.String)


def contact_data(texts: pl.Series) -> str | None:
    """E-mail addresses and accounts: what may not go out even once; `texts` is a sample of different values."""
    if _share(texts, _MAIL) >= _HARDLY:
        return MAIL
    compact = texts.str.replace_all(r"[\s-]", "").str.to_uppercase().to_list()
    if sum(map(is_iban, compact)) >= max(1.0, _HARDLY * len(compact)):
        return ACCOUNTS
    if _checked(compact, _CARD):
        return CARDS
    return DOCUMENTS if _share(texts, _DOCUMENT) >= _SOME or _checked(compact, _INSURED) else None


def personal_pattern(texts: pl.Series) -> str | None:
    """What most texts look like, if that points at a person or a device; `texts` is a sample of different values."""
    for what, pattern, share in (
        (PHONE, _PHONE, _SOME),
        (ADDRESS, _STREET, _SOME),
        (NETWORK, _NETWORK, _SOME),
        (WEB, _WEB, _SOME),
        (UUIDS, _UUID, _SOME),
        (NAMES, _PERSON, _MOST),
    ):
        if _share(texts, pattern) >= share and not (what == PHONE and are_dates(texts)):
            return what
    return None


def are_first_names(texts: pl.Series) -> bool:
    """Whether half of the texts are, or begin with, a common first name; `texts` is a sample of different values.

    >>> are_first_names(pl.Series(["anna meyer", "Kowalski, Piotr", "josé", "INÉS", "Dr. Hans Voss", "x y"]))
    True
    """
    plain = texts.filter(texts.str.contains(_LETTERS_ONLY)).str.to_lowercase()
    plain = plain.str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.replace_all("ł", "l")
    first = plain.str.extract(_AFTER_COMMA).fill_null(plain.str.extract(_FIRST_WORD))
    known = first.filter(first.is_in(_first_names().implode()))
    return known.n_unique() >= _FEW_NAMES and len(known) >= _HALF * len(texts)


@cache
def _first_names() -> pl.Series:
    text = files("hushwood.tables.columns").joinpath("first_names.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return pl.Series(sorted({name for line in lines for name in line.split()}))


def are_dates(texts: pl.Series) -> bool:
    """Whether most texts are dates, in figures."""
    return _share(texts, _DATE) >= _MOST


def are_numbers(texts: pl.Series) -> bool:
    """Whether all texts are numbers, with decimal points or commas; numbers that begin with 0 are codes."""
    if texts.str.contains(r"^0\d").any():
        return False
    return as_numbers(texts).null_count() == 0 or bool(texts.str.contains(_NUMBER).all())


def have_digits(texts: pl.Series) -> bool:
    """Whether a good part of the texts has as many digits as the shortest phone numbers."""
    return _share(texts, r"(\d\D*){5}") >= _SOME


def words_per_text(texts: pl.Series) -> float:
    """The mean number of words."""
    return float(texts.str.count_matches(r"\S+").mean() or 0)  # type: ignore[arg-type]


def is_iban(text: str) -> bool:
    """Whether a text without spaces is an account number with the right check digits.

    >>> is_iban("DE02120300000000202051"), is_iban("DE03120300000000202051")
    (True, False)
    """
    if not _IBAN.fullmatch(text):
        return False
    return int("".join(str(int(character, 36)) for character in text[4:] + text[:4])) % 97 == 1


def passes_luhn(text: str) -> bool:
    """Whether the last digit checks the others; a letter counts by its place in the alphabet, as two digits.

    >>> passes_luhn("4111111111111111"), passes_luhn("4111111111111112"), passes_luhn("A123456780")
    (True, False, True)
    """
    digits = "".join(sign if sign.isdigit() else f"{ord(sign) - 64:02}" for sign in text)
    doubled = (sum(divmod(int(digit) * (1 + place % 2), 10)) for place, digit in enumerate(reversed(digits)))
    return sum(doubled) % 10 == 0


def _checked(texts: list[str], pattern: re.Pattern[str]) -> bool:
    """Whether a good part of the texts has the pattern, and the check digit of nearly all of those is right."""
    alike = [text for text in texts if pattern.fullmatch(text)]
    if len(alike) < max(3.0, _SOME * len(texts)):
        return False
    return sum(map(passes_luhn, alike)) >= 0.9 * len(alike)


def _share(texts: pl.Series, pattern: str) -> float:
    return float(texts.str.contains(pattern).mean() or 0)  # type: ignore[arg-type]

"""Columns that look as if they identify people: judged by their names, by their values, and by how many differ.

A name alone is not enough where the values cannot identify anyone, and values that merely differ are not enough where
they are measurements. Decimals are never suspicious.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from hushwood.tables.coding import distinct
from hushwood.tables.columns.header_words import (
    ACCOUNTS,
    ADDRESS,
    BIRTH,
    DOCUMENTS,
    MAIL,
    NAMES,
    PHONE,
    RECORDS,
    TEXT,
    names_no_code,
    said_by,
    weakly_names_records,
)
from hushwood.tables.columns.names import literal
from hushwood.tables.columns.value_patterns import (
    CARDS,
    are_dates,
    are_first_names,
    are_numbers,
    contact_data,
    have_digits,
    personal_pattern,
    plainly,
    words_per_text,
)
from hushwood.tables.frames.storage import TEXT_STORAGES, storage_name
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


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A column that looks as if it identifies people: what it seems to hold, and what that is judged by."""

    column: str
    kind: str
    why: str


@dataclass(frozen=True, slots=True)
class _Counted:
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
    """Whether the column's values need to be looked at: no role settles it, and they are no decimals."""
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


_Found = tuple[str, str] | None


def _of_texts(attribute: Attribute, known: pl.Series) -> _Found:
    name, listed = attribute.name, len(attribute.categories)
    known = known.cast(pl.String)
    sample = plainly(known.gather_every(max(1, len(known) // _SAMPLE)).unique(maintain_order=True))
    contact = contact_data(sample)
    if contact is not None:
        return contact, _BY_VALUES
    if listed and _Counted(name, len(known), listed).few:  # as in most columns, and there is no need to count
        return None
    counted = _Counted(name, len(known), len(distinct(known)))
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


def _of_other_texts(counted: _Counted, sample: pl.Series) -> _Found:
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
    counted = _Counted(name, len(known), known.n_unique())
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

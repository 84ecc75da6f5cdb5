"""What a careful reader would ask about a column before releasing it; warnings never change the schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from hushwood.tables.coding import as_numbers
from hushwood.tables.frames.storage import TEXT_STORAGES
from hushwood.tables.schema import Attribute

_FEW_ROWS = 20
_SAMPLE = 10_000
_ID_WORDS = frozenset(
    {"id", "ids", "code", "number", "nr", "no", "num", "key", "uuid", "ssn", "account", "serial"}
)
_PERSON_WORDS = frozenset(
    {
        *("name", "names", "surname", "forename", "firstname", "lastname", "fullname", "username"),
        *("email", "mail", "phone", "telephone", "mobile", "address", "ssn", "passport", "iban"),
    }
)
_ID_SHARE = 0.9
_TEXT_LENGTH = 30
_TEXT_SHARE = 0.5
_MANY = 100
_MANY_SHARE = 0.3
_ODD_TEXTS = 3
_DROP = "Drop it from the release with --identifier."


@dataclass(frozen=True, slots=True)
class ColumnWarning:
    """One doubt about one column: a code to sort by and a sentence that says what is wrong and what to do."""

    column: str
    code: str
    sentence: str


_Warn = Callable[[str, str], ColumnWarning]


def column_warnings(attribute: Attribute, column: pl.Series) -> Iterator[ColumnWarning]:
    """The doubts about one column, the most serious first."""

    def warning(code: str, sentence: str) -> ColumnWarning:
        return ColumnWarning(attribute.name, code, f"Column {attribute.name!r} {sentence}")

    if attribute.role == "ignored":
        yield warning(
            "ignored", "is ignored: the release copies it unchanged, with everything it says about people."
        )
    if attribute.carried:
        return
    known = column.drop_nulls()
    if known.is_empty():
        yield warning("all-missing", "is empty; nothing can be learnt from it. Consider dropping it.")
        return
    if _names_people(attribute):
        yield warning("identifier", f"seems from its name to identify people. {_DROP}")
        return
    if known.len() > 1 and (known == known[0]).all():
        yield warning("constant", "has the same value in every record; nothing can be learnt from it.")
        return
    if attribute.role == "class":
        return
    if attribute.kind == "numeric":
        if _names_records(attribute, known):
            yield warning("identifier", f"looks like a record number. {_DROP}")
        return
    yield from _category_warnings(attribute, known, warning)


def _category_warnings(attribute: Attribute, known: pl.Series, warning: _Warn) -> Iterator[ColumnWarning]:
    """Doubts about texts: free text, identifiers, too many categories, numbers read as texts."""
    count, share = len(attribute.categories), len(attribute.categories) / len(known)
    if attribute.storage in TEXT_STORAGES:
        if share > _TEXT_SHARE and _mean_length(attribute) > _TEXT_LENGTH:
            yield warning("free-text", f"looks like free text, which may name people. {_DROP}")
            return
        if count >= len(known) >= _FEW_ROWS and known.n_unique() == len(known):
            yield warning("identifier", f"has a different value in every record. {_DROP}")
            return
        odd = _odd_texts(attribute)
        if odd:
            yield warning(
                "almost-numeric",
                f"contains numbers except for {', '.join(map(repr, odd))}, so it is read as categories. "
                f'If that means missing, use --missing "{",".join(odd)}".',
            )
        if _decimal_commas(attribute):
            yield warning(
                "decimal-comma", "has decimal commas, so it is read as categories. Write decimal points."
            )
    if count > _MANY or (share > _MANY_SHARE and len(known) >= _FEW_ROWS):
        yield warning("many-categories", f"has {count} categories. Group them, or declare it in a schema.")


def _names_people(attribute: Attribute) -> bool:
    named = bool(_PERSON_WORDS & set(_words(attribute.name)))
    return named and attribute.storage in TEXT_STORAGES and attribute.role != "class"


def _names_records(attribute: Attribute, known: pl.Series) -> bool:
    if not known.dtype.is_integer() or len(known) < _FEW_ROWS:
        return False
    named = bool(_ID_WORDS & set(_words(attribute.name)))
    head = known.head(_SAMPLE)
    if head.n_unique() < (_ID_SHARE if named else 1) * len(head):
        return False
    different = known.n_unique()
    return different == len(known) or (named and different > _ID_SHARE * len(known))


def _words(name: str) -> list[str]:
    """Lower-case words of a name, split at signs and capitals."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def _mean_length(attribute: Attribute) -> float:
    return sum(map(len, attribute.categories)) / len(attribute.categories)


def _odd_texts(attribute: Attribute) -> list[str]:
    texts = pl.Series(attribute.categories, dtype=pl.String)
    odd = texts.filter(as_numbers(texts).is_null())
    return odd.to_list() if 0 < len(odd) <= _ODD_TEXTS and len(texts) >= 4 * len(odd) + 4 else []


def _decimal_commas(attribute: Attribute) -> bool:
    texts = pl.Series(attribute.categories, dtype=pl.String)
    return bool(texts.str.contains(r"^-?\d+(,\d+)?$").all()) and bool(texts.str.contains(",").any())

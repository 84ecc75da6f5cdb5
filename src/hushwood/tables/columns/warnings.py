"""What a careful reader would ask about a column before releasing it; warnings never change the schema."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from hushwood.tables.coding import as_numbers
from hushwood.tables.columns.code_patterns import codes_in
from hushwood.tables.columns.header_words import TEXT
from hushwood.tables.columns.identifying import Suspicion, suspicion
from hushwood.tables.frames.storage import TEXT_STORAGES
from hushwood.tables.schema import Attribute

_FEW_ROWS = 20
_MANY = 100
_MANY_SHARE = 0.3
_ODD_TEXTS = 3
# The codes of doubts that a release does not go past: they are settled by a role or by --keep.
IDENTIFYING = frozenset({"identifier", "free-text"})
MANY_CATEGORIES = "many-categories"


@dataclass(frozen=True, slots=True)
class ColumnWarning:
    """One doubt about one column: a code to sort by and a sentence that says what is wrong and what to do.

    `about` is what a column seems to hold that looks as if it identifies people.
    """

    column: str
    code: str
    sentence: str
    about: str = ""


_Warn = Callable[[str, str], ColumnWarning]


def column_warnings(attribute: Attribute, column: pl.Series) -> Iterator[ColumnWarning]:
    """The doubts about one column, the most serious first."""

    def warning(code: str, sentence: str, about: str = "") -> ColumnWarning:
        return ColumnWarning(attribute.name, code, f"Column {attribute.name!r} {sentence}", about)

    if attribute.role == "ignored":
        yield warning(
            "ignored", "is ignored: the release copies it unchanged, with everything it says about people."
        )
    suspected = suspicion(attribute, column)
    if suspected is not None:
        code = "free-text" if suspected.kind == TEXT else "identifier"
        yield warning(code, _says(suspected), suspected.kind)
    if suspected is not None or attribute.carried:
        return
    known = column.drop_nulls()
    if known.is_empty():
        yield warning("all-missing", "is empty; nothing can be learnt from it. Consider dropping it.")
    elif known.len() > 1 and (known == known[0]).all():
        yield warning("constant", "has the same value in every record; nothing can be learnt from it.")
    elif attribute.role != "class" and attribute.kind != "numeric":
        yield from _category_warnings(attribute, len(known), warning)


def suspicions(warnings: Iterable[ColumnWarning]) -> dict[str, str]:
    """What the columns seem to hold that look as if they identify people."""
    return {each.column: each.about for each in warnings if each.code in IDENTIFYING}


def _says(suspected: Suspicion) -> str:
    """What a column seems to hold, and the options that settle the matter."""
    option = shlex.quote(suspected.column)
    return (
        f"looks like {suspected.kind}, judging by {suspected.why}. Drop it from the release with "
        f'--identifier {option}, or say why it must stay with --keep {option}="reason".'
    )


def _category_warnings(attribute: Attribute, known: int, warning: _Warn) -> Iterator[ColumnWarning]:
    """Doubts about texts: too many categories, numbers read as texts."""
    count, share = len(attribute.categories), len(attribute.categories) / known
    if attribute.storage in TEXT_STORAGES:
        odd = _odd_texts(attribute)
        if odd:
            yield warning(
                "almost-numeric",
                f"contains numbers except for {', '.join(map(repr, odd))}, so it is read as categories. "
                f'If that means missing, use --missing "{",".join(odd)}".',
            )
        if _decimal_commas(attribute):
            yield warning(
                "decimal-comma",
                "has decimal commas, but is read as categories. Read it as numbers with --decimal , or a schema.",
            )
    if count > _MANY or (share > _MANY_SHARE and known >= _FEW_ROWS):
        yield warning(
            MANY_CATEGORIES,
            f"has {count} categories. Group them with --coarsen{_level(attribute)}, or declare it in a schema.",
        )


def _level(attribute: Attribute) -> str:
    """A rule of coarsening for codes, which have groups of their own."""
    kind = codes_in(attribute)
    return f" {shlex.quote(f'{attribute.name}={kind.level_names[len(kind.levels) // 2]}')}" if kind else ""


def _odd_texts(attribute: Attribute) -> list[str]:
    texts = pl.Series(attribute.categories, dtype=pl.String)
    odd = texts.filter(as_numbers(texts).is_null())
    return odd.to_list() if 0 < len(odd) <= _ODD_TEXTS and len(texts) >= 4 * len(odd) + 4 else []


def _decimal_commas(attribute: Attribute) -> bool:
    texts = pl.Series(attribute.categories, dtype=pl.String)
    return bool(texts.str.contains(r"^-?\d+(,\d+)?$").all()) and bool(texts.str.contains(",").any())

"""What a column means beyond its data type, and why: flags, codes, scales, or just numbers and texts.

A declared kind always wins. Without one, numbers are categories only where that is certain: if there are but two of
them, or if the column's name and their width say that they are codes. Texts are a scale only if all of them, three or
more, are words of one scale of `scales.txt`, whose order is certain whatever the column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.columns.codes import CODE_NAMES, code_kind, codes_of_texts
from hushwood.tables.columns.value_texts import are_years, is_temporal
from hushwood.tables.frames.storage import TEXT_STORAGES, categories_of, default_kind, literal, storage_name
from hushwood.tables.schema import Attribute, Kind

_DECLARED = "declared in the schema"
# Whoever declares one of these has said that the column holds numbers.
_OF_NUMBERS = ("low", "high", "precision", "noise")
FEW_ROWS = 20  # with two whole numbers other than 0 and 1, which are a flag then
_SAMPLE = 1000
_ZERO_ONE = {0, 1}
_TEMPORAL = {
    "Date": "dates",
    "Datetime": "dates with a time",
    "Time": "times of day",
    "Duration": "durations",
}
_MOST_STEPS = 5  # of a scale that is shown whole
_DROP = 'role = "identifier"'
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a column is taken for and why, and the categories that it has then, ascending if they are `ordered`."""

    kind: Kind
    why: str
    categories: tuple[str, ...] = ()
    hierarchy: str = ""
    ordered: bool = False


def meaning_of(
    column: pl.Series, name: str, declared: Mapping[str, Any] | None = None, *, order_given: bool = True
) -> Meaning:
    """What a column of usable values is taken for; an Enum has an order unless `order_given` is false.

    >>> import polars as pl
    >>> meaning_of(pl.Series([0, 1, 1]), "smoker").why, meaning_of(pl.Series([0, 1, 2]), "children").kind
    ('only the numbers 0 and 1', 'numeric')
    """
    fields = declared or {}
    numbers = default_kind(column.dtype) == "numeric"
    implied = "numeric" if numbers and any(key in fields for key in _OF_NUMBERS) else None
    kind = fields.get("kind", implied)
    if kind == "numeric" or (kind is None and numbers):
        found = _of_numbers(column, name) if numbers else Meaning("numeric", _DECLARED)
        if kind is not None and found.kind != kind:
            found = Meaning("numeric", _DECLARED)
    else:
        found = _of_categories(column, name, fields, order_given)
        if numbers:
            guess = _of_numbers(column, name)
            found = replace(found, why=guess.why if guess.kind == "categorical" else _DECLARED)
    return found if found.kind == "numeric" else _as_declared(column, name, found, fields)


def two_whole_numbers(column: pl.Series) -> tuple[int, int] | None:
    """The two values of a flag: 0 and 1 in any column, other whole numbers if 20 records or more have them.

    >>> import polars as pl
    >>> two_whole_numbers(pl.Series([1, 0, None])), two_whole_numbers(pl.Series([31, 45]))
    ((0, 1), None)
    """
    if not (column.dtype.is_integer() or column.dtype.is_float()):
        return None
    known = literal(column).drop_nulls()
    if known.head(_SAMPLE).n_unique() > 2:
        return None
    values = known.unique().sort().to_list()
    if len(values) != 2 or any(value != int(value) for value in values):
        return None
    low, high = map(int, values)
    return (low, high) if {low, high} == _ZERO_ONE or len(known) >= FEW_ROWS else None


def number_reason(attribute: Attribute) -> str:
    """Why a column is taken for numbers.

    >>> number_reason(Attribute("price", "numeric", precision=2)), number_reason(Attribute("x", "numeric"))
    ('numbers with 2 decimals', 'numbers with many digits')
    """
    unit = attribute.storage.partition("[")[0]
    if unit in _TEMPORAL:
        return _TEMPORAL[unit]
    if attribute.precision is None:
        return "numbers with many digits"
    if attribute.precision:
        return f"numbers with {attribute.precision} decimal{'' if attribute.precision == 1 else 's'}"
    if are_years(attribute.name, attribute.low, attribute.high):
        return "whole numbers where years lie"
    return "whole numbers"


def _of_numbers(column: pl.Series, name: str) -> Meaning:
    two = two_whole_numbers(column)
    if two is not None:
        low, high = categories_of(column)  # as texts: 1e20 is not a row of digits
        return Meaning("categorical", f"only the numbers {low} and {high}", (low, high))
    codes = code_kind(column, name)
    if codes is not None:
        return Meaning("categorical", codes.why, categories_of(column), codes.hierarchy)
    return Meaning("numeric", "")


def _of_categories(column: pl.Series, name: str, fields: Mapping[str, Any], order_given: bool) -> Meaning:
    given = tuple(fields.get("categories", ()))
    own = given or categories_of(column)
    if isinstance(column.dtype, pl.Boolean):
        return Meaning("categorical", "true or false", own)
    enum, texts = isinstance(column.dtype, pl.Enum), storage_name(column.dtype) in TEXT_STORAGES
    if enum and order_given:
        return Meaning("categorical", "its data type has an order", own, ordered=True)
    codes = codes_of_texts(name, own) if texts or column.dtype.is_integer() else None
    if codes is not None:
        return Meaning("categorical", codes.why, own, codes.hierarchy)
    scale = in_scale_order(own) if texts else None
    if scale is not None and (not (enum or given) or own in (scale, scale[::-1])):
        own = own if enum or given else scale
        steps = own if len(own) <= _MOST_STEPS else (own[0], "…", own[-1])
        return Meaning("categorical", f"a scale, {' < '.join(steps)}", own, ordered=True)
    return Meaning("categorical", "texts", own)


def _as_declared(column: pl.Series, name: str, found: Meaning, fields: Mapping[str, Any]) -> Meaning:
    """The hierarchy and the order that are declared, in the place of those that were found."""
    found = replace(found, hierarchy=fields.get("hierarchy", found.hierarchy))
    ordered = fields.get("ordered", found.ordered)
    if ordered == found.ordered:
        return found
    if not ordered:
        own = tuple(fields.get("categories", ())) or categories_of(column)
        return replace(found, ordered=False, categories=own)
    if "categories" not in fields and storage_name(column.dtype) in {"String", "Categorical"}:
        raise InputError(
            f"Column {name!r} is declared as ordered, but not in which order. List its categories in the schema, the "
            'lowest first: categories = ["low", "high"].'
        )
    return replace(found, ordered=True, why=_DECLARED)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a column is what it is, and the line of a schema file that changes it; "" if no line does."""

    why: str
    line: str


def sort_of(attribute: Attribute) -> str:
    """What sort of numbers or categories a column holds, if that is known: flag, codes, ordered, years, dates.

    >>> sort_of(Attribute("built", "numeric", low=1900, high=2020, precision=0))
    'years'
    >>> sort_of(Attribute("ill", "categorical", storage="Int64", categories=("0", "1")))
    'flag'
    """
    if attribute.carried or attribute.role == "class":
        return ""
    if attribute.kind == "numeric":
        if is_temporal(attribute.storage):
            return "dates" if attribute.storage.startswith("Date") else "times"
        whole_years = attribute.integer and are_years(attribute.name, attribute.low, attribute.high)
        return "years" if whole_years else ""
    if attribute.hierarchy:
        return CODE_NAMES[attribute.hierarchy]
    if attribute.ordered:
        return "ordered"
    return "flag" if attribute.flag else ""


def reason_of(attribute: Attribute, suspected: str = "") -> Reason:
    """The reason, and the line that changes it; `suspected` is what a column seems to hold that identifies people.

    >>> reason_of(Attribute("ill", "categorical", storage="Int64", categories=("0", "1"), why="two numbers"))
    Reason(why='flag: two numbers', line='kind = "numeric"')
    """
    sort = sort_of(attribute)
    why = f"{sort}: {attribute.why}" if sort and sort != attribute.why else attribute.why
    if suspected:
        return Reason(f"{why}; looks like {suspected}" if not sort else f"looks like {suspected}", _DROP)
    return Reason(why, _line(attribute))


def _line(attribute: Attribute) -> str:
    if attribute.carried or attribute.role == "class":
        return 'role = "ordinary"'
    if attribute.kind == "numeric":
        return 'kind = "categorical"'
    stored_as_number = attribute.storage.startswith(("Int", "UInt", "Float"))
    if stored_as_number or is_temporal(attribute.storage):
        return 'kind = "numeric"'
    if attribute.hierarchy:
        return 'hierarchy = "none"'
    if attribute.ordered:
        return "ordered = false"
    return "ordered = true" if len(attribute.categories) > 2 else ""


def in_scale_order(categories: Sequence[str]) -> tuple[str, ...] | None:
    """The categories in ascending order if all are words of one scale, three or more; else None.

    >>> in_scale_order(["high", "low", "medium"]), in_scale_order(["high", "low", "tall"])
    (('low', 'medium', 'high'), None)
    """
    if len(categories) < _FEWEST:
        return None
    # Lower-case words with single spaces, whatever stands between them.
    words = [re.sub(r"[\s_/,.-]+", " ", category).strip().lower() for category in categories]
    for places in _scales():
        found = [places.get(word, -1) for word in words]
        if min(found) >= 0 and len(set(found)) == len(found):
            return tuple(category for _, category in sorted(zip(found, categories, strict=True)))
    return None


@cache
def _scales() -> tuple[Mapping[str, int], ...]:
    """The place of every word, scale by scale."""
    text = files("hushwood.tables.columns").joinpath("scales.txt").read_text("utf-8")
    scales = [scale.split(",") for scale in text.split("\n\n")[1:]]
    return tuple(
        {word: at for at, place in enumerate(scale) for word in place.strip().split("|")} for scale in scales
    )

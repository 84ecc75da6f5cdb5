"""What a column means beyond its data type, and why: flags, codes, scales, or just numbers and texts.

A declared kind always wins. Without one, numbers are categories only where that is certain: if there are but two of
them, or if the column's name and their width say that they are codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.coding import categories_of
from hushwood.tables.columns.code_patterns import code_kind, codes_of_texts
from hushwood.tables.columns.names import literal
from hushwood.tables.columns.quantities import are_years
from hushwood.tables.columns.scales import in_scale_order
from hushwood.tables.frames.storage import TEXT_STORAGES, default_kind, storage_name
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
        low, high = categories_of(column)  # as texts: 1e20 is no row of digits
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
        return Meaning("categorical", f"a scale, {_steps(own)}", own, ordered=True)
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


def _steps(order: Sequence[str]) -> str:
    """A scale in one line."""
    shown = order if len(order) <= _MOST_STEPS else (order[0], "…", order[-1])
    return " < ".join(shown)

"""A schema guessed from data, with what was declared kept and every contradiction refused.

The class has rules of its own in `class_column`, doubts are raised in `column_warnings`, and `frames` turns
the data into a table with the schema found here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hushwood.errors import InputError
from hushwood.tables.categories import categories_of, present_categories
from hushwood.tables.class_column import Binning, Response, class_attribute, stays_number
from hushwood.tables.column_names import check_writable, literal
from hushwood.tables.column_warnings import ColumnWarning, column_warnings
from hushwood.tables.given import Given, given_by_schema, merged
from hushwood.tables.precision import fits, precision_of
from hushwood.tables.schema import Attribute, Kind, Role, Schema
from hushwood.tables.storage import check_calendar, default_kind, numbers_of, storage_name, unusable

if TYPE_CHECKING:
    import polars as pl

Infinite = Literal["refuse", "missing"]


def infer_schema(
    frame: pl.DataFrame,
    *,
    target: str | None = None,
    roles: Mapping[str, Role] | None = None,
    given: Schema | Given | None = None,
    class_bins: int | None = None,
    class_threshold: float | None = None,
    infinite: Infinite = "refuse",
    response: Response = "class",
) -> tuple[Schema, tuple[ColumnWarning, ...]]:
    """Guess what every column is; `given` declarations win, `roles` and `target` win over them."""
    if frame.is_empty():
        raise InputError("The table has no records; there is nothing to release.")
    check_writable(frame.columns)
    declared = given_by_schema(given) if isinstance(given, Schema) else given or {}
    declared = merged(declared, roles=roles or {}, target=target, columns=frame.columns)
    binning = Binning(class_bins, class_threshold)
    if binning.wanted and not any(fields.get("role") == "class" for fields in declared.values()):
        raise InputError("Class bins need a class; name the class column with --class.")
    attributes: list[Attribute] = []
    warnings: list[ColumnWarning] = []
    for name, column in zip(frame.columns, frame, strict=True):
        check_calendar(column)
        fields = declared.get(name, {})
        if fields.get("role") not in {"identifier", "ignored"}:
            column = finite(column, infinite)
        attribute = replace(_attribute(literal(column), fields, binning, response), name=name)
        attributes.append(attribute)
        warnings += column_warnings(attribute, literal(column))
    return Schema(tuple(attributes)), tuple(warnings)


def finite(column: pl.Series, infinite: Infinite) -> pl.Series:
    """The column with nulls for NaN and, on request, for infinities; else infinities are refused by name."""
    import polars as pl

    column = literal(column)
    if not column.dtype.is_float():
        return column
    if column.is_infinite().any():
        if infinite != "missing":
            raise InputError(
                f"Column {column.name!r} holds infinite numbers; correct them, or treat them as missing with "
                "--infinite missing."
            )
        value = pl.col(column.name)
        return column.to_frame().select(pl.when(value.is_finite()).then(value)).to_series()
    return column.fill_nan(None) if column.is_nan().any() else column


def _attribute(
    column: pl.Series, fields: Mapping[str, Any], binning: Binning, response: Response
) -> Attribute:
    role: Role = fields.get("role", "ordinary")
    guess = default_kind(column.dtype)
    kind: Kind = fields.get("kind", guess or "categorical")
    if role in {"identifier", "ignored"}:
        return Attribute(column.name, kind, role, storage_name(column.dtype))
    if guess is None:
        raise unusable(column.name, column.dtype)
    if role == "class" and stays_number(column, fields, binning, response):
        return _numeric(column, fields, role)
    if role == "class":
        return class_attribute(column, fields, binning)
    if kind == "numeric":
        return _numeric(column, fields, role)
    return _categorical(column, fields, role)


def _numeric(column: pl.Series, fields: Mapping[str, Any], role: Role) -> Attribute:
    _check_numbers(column)
    precision = _precision(column, fields)
    values = numbers_of(column, precision)
    known = bool(len(values)) and not np.isnan(values).all()
    low, high = (float(np.nanmin(values)), float(np.nanmax(values))) if known else (0.0, 0.0)
    given_low, given_high = float(fields.get("low", low)), float(fields.get("high", high))
    if given_low > given_high or (known and not given_low <= low <= high <= given_high):
        raise InputError(
            f"Column {column.name!r} is declared to lie in {given_low:g} to {given_high:g}, but its values "
            f"lie in {low:g} to {high:g}; correct the domain or the data."
        )
    _check_range(column, given_low, given_high)
    return Attribute(
        column.name, "numeric", role, storage_name(column.dtype), given_low, given_high, precision
    )


def _precision(column: pl.Series, fields: Mapping[str, Any]) -> int | None:
    found = precision_of(column)
    real = column.dtype.is_float() or storage_name(column.dtype) == "String"
    if "precision" not in fields or (fields["precision"] is None and not real):
        return found
    wanted: int | None = fields["precision"]
    if wanted is None or wanted == found:
        return wanted
    too_coarse = found is None or wanted < found
    if too_coarse or not (real and fits(numbers_of(column, wanted), wanted, single=_single(column))):
        allowed = "continuous" if found is None else f"{found} decimals"
        raise InputError(
            f"Column {column.name!r} is declared with {wanted} decimals, but its values are {allowed}; "
            "correct the precision or the data."
        )
    return wanted


def _single(column: pl.Series) -> bool:
    return storage_name(column.dtype) == "Float32"


def _check_numbers(column: pl.Series) -> None:
    """Refuse texts, booleans and the like that are declared numeric but are not."""
    import polars as pl

    if default_kind(column.dtype) == "numeric" or isinstance(column.dtype, pl.Null):
        return
    if isinstance(column.dtype, pl.String):
        odd = column.filter(column.cast(pl.Float64, strict=False).is_null() & column.is_not_null())
        if odd.is_empty():
            return
        shown = ", ".join(repr(text) for text in odd.unique().sort().head(3))
        raise InputError(
            f"Column {column.name!r} is declared numeric but holds {shown}; name texts that mean missing "
            "with --missing, or declare the column categorical."
        )
    raise InputError(
        f"Column {column.name!r} is declared numeric but holds {storage_name(column.dtype)} values; "
        "declare it categorical."
    )


def _check_range(column: pl.Series, low: float, high: float) -> None:
    if not column.dtype.is_integer():
        return
    limits = np.iinfo(str(column.dtype).lower()) if "128" not in str(column.dtype) else None
    if limits is not None and not limits.min <= low <= high <= limits.max:
        raise InputError(
            f"Column {column.name!r} is declared to lie in {low:g} to {high:g}, but its data type "
            f"{column.dtype} only holds {limits.min} to {limits.max}."
        )


def _categorical(column: pl.Series, fields: Mapping[str, Any], role: Role) -> Attribute:
    categories = tuple(fields.get("categories", ())) or categories_of(column)
    if len(set(categories)) < len(categories):
        raise InputError(f"Column {column.name!r} is declared with the same category twice; list each once.")
    strange = set(present_categories(column)) - set(categories) if "categories" in fields else set()
    if strange:
        raise InputError(
            f"Column {column.name!r} has values that are not among its declared categories: "
            f"{', '.join(map(repr, sorted(strange)[:3]))}; add them to the schema or correct the data."
        )
    return Attribute(column.name, "categorical", role, storage_name(column.dtype), categories=categories)

"""A schema guessed from data: declarations are kept, and those that contradict the data are refused.

The user declares in a schema, a schema file, or as roles on the command line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from hushwood.errors import InputError, unknown_name
from hushwood.tables.columns.class_column import (
    Binning,
    class_attribute,
    response_bins,
    stays_number,
)
from hushwood.tables.columns.meanings import Meaning, meaning_of, number_reason
from hushwood.tables.columns.precision import fits, precision_of
from hushwood.tables.columns.warnings import ColumnWarning, column_warnings
from hushwood.tables.frames.storage import (
    categories_of,
    check_calendar,
    check_writable,
    default_kind,
    literal,
    numbers_of,
    present_categories,
    storage_name,
    unusable,
)
from hushwood.tables.read_options import Infinite, ReadOptions, Response
from hushwood.tables.schema import CARRIED_ROLES, ROLES, Attribute, Kind, Role, Schema
from hushwood.tables.table import check_weights

_ROLE_REASONS = {
    "identifier": "declared as an identifier, so it is dropped",
    "ignored": "declared as ignored, so it is copied unchanged",
    "person": "declared as the person whose row it is, so fresh numbers are released",
    "household": "declared as the household, so fresh numbers are released",
}
# Column name -> its declared fields, by their names in `Attribute`.
Declarations = Mapping[str, Mapping[str, Any]]


def infer_schema(
    columns: pl.DataFrame | Mapping[str, pl.Series],
    asked: ReadOptions | None = None,
    *,
    declared: Schema | Declarations | None = None,
    unordered: Collection[str] = (),
    by_type: bool = False,
) -> tuple[Schema, tuple[ColumnWarning, ...]]:
    """Guess what every column is; declarations override the guess, and the roles that are `asked` for override both.

    Instead of whole columns there may be values of each from which the same follows: its extremes, all its categories.
    `unordered` are Enum columns whose order means nothing. `by_type` takes all numbers for numbers, whatever they mean.
    """
    asked = asked or ReadOptions()
    if isinstance(columns, pl.DataFrame):
        if columns.is_empty():
            raise InputError("The table has no records. There is nothing to release.")
        columns = dict(zip(columns.columns, columns, strict=True))
    check_writable(columns)
    declared = declared_by_schema(declared) if isinstance(declared, Schema) else declared or {}
    targets = (asked.target,) if isinstance(asked.target, str) else tuple(asked.target or ())
    declared = with_roles(
        declared, roles=asked.roles or {}, targets=targets, columns=list(columns), weight=asked.weight
    )
    binning = Binning(asked.class_bins, asked.class_threshold)
    if binning.wanted and not any(fields.get("role") == "class" for fields in declared.values()):
        raise InputError(
            "--class-bins and --class-threshold need a class. Name the class column with --class."
        )
    attributes: list[Attribute] = []
    warnings: list[ColumnWarning] = []
    for name, column in columns.items():
        check_calendar(column)
        fields = declared.get(name, {})
        if fields.get("role") not in CARRIED_ROLES:
            column = finite(column, asked.infinite)
        if fields.get("weight"):
            check_weights(literal(column))
        reader = _Reader(name, fields, binning, asked.response, name not in unordered, by_type)
        found = reader.attribute(literal(column))
        attribute = replace(found, name=name, noise=_noise(name, found, fields))
        if fields.get("weight"):
            attribute = replace(attribute, weight=True)
        attributes.append(attribute)
        warnings += column_warnings(attribute, literal(column))
    return Schema(tuple(attributes)), tuple(warnings)


def _noise(name: str, attribute: Attribute, fields: Mapping[str, Any]) -> float | None:
    """The declared noise; only numbers get any, and a column that is kept apart gets none."""
    noise: float | None = fields.get("noise")
    if noise is None or attribute.carried:
        return None
    if attribute.kind != "numeric" or attribute.role == "class":
        what = "the class" if attribute.role == "class" else "categorical"
        raise InputError(
            f"Column {name!r} is declared with noise, but it is {what}. Noise is for numbers; omit it."
        )
    return noise


def finite(column: pl.Series, infinite: Infinite) -> pl.Series:
    """The column with nulls for NaN and, on request, for infinities, which are otherwise refused."""
    column = literal(column)
    if not column.dtype.is_float():
        return column
    if column.is_infinite().any():
        if infinite != "missing":
            raise InputError(
                f"Column {column.name!r} contains infinite numbers. Correct them, or treat them as missing with "
                "--infinite missing."
            )
        value = pl.col(column.name)
        return column.to_frame().select(pl.when(value.is_finite()).then(value)).to_series()
    return column.fill_nan(None) if column.is_nan().any() else column


@dataclass(frozen=True, slots=True)
class _Reader:
    """How one column is described: its name, what is declared about it, and what the request says about all."""

    name: str
    fields: Mapping[str, Any]
    binning: Binning
    response: Response
    order_given: bool
    by_type: bool

    def attribute(self, column: pl.Series) -> Attribute:
        """Describe the column, whose name may be quoted."""
        fields, role = self.fields, self.fields.get("role", "ordinary")
        guess = default_kind(column.dtype)
        if role in CARRIED_ROLES:
            kind: Kind = fields.get("kind", guess or "categorical")
            return Attribute(column.name, kind, role, storage_name(column.dtype), why=_ROLE_REASONS[role])
        if guess is None:
            raise unusable(column.name, column.dtype)
        if role == "class":
            return self._class(column)
        if fields.get("weight"):
            return replace(_numeric(column, fields, role), why="declared as the survey weight")
        meaning = self._meaning(column)
        if meaning.kind == "numeric":
            found = _numeric(column, fields, role)
            return replace(found, why=meaning.why or number_reason(replace(found, name=self.name)))
        return _with_meaning(_categorical(column, fields, role, meaning.categories), meaning)

    def _class(self, column: pl.Series) -> Attribute:
        fields = self.fields
        if stays_number(column, fields, self.binning, self.response):
            found = replace(_numeric(column, fields, "class"), bins=response_bins(column, fields))
            return replace(found, why="the class, a number to be predicted")
        if column.dtype.is_numeric() or column.dtype.is_temporal():
            return replace(class_attribute(column, fields, self.binning), why="the class")
        meaning = self._meaning(column)
        order = {"categories": meaning.categories} if meaning.ordered else {}
        found = class_attribute(column, {**fields, **order}, self.binning)
        return replace(_with_meaning(found, meaning), why="the class")

    def _meaning(self, column: pl.Series) -> Meaning:
        if self.by_type:
            return Meaning(default_kind(column.dtype) or "categorical", "")
        return meaning_of(column, self.name, self.fields, order_given=self.order_given)


def _with_meaning(attribute: Attribute, meaning: Meaning) -> Attribute:
    return replace(attribute, ordered=meaning.ordered, hierarchy=meaning.hierarchy, why=meaning.why)


def _numeric(column: pl.Series, fields: Mapping[str, Any], role: Role) -> Attribute:
    _check_numbers(column)
    precision = _precision(column, fields)
    values = numbers_of(column, precision)
    known = bool(len(values)) and not np.isnan(values).all()
    low, high = (float(np.nanmin(values)), float(np.nanmax(values))) if known else (0.0, 0.0)
    least, most = float(fields.get("low", low)), float(fields.get("high", high))
    if least > most or (known and not least <= low <= high <= most):
        raise InputError(
            f"Column {column.name!r} is declared to lie between {least:g} and {most:g}, but its values range from "
            f"{low:g} to {high:g}. Correct the domain or the data."
        )
    _check_range(column, least, most)
    return Attribute(column.name, "numeric", role, storage_name(column.dtype), least, most, precision)


def _precision(column: pl.Series, fields: Mapping[str, Any]) -> int | None:
    found = precision_of(column)
    real = column.dtype.is_float() or storage_name(column.dtype) == "String"
    if "precision" not in fields or (fields["precision"] is None and not real):
        return found
    wanted: int | None = fields["precision"]
    if wanted is None or wanted == found:
        return wanted
    too_coarse = found is None or wanted < found
    single = storage_name(column.dtype) == "Float32"
    if too_coarse or not (real and fits(numbers_of(column, wanted), wanted, single=single)):
        actual = "are continuous" if found is None else f"have {found}"
        raise InputError(
            f"Column {column.name!r} is declared with {wanted} decimals, but its values {actual}. "
            "Correct the precision or the data."
        )
    return wanted


def _check_numbers(column: pl.Series) -> None:
    """Refuse columns that are declared numeric but hold something else."""
    if default_kind(column.dtype) == "numeric" or isinstance(column.dtype, pl.Null):
        return
    if isinstance(column.dtype, pl.String):
        odd = column.filter(column.cast(pl.Float64, strict=False).is_null() & column.is_not_null())
        if odd.is_empty():
            return
        shown = ", ".join(repr(text) for text in odd.unique().sort().head(3))
        raise InputError(
            f"Column {column.name!r} is declared numeric but contains {shown}. If such texts mean missing, list them "
            "with --missing; otherwise declare the column categorical."
        )
    raise InputError(
        f"Column {column.name!r} is declared numeric but holds {storage_name(column.dtype)} values. "
        "Declare it categorical."
    )


def _check_range(column: pl.Series, low: float, high: float) -> None:
    if not column.dtype.is_integer():
        return
    limits = np.iinfo(str(column.dtype).lower()) if "128" not in str(column.dtype) else None
    if limits is not None and not limits.min <= low <= high <= limits.max:
        raise InputError(
            f"Column {column.name!r} is declared to lie between {low:g} and {high:g}, but its data type "
            f"{column.dtype} only holds {limits.min} to {limits.max}. Correct the domain."
        )


def _categorical(
    column: pl.Series, fields: Mapping[str, Any], role: Role, known: tuple[str, ...]
) -> Attribute:
    categories = tuple(fields.get("categories", ())) or known or categories_of(column)
    if len(set(categories)) < len(categories):
        raise InputError(f"Column {column.name!r} is declared with the same category twice. List each once.")
    strange = set(present_categories(column)) - set(categories) if "categories" in fields else set()
    if strange:
        raise InputError(
            f"Column {column.name!r} has values that are not among its declared categories: "
            f"{', '.join(map(repr, sorted(strange)[:3]))}. Add them to the schema or correct the data."
        )
    return Attribute(column.name, "categorical", role, storage_name(column.dtype), categories=categories)


def declared_by_schema(schema: Schema) -> dict[str, dict[str, Any]]:
    """Everything that a schema says about its columns."""
    return {attribute.name: _fields_of(attribute) for attribute in schema.attributes}


def with_roles(
    declared: Declarations,
    *,
    roles: Mapping[str, Role],
    targets: Sequence[str],
    columns: Iterable[str],
    weight: str | None = None,
) -> dict[str, dict[str, Any]]:
    """Declarations overridden by the given roles, classes and weight; every name must be a column."""
    result = {name: dict(fields) for name, fields in declared.items()}
    known = dict.fromkeys(columns)
    for name, role in roles.items():
        if role not in ROLES:
            raise unknown_name("role", role, ROLES)
        result.setdefault(name, {})["role"] = role
    if targets:
        _set_targets(result, roles, targets, known)
    _set_weight(result, weight, known)
    for name, fields in result.items():
        if name not in known and fields.get("role") != "identifier":
            raise unknown_name("column", name, known)
    return {name: fields for name, fields in result.items() if name in known}


def _set_targets(
    result: dict[str, dict[str, Any]],
    roles: Mapping[str, Role],
    targets: Sequence[str],
    known: Collection[str],
) -> None:
    for target in targets:
        if target not in known:
            raise unknown_name("class column", target, known)
        if roles.get(target, "class") != "class":
            raise InputError(
                f"Column {target!r} cannot be both the class and {roles[target]}. Choose another class or role."
            )
    for name, fields in result.items():
        if fields.get("role") == "class" and name not in targets:
            del fields["role"]
            fields.pop("bins", None)
            fields.pop("response", None)
    for target in targets:
        result.setdefault(target, {})["role"] = "class"


def _set_weight(result: dict[str, dict[str, Any]], weight: str | None, known: Collection[str]) -> None:
    """Mark the weight; one that is declared must not be a class, and there is only one."""
    if weight is not None:
        if weight not in known:
            raise unknown_name("weight column", weight, known)
        for fields in result.values():
            fields.pop("weight", None)
        result.setdefault(weight, {})["weight"] = True
    marked = [name for name, fields in result.items() if fields.get("weight")]
    if len(marked) > 1:
        raise InputError(
            f"Columns {marked[0]!r} and {marked[1]!r} are both declared as the weight. Keep one."
        )
    if marked and result[marked[0]].get("role") == "class":
        raise InputError(
            f"Column {marked[0]!r} cannot be both the class and the weight. Choose another class or weight."
        )


def _fields_of(attribute: Attribute) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": attribute.kind, "role": attribute.role, "storage": attribute.storage}
    fields |= {"weight": True} if attribute.weight else {}
    if attribute.carried:
        return fields
    if attribute.kind == "numeric":
        limits = {"low": attribute.low, "high": attribute.high}
        fields |= {key: limit for key, limit in limits.items() if limit is not None}
        fields["precision"] = attribute.precision
        fields |= {} if attribute.noise is None else {"noise": attribute.noise}
    else:
        fields |= {"ordered": attribute.ordered, "hierarchy": attribute.hierarchy}
    sets = {"categories": attribute.categories, "bins": attribute.bins}
    fields |= {key: values for key, values in sets.items() if values}
    return fields | ({"response": "number"} if attribute.response else {})

"""Polars frames into tables: columns as arrays; and the frame of a table that is released."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from hushwood.arrays import Array
from hushwood.errors import InputError
from hushwood.tables.columns.inference import finite
from hushwood.tables.frames.storage import codes_of, frame_from_table, literal, numbers_of
from hushwood.tables.read_options import Infinite
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table


def table_from_frame(frame: pl.DataFrame, schema: Schema, *, infinite: Infinite = "refuse") -> Table:
    """The columns of a frame as arrays; identifiers missing from the frame are dropped from the schema."""
    schema = _schema_present(frame, schema)
    columns: dict[str, Array] = {}
    for attribute in schema.attributes:
        if not attribute.carried:
            column, numeric = finite(frame[attribute.name], infinite), attribute.kind == "numeric"
            columns[attribute.name] = (
                numbers_of(column, attribute.precision) if numeric else codes_of(column, attribute.categories)
            )
    # By name, because `select` takes the name "*" for all columns.
    carried = pl.DataFrame({a.name: frame[a.name] for a in schema.attributes if a.carried})
    return Table(schema, columns, carried, frame.height)


def released_frame(table: Table) -> pl.DataFrame:
    """The columns to release: their data types list no category that does not occur."""
    return pl.DataFrame({column.name: _without_lists(column) for column in frame_from_table(table)})


def with_plain_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with texts in the place of categories: their list would name some that are nowhere released."""
    listed = [n for n, dtype in frame.schema.items() if isinstance(dtype, pl.Enum | pl.Categorical)]
    return frame.with_columns(frame[name].cast(pl.String) for name in listed) if listed else frame


def _without_lists(column: pl.Series) -> pl.Series:
    """The column with only the categories that occur in its Enum; categories nested inside become texts."""
    if isinstance(column.dtype, pl.Enum):
        return column.cast(pl.String).cast(pl.Enum(column.dtype.categories.filter(_occurs(column))))
    plain = _without_categories(column.dtype)
    return column.cast(plain) if column.dtype.is_nested() and plain != column.dtype else column


def _without_categories(dtype: Any) -> Any:
    """A nested data type with texts instead of categories; only copied columns have such types."""
    if isinstance(dtype, pl.Enum | pl.Categorical):
        return pl.String()
    if isinstance(dtype, pl.List):
        return pl.List(_without_categories(dtype.inner))
    if isinstance(dtype, pl.Array):
        return pl.Array(_without_categories(dtype.inner), dtype.size)
    if isinstance(dtype, pl.Struct):
        return pl.Struct({field.name: _without_categories(field.dtype) for field in dtype.fields})
    return dtype


def _occurs(column: pl.Series) -> pl.Series:
    """Whether each category of an Enum column occurs in it."""
    known: pl.Series = column.dtype.categories  # type: ignore[attr-defined]
    return known.is_in(literal(column).cast(pl.String).drop_nulls().unique().implode())


def _schema_present(frame: pl.DataFrame, schema: Schema) -> Schema:
    there, described = dict.fromkeys(frame.columns), set(schema.names)
    strange = [name for name in there if name not in described]
    if strange:
        raise InputError(
            f"Column {strange[0]!r} is not in the schema. Add it there, or drop it from the data."
        )
    present = tuple(a for a in schema.attributes if a.name in there or a.role != "identifier")
    lacking = [a.name for a in present if a.name not in there]
    if lacking:
        raise InputError(
            f"Column {lacking[0]!r} of the schema is not in the data. Correct the schema or the data."
        )
    return replace(schema, attributes=present)

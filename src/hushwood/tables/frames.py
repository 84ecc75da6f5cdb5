"""Frames into tables and back: columns of a Polars frame as arrays, and arrays as the columns they came from.

`inference` finds the schema needed here; files are read in `files`, frames of other libraries in `any_frame`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.tables.categories import codes_of
from hushwood.tables.column_names import literal
from hushwood.tables.inference import Infinite, finite
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.storage import category_values, column_of_numbers, numbers_of
from hushwood.tables.table import Array, Table

if TYPE_CHECKING:
    import polars as pl


def table_from_frame(frame: pl.DataFrame, schema: Schema, *, infinite: Infinite = "refuse") -> Table:
    """The columns of a frame as arrays; identifiers that the frame no longer has leave the schema too."""
    import polars as pl

    schema = _schema_present(frame, schema)
    columns: dict[str, Array] = {}
    for attribute in schema.attributes:
        if not attribute.carried:
            columns[attribute.name] = _array(finite(frame[attribute.name], infinite), attribute)
    # By name, not by `select`, which takes the name "*" for all columns.
    carried = pl.DataFrame({a.name: frame[a.name] for a in schema.attributes if a.carried})
    return Table(schema, columns, carried, frame.height)


def frame_from_table(table: Table, *, identifiers: bool = False) -> pl.DataFrame:
    """The table's columns in the data types they came in, in order; identifiers stay out unless asked for."""
    import polars as pl

    kept = [a for a in table.schema.attributes if identifiers or a.role != "identifier"]
    # By name, because a list of columns gives one without a name another.
    return pl.DataFrame({attribute.name: _column(table, attribute) for attribute in kept})


def released_frame(table: Table) -> pl.DataFrame:
    """The columns that may leave: their data types list no category that is not among their values."""
    import polars as pl

    return pl.DataFrame({column.name: _without_lists(column) for column in frame_from_table(table)})


def _without_lists(column: pl.Series) -> pl.Series:
    """The column, of its fixed list of categories those that occur, in their order; lists deep inside become texts."""
    import polars as pl

    if isinstance(column.dtype, pl.Enum):
        return column.cast(pl.String).cast(pl.Enum(column.dtype.categories.filter(_occurs(column))))
    plain = _without_categories(column.dtype)
    return column.cast(plain) if column.dtype.is_nested() and plain != column.dtype else column


def _without_categories(dtype: Any) -> Any:
    """A nested data type with texts for categories: those of copied columns, which nobody looks into."""
    import polars as pl

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
    import polars as pl

    known: pl.Series = column.dtype.categories  # type: ignore[attr-defined]
    return known.is_in(literal(column).cast(pl.String).drop_nulls().unique().implode())


def _schema_present(frame: pl.DataFrame, schema: Schema) -> Schema:
    there, described = dict.fromkeys(frame.columns), set(schema.names)
    strange = [name for name in there if name not in described]
    if strange:
        raise InputError(f"Column {strange[0]!r} is not in the schema; add it there or drop it.")
    present = tuple(a for a in schema.attributes if a.name in there or a.role != "identifier")
    lacking = [a.name for a in present if a.name not in there]
    if lacking:
        raise InputError(
            f"Column {lacking[0]!r} of the schema is not in the data; add it or correct the schema."
        )
    return Schema(present)


def _array(column: pl.Series, attribute: Attribute) -> Array:
    if attribute.kind == "numeric":
        return numbers_of(column, attribute.precision)
    return codes_of(column, attribute.categories)


def _column(table: Table, attribute: Attribute) -> pl.Series:
    if attribute.carried:
        return table.carried[attribute.name]
    values = table.columns[attribute.name]
    if attribute.kind == "numeric":
        return column_of_numbers(np.asarray(values, dtype=np.float64), attribute)
    return _column_of_codes(np.asarray(values, dtype=np.int64), attribute)


def _column_of_codes(codes: NDArray[np.int64], attribute: Attribute) -> pl.Series:
    import polars as pl

    values = category_values(attribute)
    if values.is_empty():
        return pl.Series([None], dtype=values.dtype).new_from_index(0, len(codes))
    places = pl.Series(codes).cast(pl.UInt32, strict=False)
    return values.gather(places)

"""Arrow tables into Polars and back, with the field types they came in but without what their owner noted in them.

An ordered dictionary becomes an Enum, so its order is kept; other frames are in `any_frame`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError
from hushwood.tables.column_names import literal
from hushwood.tables.schema import names_given_twice

if TYPE_CHECKING:
    import polars as pl


def to_polars(native: Any) -> pl.DataFrame:
    """An Arrow table as a Polars frame."""
    import polars as pl
    import pyarrow as pa

    twice = names_given_twice(native.column_names)
    if twice:
        raise InputError(f"Column names must be unique; these occur twice: {', '.join(twice)}. Rename them.")
    columns: dict[str, pl.Series] = {}
    for field in native.schema:
        chunks = native[field.name]
        column = pl.Series(chunks)
        if pa.types.is_dictionary(field.type) and field.type.ordered and column.dtype == pl.Categorical:
            column = column.cast(pl.String).cast(pl.Enum(_dictionary(chunks).to_pylist()))
        columns[field.name] = column
    return pl.DataFrame(columns)


def like(native: Any, released: pl.DataFrame) -> Any:
    """Released columns as an Arrow table with the fields of the one that came in; notes (metadata) stay out."""
    import pyarrow as pa

    fields = [_field(native.schema.field(column.name), column) for column in released]
    columns = [_array(native[field.name], literal(released[field.name]), field.type) for field in fields]
    return pa.table(columns, schema=pa.schema(fields))


def _field(field: Any, released: pl.Series) -> Any:
    """The field that came in; where numbers or truth values were released as names of groups, one of texts."""
    import polars as pl
    import pyarrow as pa

    inside = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    texts = any(test(inside) for test in (pa.types.is_string, pa.types.is_large_string, _is_string_view))
    kept = texts or released.dtype != pl.String
    return (field if kept else field.with_type(pa.string())).remove_metadata()


def _is_string_view(kind: Any) -> bool:
    return str(kind) == "string_view"


def _array(original: Any, released: pl.Series, wanted: Any) -> Any:
    """An array of the wanted type; a dictionary lists an Enum's categories or the values that occur, and no others."""
    import polars as pl
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(wanted):
        return released.to_arrow().cast(wanted)
    plain = released.cast(pl.String) if released.dtype in (pl.Categorical, pl.Enum) else released
    values = plain.to_arrow().cast(wanted.value_type)
    told = values.drop_null().unique()
    if isinstance(released.dtype, pl.Enum):
        told = released.dtype.categories.to_arrow().cast(wanted.value_type)
    before = _dictionary(original)
    dictionary = pa.concat_arrays([before.filter(pc.is_in(before, value_set=told)), told]).unique()
    places = pc.index_in(values, value_set=dictionary)
    return pa.DictionaryArray.from_arrays(places.cast(wanted.index_type), dictionary, ordered=wanted.ordered)


def _dictionary(chunks: Any) -> Any:
    import pyarrow as pa

    unified = chunks.unify_dictionaries()
    return unified.chunk(0).dictionary if unified.num_chunks else pa.array([], type=chunks.type.value_type)

"""Frames of any library that Narwhals knows, arrays and mappings into Polars; and frames back as the same kind.

pandas and Arrow need more than Narwhals gives: the order of their categories is kept (as an Enum), and neither an index
nor metadata leaves, because both may name people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from hushwood.errors import InputError
from hushwood.tables.frames.storage import check_writable, literal
from hushwood.tables.schema import check_unique


def to_polars(native: object) -> pl.DataFrame:
    """The frame in Polars; a lazy frame is collected, and anything but a frame is refused."""
    if isinstance(native, pl.DataFrame):
        return native
    if isinstance(native, pl.LazyFrame):
        return native.collect()
    if nw.dependencies.is_pandas_dataframe(native):
        return _pandas_to_polars(native)
    if nw.dependencies.is_pyarrow_table(native):
        return _arrow_to_polars(native)
    if isinstance(native, Mapping | np.ndarray):
        return _columns_to_polars(native if isinstance(native, Mapping) else _columns_of(native))
    try:
        frame: Any = nw.from_native(native)
    except TypeError:
        raise InputError(
            f"A {type(native).__name__} is not a table. Give a file, a pandas, Polars or Arrow frame, an array with "
            "rows and columns, or a mapping of columns by name."
        ) from None
    collected: pl.DataFrame = (frame.collect() if isinstance(frame, nw.LazyFrame) else frame).to_polars()
    return collected


def names_of_columns(native: object, given: Any) -> Any:
    """The names of columns that may be given by their places in an array, or by labels of pandas that are numbers.

    >>> names_of_columns(np.zeros((5, 3)), -1), names_of_columns(None, ["a", 2])
    ('column_2', ['a', '2'])
    """
    if isinstance(given, Sequence) and not isinstance(given, str):
        return [names_of_columns(native, one) for one in given]
    if isinstance(given, bool) or not isinstance(given, Integral):
        return given
    if not isinstance(native, np.ndarray) or native.ndim != 2:
        return str(given)
    width = native.shape[1]
    if not -width <= given < width:
        raise InputError(f"The array has {width} columns, from 0 to {width - 1}; {given} was given.")
    return f"column_{given % width}"


def index_note(native: object) -> str | None:
    """A sentence about a pandas index that says something and is not released."""
    if not nw.dependencies.is_pandas_dataframe(native):
        return None
    named = [repr(name) for name in native.index.names if name is not None]
    if not named and native.index.nlevels == 1 and native.index.dtype.kind in "iu":
        return None
    which = f" ({', '.join(named)})" if named else ""
    return f"The index{which} of the frame is not released; reset_index() makes it a column."


def unordered_categories(native: object) -> frozenset[str]:
    """The columns that become an Enum although their categories have no order: pandas keeps any order it is given."""
    if not nw.dependencies.is_pandas_dataframe(native):
        return frozenset()
    types = zip(native.columns, native.dtypes, strict=True)
    return frozenset(str(label) for label, dtype in types if not getattr(dtype, "ordered", True))


def like(native: object, released: pl.DataFrame) -> Any:
    """Released columns as a frame of the same library and data types as the one that was read."""
    if isinstance(native, pl.DataFrame):
        return released
    if isinstance(native, pl.LazyFrame):
        return released.lazy()
    if nw.dependencies.is_pandas_dataframe(native):
        return _like_pandas(native, released)
    if nw.dependencies.is_pyarrow_table(native):
        return _like_arrow(native, released)
    if isinstance(native, Mapping | np.ndarray):
        return released
    frame: Any = nw.from_native(native)
    if isinstance(frame, nw.LazyFrame):
        return nw.from_native(released).lazy(backend=frame.implementation).to_native()
    texts = {name for name, dtype in released.schema.items() if dtype == pl.String}
    wanted = {
        name: _narrowed(dtype, released.schema[name])
        for name, dtype in frame.schema.items()
        if name in released.columns and (name not in texts or dtype == nw.String)
    }
    made = nw.from_dict(released.to_dict(as_series=False), backend=frame.implementation)
    return made.with_columns(nw.col(name).cast(dtype) for name, dtype in wanted.items()).to_native()


def _narrowed(dtype: Any, released: pl.DataType) -> Any:
    """The original data type; an Enum keeps only the categories that the release has."""
    if isinstance(dtype, nw.Enum) and isinstance(released, pl.Enum):
        return nw.Enum(released.categories.to_list())
    return dtype


def _columns_of(array: Any) -> dict[str, Any]:
    """The columns of an array: column_0 and so on, or the fields of a structured one."""
    if array.dtype.names is not None and array.ndim == 1:
        return {name: array[name] for name in array.dtype.names}
    if array.ndim != 2:
        raise InputError(f"A table has two dimensions, rows and columns; the array has {array.ndim}.")
    return {f"column_{place}": column for place, column in enumerate(array.T)}


def _columns_to_polars(columns: Mapping[Any, Any]) -> pl.DataFrame:
    names = [str(name) for name in columns]
    check_unique(names)
    check_writable(names)
    try:
        found = {name: _column(name, column) for name, column in zip(names, columns.values(), strict=True)}
        return pl.DataFrame(found)
    except pl.exceptions.ShapeError:
        raise InputError("The columns have different lengths. Give one value for every row.") from None


def _column(name: str, values: Any) -> pl.Series:
    if isinstance(values, np.ma.MaskedArray):
        values = [None if value is np.ma.masked else value for value in values]
    try:
        if isinstance(values, np.ndarray) and values.dtype.kind == "O":
            values = [None if value != value else value for value in values]  # NaN differs
        return pl.Series(name, values, nan_to_null=True)
    except (TypeError, ValueError, pl.exceptions.PolarsError) as fault:
        raise _mixed(name, fault) from None


def _mixed(name: str, fault: Exception) -> InputError:
    reason = str(fault).splitlines()[0]
    return InputError(
        f"Column {name!r} mixes kinds of values ({reason}). Convert it to one data type, or drop it."
    )


def _pandas_to_polars(native: Any) -> pl.DataFrame:
    """A pandas frame in Polars; column labels that are not texts become texts."""
    names = [str(label) for label in native.columns]
    check_unique(names)
    check_writable(names)
    return pl.DataFrame({name: _to_series(native.iloc[:, place], name) for place, name in enumerate(names)})


def _like_pandas(native: Any, released: pl.DataFrame) -> Any:
    """Released columns with the original labels and data types; never the index, which may name people."""
    import pandas as pd

    labels = {str(label): label for label in native.columns}
    index = pd.RangeIndex(released.height)
    columns = {
        name: _like_pandas_series(native[labels[name]], literal(released[name]), index)
        for name in released.columns
    }
    frame = pd.DataFrame(columns, index=index)
    kept = native.columns[[name in columns for name in labels]]
    frame.columns = kept.set_names([None] * kept.nlevels)
    return frame


def _to_series(column: Any, name: str) -> pl.Series:
    import pandas as pd
    import pyarrow as pa

    if isinstance(column.dtype, pd.CategoricalDtype):
        return _enum(column, name)
    if isinstance(column.dtype, pd.PeriodDtype | pd.IntervalDtype):
        column = column.astype("string")
    try:
        converted: Any = pl.from_pandas(column, nan_to_null=True)
        return _dates_or_moments(pl.Series(converted))
    except (pa.ArrowException, TypeError, pl.exceptions.PolarsError) as fault:
        raise _mixed(name, fault) from None


def _dates_or_moments(column: pl.Series) -> pl.Series:
    """Moments that are all at midnight as dates, which pandas has no type for: they must not get a time of day."""
    if not isinstance(column.dtype, pl.Datetime) or column.dtype.time_zone is not None:
        return column
    dates = column.cast(pl.Date)
    return dates if (dates.cast(column.dtype) == column).all() and dates.count() else column


def _enum(column: Any, name: str) -> pl.Series:
    categories = [str(category) for category in column.cat.categories]
    if len(set(categories)) < len(categories):
        raise InputError(
            f"Column {name!r} has several categories with the same text. Rename all but one of them."
        )
    codes = pl.Series(column.cat.codes.to_numpy().astype(np.int64)).cast(pl.UInt32, strict=False)
    texts = pl.Series(categories, dtype=pl.Enum(categories))
    return texts.gather(codes) if categories else codes.cast(pl.String).cast(pl.Enum([]))


def _like_pandas_series(column: Any, released: pl.Series, index: Any) -> Any:
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return pd.Series(_categorical(column, released), index=index)
    # Numbers or booleans that were released as names of groups.
    if released.dtype == pl.String and dtype.kind != "O":
        return pd.Series(released.to_list(), index=index, dtype="str")
    if dtype.kind == "O" and isinstance(dtype, np.dtype):
        return pd.Series(_objects(column, released), index=index, dtype=object)
    if (
        isinstance(dtype, np.dtype)
        and dtype.kind in "biuf"
        and (dtype.kind == "f" or not released.null_count())
    ):
        return pd.Series(released.to_numpy(), index=index).astype(dtype)
    if isinstance(dtype, pd.PeriodDtype | pd.IntervalDtype):
        raise InputError(f"Column {column.name!r} holds {dtype} values. Convert it to texts or dates first.")
    if released.dtype == pl.Date and dtype.kind == "M":
        released = released.cast(pl.Datetime("us"))
    arrow = released.to_pandas(use_pyarrow_extension_array=True)
    return pd.Series(arrow.array, index=index).astype(dtype)


def _categorical(column: Any, released: pl.Series) -> Any:
    """The categories that the release has, in their order; names of groups follow, and all are texts then.

    An Enum has its own list, any other release the values that occur: the names of absent categories must not leave.
    """
    import pandas as pd

    texts, dtype = released.cast(pl.String), released.dtype
    present = dtype.categories if isinstance(dtype, pl.Enum) else texts.drop_nulls().unique().sort()
    before = [str(category) for category in column.cat.categories]
    kept = pl.Series(before, dtype=pl.String).is_in(present.implode()).to_list()
    groups = present.filter(~present.is_in(before)).to_list()
    names = [name for name, keep in zip(before, kept, strict=True) if keep] + groups
    categories = names if groups else column.cat.categories[np.array(kept, dtype=bool)]
    places = {name: code for code, name in enumerate(names)}
    codes = texts.replace_strict(places, default=None, return_dtype=pl.Int64).fill_null(-1)
    ordered = column.cat.ordered and not groups  # names of groups have no place in the order
    kind = pd.CategoricalDtype(categories, ordered) if groups or not all(kept) else column.dtype
    return pd.Categorical.from_codes(codes.to_numpy(), dtype=kind)


def _objects(column: Any, released: pl.Series) -> Any:
    """Python objects, with the original column's own object for missing."""
    gaps = column.isna().to_numpy()
    missing = column.iloc[int(gaps.argmax())] if gaps.any() else None
    values = np.empty(released.len(), dtype=object)
    values[:] = released.to_list()
    values[released.is_null().to_numpy()] = missing
    return values


def _arrow_to_polars(native: Any) -> pl.DataFrame:
    import pyarrow as pa

    check_unique(native.column_names)
    columns: dict[str, pl.Series] = {}
    for field in native.schema:
        chunks = native[field.name]
        column = pl.Series(chunks)
        if pa.types.is_dictionary(field.type) and field.type.ordered and column.dtype == pl.Categorical:
            column = column.cast(pl.String).cast(pl.Enum(_dictionary(chunks).to_pylist()))
        columns[field.name] = column
    return pl.DataFrame(columns)


def _like_arrow(native: Any, released: pl.DataFrame) -> Any:
    """Released columns as an Arrow table with the original fields but without their metadata."""
    import pyarrow as pa

    fields = [_field(native.schema.field(column.name), column) for column in released]
    columns = [_array(native[field.name], literal(released[field.name]), field.type) for field in fields]
    return pa.table(columns, schema=pa.schema(fields))


def _field(field: Any, released: pl.Series) -> Any:
    """The original field, or one of texts where numbers or booleans were released as names of groups."""
    import pyarrow as pa

    inside = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    texts = pa.types.is_string(inside) or pa.types.is_large_string(inside) or str(inside) == "string_view"
    kept = texts or released.dtype != pl.String
    return (field if kept else field.with_type(pa.string())).remove_metadata()


def _array(original: Any, released: pl.Series, wanted: Any) -> Any:
    """An array of the wanted type; a dictionary lists only an Enum's categories or the values that occur."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(wanted):
        return released.to_arrow().cast(wanted)
    plain = released.cast(pl.String) if released.dtype in (pl.Categorical, pl.Enum) else released
    values = plain.to_arrow().cast(wanted.value_type)
    present = values.drop_null().unique()
    if isinstance(released.dtype, pl.Enum):
        present = released.dtype.categories.to_arrow().cast(wanted.value_type)
    before = _dictionary(original)
    dictionary = pa.concat_arrays([before.filter(pc.is_in(before, value_set=present)), present]).unique()
    places = pc.index_in(values, value_set=dictionary)
    return pa.DictionaryArray.from_arrays(places.cast(wanted.index_type), dictionary, ordered=wanted.ordered)


def _dictionary(chunks: Any) -> Any:
    import pyarrow as pa

    unified = chunks.unify_dictionaries()
    return unified.chunk(0).dictionary if unified.num_chunks else pa.array([], type=chunks.type.value_type)

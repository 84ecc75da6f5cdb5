"""pandas frames into Polars and back: index, labels, categories and the way of writing "missing" are kept.

Other libraries are in `any_frame`. A pandas category becomes an Enum, so its order is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.errors import InputError
from hushwood.tables.column_names import check_writable, literal
from hushwood.tables.schema import names_given_twice

if TYPE_CHECKING:
    import polars as pl


def to_polars(native: Any) -> pl.DataFrame:
    """A pandas frame as a Polars frame; labels that are not texts become texts."""
    import polars as pl

    names = [str(label) for label in native.columns]
    twice = names_given_twice(names)
    if twice:
        raise InputError(f"Column names must be unique; these occur twice: {', '.join(twice)}. Rename them.")
    check_writable(names)
    return pl.DataFrame({name: _to_series(native.iloc[:, place], name) for place, name in enumerate(names)})


def like(native: Any, released: pl.DataFrame) -> Any:
    """Released columns with the labels and data types that came in; never the index, which may name people."""
    import pandas as pd

    labels = {str(label): label for label in native.columns}
    index = pd.RangeIndex(released.height)
    columns = {
        name: _from_series(native[labels[name]], literal(released[name]), index) for name in released.columns
    }
    frame = pd.DataFrame(columns, index=index)
    kept = native.columns[[name in columns for name in labels]]
    frame.columns = kept.set_names([None] * kept.nlevels)
    return frame


def _to_series(column: Any, name: str) -> pl.Series:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    if isinstance(column.dtype, pd.CategoricalDtype):
        return _enum(column, name)
    if isinstance(column.dtype, pd.PeriodDtype | pd.IntervalDtype):
        column = column.astype("string")
    try:
        converted: Any = pl.from_pandas(column, nan_to_null=True)
        return pl.Series(converted)
    except (pa.ArrowException, TypeError, pl.exceptions.PolarsError) as fault:
        reason = str(fault).splitlines()[0]
        raise InputError(
            f"Column {name!r} mixes kinds of values ({reason}); convert it to one data type or drop it."
        ) from None


def _enum(column: Any, name: str) -> pl.Series:
    import polars as pl

    categories = [str(category) for category in column.cat.categories]
    if len(set(categories)) < len(categories):
        raise InputError(f"Column {name!r} has categories that read the same; give each its own text.")
    codes = pl.Series(column.cat.codes.to_numpy().astype(np.int64)).cast(pl.UInt32, strict=False)
    texts = pl.Series(categories, dtype=pl.Enum(categories))
    return texts.gather(codes) if categories else codes.cast(pl.String).cast(pl.Enum([]))


def _from_series(column: Any, released: pl.Series, index: Any) -> Any:
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return pd.Series(_categorical(column, released), index=index)
    if _became_texts(dtype, released):
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
        raise InputError(f"Column {column.name!r} holds {dtype} values; convert it to texts or dates first.")
    arrow = released.to_pandas(use_pyarrow_extension_array=True)
    return pd.Series(arrow.array, index=index).astype(dtype)


def _became_texts(dtype: Any, released: pl.Series) -> bool:
    """Whether numbers or truth values were released as names of groups."""
    import polars as pl

    return released.dtype == pl.String and dtype.kind != "O"


def _categorical(column: Any, released: pl.Series) -> Any:
    """Those of the categories that the release has, in their order; names of groups follow, and all are texts then.

    A release that is an Enum has its categories, any other the values that occur: what it leaves out must not be told.
    """
    import pandas as pd
    import polars as pl

    texts, dtype = released.cast(pl.String), released.dtype
    told = dtype.categories if isinstance(dtype, pl.Enum) else texts.drop_nulls().unique().sort()
    before = [str(category) for category in column.cat.categories]
    kept = pl.Series(before, dtype=pl.String).is_in(told.implode()).to_list()
    groups = told.filter(~told.is_in(before)).to_list()
    names = [name for name, keep in zip(before, kept, strict=True) if keep] + groups
    categories = names if groups else column.cat.categories[np.array(kept, dtype=bool)]
    places = {name: code for code, name in enumerate(names)}
    codes = texts.replace_strict(places, default=None, return_dtype=pl.Int64).fill_null(-1)
    kind = pd.CategoricalDtype(categories, column.cat.ordered) if groups or not all(kept) else column.dtype
    return pd.Categorical.from_codes(codes.to_numpy(), dtype=kind)


def _objects(column: Any, released: pl.Series) -> Any:
    """Python objects, with the same object for missing as in the original column."""
    gaps = column.isna().to_numpy()
    missing = column.iloc[int(gaps.argmax())] if gaps.any() else None
    values = np.empty(released.len(), dtype=object)
    values[:] = released.to_list()
    values[released.is_null().to_numpy()] = missing
    return values

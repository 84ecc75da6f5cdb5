"""Frames of any library that Narwhals knows: into Polars, and released data back out as the same kind.

What pandas needs beyond that (index, categories, missing values in objects) is in `pandas_frames`; Arrow
tables are in `arrow_tables`. What the columns mean is no matter here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError
from hushwood.tables import arrow_tables, pandas_frames

if TYPE_CHECKING:
    import polars as pl


def to_polars(native: object) -> pl.DataFrame:
    """The frame's columns in Polars; lazy frames are collected, and what is no frame is refused."""
    import narwhals as nw
    import polars as pl

    if isinstance(native, pl.DataFrame):
        return native
    if isinstance(native, pl.LazyFrame):
        return native.collect()
    if nw.dependencies.is_pandas_dataframe(native):
        return pandas_frames.to_polars(native)
    if nw.dependencies.is_pyarrow_table(native):
        return arrow_tables.to_polars(native)
    try:
        frame: Any = nw.from_native(native)
    except TypeError:
        raise InputError(
            f"A {type(native).__name__} is not a table; give a file, or a pandas, Polars or Arrow frame."
        ) from None
    collected: pl.DataFrame = (frame.collect() if isinstance(frame, nw.LazyFrame) else frame).to_polars()
    return collected


def like(native: object, released: pl.DataFrame) -> Any:
    """Released columns as a frame of the same library and data types as the one that came in."""
    import narwhals as nw
    import polars as pl

    if isinstance(native, pl.DataFrame):
        return released
    if isinstance(native, pl.LazyFrame):
        return released.lazy()
    if nw.dependencies.is_pandas_dataframe(native):
        return pandas_frames.like(native, released)
    if nw.dependencies.is_pyarrow_table(native):
        return arrow_tables.like(native, released)
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
    """The data type that came in; of a fixed list of categories only those that the release has."""
    import narwhals as nw
    import polars as pl

    if isinstance(dtype, nw.Enum) and isinstance(released, pl.Enum):
        return nw.Enum(released.categories.to_list())
    return dtype

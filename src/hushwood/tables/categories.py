"""Which categories a column has, in the order that decides ties, and the codes of its values.

Order: a given Enum's own; else numeric if all categories are numbers; else by code points. `frames` encodes
whole tables with it, `inference` puts the categories into the schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.tables.column_names import literal
from hushwood.tables.storage import texts_of

if TYPE_CHECKING:
    import polars as pl

BOOLEANS = ("false", "true")


def categories_of(series: pl.Series) -> tuple[str, ...]:
    """All categories of a column; those of an Enum and of booleans even if no record has them."""
    import polars as pl

    if isinstance(series.dtype, pl.Enum):
        return tuple(series.dtype.categories.to_list())
    if isinstance(series.dtype, pl.Boolean):
        return BOOLEANS
    return ordered(texts_of(distinct(series)))


def present_categories(series: pl.Series) -> tuple[str, ...]:
    """The categories that some record has."""
    return ordered(texts_of(distinct(series)))


def distinct(series: pl.Series) -> pl.Series:
    """The different known values, in any order."""
    series = literal(series)
    lazy = series.to_frame().lazy().select(_known(series))
    return lazy.unique().collect(engine="streaming").to_series()


def ordered(texts: pl.Series) -> tuple[str, ...]:
    """Texts in numeric order if all are numbers, else by code points.

    >>> import polars as pl
    >>> ordered(pl.Series(["10", "9", "1.5"])), ordered(pl.Series(["b", "B", "10"]))
    (('1.5', '9', '10'), ('10', 'B', 'b'))
    """
    values = as_numbers(texts)
    if values.null_count():
        return tuple(texts.sort().to_list())
    return tuple(
        texts.to_frame("text").with_columns(values.alias("value")).sort("value", "text")["text"].to_list()
    )


def as_numbers(texts: pl.Series) -> pl.Series:
    """The finite numbers that texts stand for, null for other texts."""
    import polars as pl

    value = pl.col("value")
    numbers = texts.cast(pl.Float64, strict=False).to_frame("value")
    return numbers.select(pl.when(value.is_finite()).then(value)).to_series()


def codes_of(series: pl.Series, categories: Sequence[str]) -> NDArray[np.int32]:
    """Position of every value among the categories, -1 for missing; other values are refused."""
    import polars as pl

    texts = texts_of(series)
    codes = texts.cast(pl.Enum(categories), strict=False).to_physical().cast(pl.Int32)
    if codes.null_count() != texts.null_count():
        strange = texts.filter(codes.is_null() & texts.is_not_null()).unique().sort().head(3).to_list()
        raise InputError(
            f"Column {series.name!r} has values that are not among its categories: "
            f"{', '.join(map(repr, strange))}; add them to the schema or correct the data."
        )
    return np.asarray(codes.fill_null(-1).to_numpy(), dtype=np.int32)


def _known(series: pl.Series) -> pl.Expr:
    import polars as pl

    value = pl.col(series.name)
    return (value.fill_nan(None) if series.dtype.is_float() else value).drop_nulls()

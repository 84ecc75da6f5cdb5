"""Categories of a column in the order that decides ties, and values coded as 0, 1, 2, ...

Order: an Enum's own; else numeric if all categories are numbers; else by code points.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from hushwood.arrays import Codes, Integers
from hushwood.errors import InputError
from hushwood.tables.columns.names import literal
from hushwood.tables.frames.storage import texts_of

BOOLEANS = ("false", "true")

# Sorting is cheaper than a counting table that is more than this many times as long as the column.
_SPARSEST = 4


def categories_of(series: pl.Series) -> tuple[str, ...]:
    """All categories of a column; an Enum and booleans have theirs even where no record does."""
    if isinstance(series.dtype, pl.Enum):
        return tuple(series.dtype.categories.to_list())
    if isinstance(series.dtype, pl.Boolean):
        return BOOLEANS
    return present_categories(series)


def present_categories(series: pl.Series) -> tuple[str, ...]:
    """The categories that occur in the column."""
    return ordered(texts_of(distinct(series)))


def distinct(series: pl.Series) -> pl.Series:
    """The different known values, in any order."""
    series = literal(series)
    value = pl.col(series.name)
    known = (value.fill_nan(None) if series.dtype.is_float() else value).drop_nulls()
    return series.to_frame().lazy().select(known).unique().collect(engine="streaming").to_series()


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
    """Texts as numbers; null where a text is not a finite number."""
    value = pl.col("value")
    numbers = texts.cast(pl.Float64, strict=False).to_frame("value")
    return numbers.select(pl.when(value.is_finite()).then(value)).to_series()


def codes_of(series: pl.Series, categories: Sequence[str]) -> Codes:
    """Position of every value among the categories, -1 for missing; an unknown value is an error."""
    texts = texts_of(series)
    codes = texts.cast(pl.Enum(categories), strict=False).to_physical().cast(pl.Int32)
    if codes.null_count() != texts.null_count():
        strange = texts.filter(codes.is_null() & texts.is_not_null()).unique().sort().head(3).to_list()
        raise InputError(
            f"Column {series.name!r} has values that are not among its categories: "
            f"{', '.join(map(repr, strange))}. Add them to the schema or correct the data."
        )
    return np.asarray(codes.fill_null(-1).to_numpy(), dtype=np.int32)


def dense_codes(numbers: Integers) -> tuple[Integers, Integers]:
    """The distinct numbers, ascending, and the position of every number among them; numbers must be 0 or more.

    The same as numpy's `unique`, but without sorting where that can be avoided.

    >>> [part.tolist() for part in dense_codes(np.array([7, 3, 7]))]
    [[3, 7], [1, 0, 1]]
    """
    largest = int(numbers.max(initial=0))
    if largest > _SPARSEST * len(numbers) + 1000:
        values, positions = np.unique(numbers, return_inverse=True)
        return values, positions
    seen = np.zeros(largest + 1, bool)
    seen[numbers] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[numbers]

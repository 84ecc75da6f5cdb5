"""A column of survey weights: how many people of the population each record stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def weight_numbers(column: pl.Series) -> Floats:
    """The weights of a column as numbers, NaN where missing; a column that is dropped may have been read as texts."""
    import polars as pl

    if not (column.dtype.is_numeric() or isinstance(column.dtype, pl.String | pl.Null)):
        raise _no_numbers(column.name, f"{column.dtype} values")
    numbers = column.cast(pl.Float64, strict=False)
    odd = column.filter(numbers.is_null() & column.is_not_null())
    if len(odd):
        raise _no_numbers(column.name, repr(odd[0]))
    return np.array(numbers.fill_null(np.nan), np.float64)


def check_weights(column: pl.Series) -> None:
    """Refuse weights that are no numbers, below 0, or all 0; missing ones count as 0."""
    numbers = weight_numbers(column)
    known = numbers[~np.isnan(numbers)]
    if not np.isfinite(known).all():
        raise InputError(f"Column {column.name!r} contains infinite weights. Correct them.")
    if (known < 0).any():
        raise InputError(
            f"Column {column.name!r} contains the weight {known.min():g}, and no record can stand for fewer than 0 "
            "people. Correct it, or name another column with --weight."
        )
    if not (known > 0).any():
        raise InputError(
            f"Column {column.name!r} has no weight above 0, so no record counts. Name another column with --weight."
        )


def _no_numbers(name: str, found: str) -> InputError:
    return InputError(
        f"Column {name!r} is declared as the weight, but contains {found}. Weights are numbers; name another column "
        "with --weight."
    )

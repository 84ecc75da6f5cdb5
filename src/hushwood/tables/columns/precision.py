"""How many decimals a column needs: the grid its values lie on, or None if they are continuous."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.tables.frames.storage import EXACT_LIMIT, literal, numbers_of, on_grid, tick_decimals

# Floating-point numbers are tried with up to this many decimals; more are hardly ever intended.
MAX_DECIMALS = 12
# Most decimals of a Decimal column or a schema: higher powers of ten are not exact floating-point numbers.
MOST_DECIMALS = 22
_SINGLE_LIMIT = 2.0**24
_SAMPLE = 1000
_LONG = 100_000  # values for which a compiled loop pays


def precision_of(series: pl.Series) -> int | None:
    """Decimals of a numeric column; refuses values that float64 cannot distinguish."""
    series, dtype = literal(series), series.dtype
    if tick_decimals(dtype) is not None:
        return _time_decimals(series)
    if isinstance(dtype, pl.Date):
        return 0
    if dtype.is_integer():
        _check_whole(series)
        return 0
    if isinstance(dtype, pl.Decimal):
        return _decimal_places(series, dtype.scale)
    values = numbers_of(series, None)
    return decimals(values, single=isinstance(dtype, pl.Float32))


def decimals(values: Floats, *, most: int = MAX_DECIMALS, single: bool = False) -> int | None:
    """The smallest p for which all finite values are multiples of 10⁻ᵖ.

    >>> decimals(np.array([1.5, 2.25, np.nan])), decimals(np.array([3.0, 4.0])), decimals(np.array([1 / 3]))
    (2, 0, None)
    """
    sample = values[:_SAMPLE]
    for precision in range(most + 1):
        if fits(sample, precision, single=single) and fits(values, precision, single=single):
            return precision
    return None


def fits(values: Floats, precision: int, *, single: bool = False) -> bool:
    """Whether all finite values are the doubles (or singles) nearest to multiples of 10⁻ᵖ."""
    if len(values) >= _LONG and not single:
        from hushwood.tables.kernels.decimal_grid import all_on_grid

        step = 10.0**precision
        return bool(all_on_grid(np.ascontiguousarray(values), step, grid_limit(precision) / step))
    finite = values[np.isfinite(values)]
    limit = _SINGLE_LIMIT if single else grid_limit(precision)
    if len(finite) and np.abs(finite).max() >= limit / 10.0**precision:
        return False
    rounded = on_grid(finite, precision)
    if single:
        return bool(np.array_equal(rounded.astype(np.float32), finite.astype(np.float32)))
    return bool(np.array_equal(rounded, finite))


def grid_limit(precision: int) -> float:
    """The number of steps of 10⁻ᵖ below which rint(x · 10ᵖ) is exact for every x; scaling costs two bits."""
    return EXACT_LIMIT if precision == 0 else EXACT_LIMIT / 4


def _decimal_places(series: pl.Series, scale: int) -> int:
    """Decimals of a Decimal column, found without floating-point numbers."""
    known = series.drop_nulls()
    sample = known.head(_SAMPLE)
    for places in range(min(scale, MOST_DECIMALS) + 1):
        if bool((sample.round(places) == sample).all()) and bool((known.round(places) == known).all()):
            largest = np.abs(numbers_of(known, places)).max(initial=0.0)
            if largest < grid_limit(places) / 10.0**places:
                return places
            break
    raise _too_long(series.name)


def _check_whole(series: pl.Series) -> None:
    known = series.drop_nulls()
    # Compared as whole numbers: 2^53 + 1 as a float would be 2^53.
    ends = [int(end) for end in (known.min(), known.max()) if isinstance(end, int)]
    if any(abs(end) > int(EXACT_LIMIT) for end in ends):
        raise _too_long(series.name)


def _too_long(name: str) -> InputError:
    return InputError(
        f"Column {name!r} holds numbers with too many digits for exact calculation (beyond 2^53). "
        "If it only names records, declare it with --identifier, otherwise with --ignore."
    )


def _time_decimals(series: pl.Series) -> int:
    ticks = series.to_physical().drop_nulls()
    total = tick_decimals(series.dtype) or 0
    needed = next(p for p in range(total + 1) if p == total or not (ticks % 10 ** (total - p) != 0).any())
    whole = ticks // 10 ** (total - needed)
    if len(whole) and max(abs(int(whole.max())), abs(int(whole.min()))) >= grid_limit(needed):
        raise InputError(
            f"Column {series.name!r} holds times too fine for exact calculation. Round them to milliseconds."
        )
    return needed

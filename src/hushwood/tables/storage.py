"""How a column's values become numbers or texts, and the same values of the same data type again.

`schema` names the data type a column came in (its storage); `frames` applies these functions to whole tables,
and `inference` uses them to look at the values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.tables.column_names import literal
from hushwood.tables.schema import Attribute, Kind, Schema

if TYPE_CHECKING:
    import polars as pl

# Decimals of a second that one tick of the storage stands for.
TICK_DECIMALS = {"ms": 3, "us": 6, "ns": 9}
# Whole numbers up to here are told apart by float64.
EXACT_LIMIT = 2.0**53
_LONGEST_DECIMAL = 38  # digits
TEXT_STORAGES = frozenset({"String", "Categorical", "Enum"})
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896  # of the years 1 to 9999, counted from 1970-01-01
_LONGEST_DAYS = 100_000_000  # of a duration; one of nanoseconds cannot be as long
_SECONDS = "%Y-%m-%dT%H:%M:%S%.f"
_CLOCK = "%H:%M:%S%.f"


def storage_name(dtype: pl.DataType) -> str:
    """Short name of a Polars data type, as a schema file shows it.

    >>> import polars as pl
    >>> storage_name(pl.Datetime("us", "UTC")), storage_name(pl.Enum(["b", "a"]))
    ('Datetime[us, UTC]', 'Enum')
    """
    import polars as pl

    if isinstance(dtype, pl.Datetime):
        return f"Datetime[{dtype.time_unit}" + (f", {dtype.time_zone}]" if dtype.time_zone else "]")
    if isinstance(dtype, pl.Duration):
        return f"Duration[{dtype.time_unit}]"
    if isinstance(dtype, pl.Decimal):
        return f"Decimal[{dtype.precision}, {dtype.scale}]"
    return str(dtype.base_type()) if isinstance(dtype, pl.Enum | pl.Categorical) else str(dtype)


def storage_type(attribute: Attribute) -> pl.DataType:
    """The Polars data type that an attribute's storage names."""
    import polars as pl

    name, _, inside = attribute.storage.rstrip("]").partition("[")
    parts = [part.strip() for part in inside.split(",")] if inside else []
    if name == "Enum":
        return pl.Enum(attribute.categories)
    if name == "Datetime" and len(parts) in (1, 2) and parts[0] in TICK_DECIMALS:
        return pl.Datetime(parts[0], parts[1] if len(parts) == 2 else None)  # type: ignore[arg-type]
    if name == "Duration" and len(parts) == 1 and parts[0] in TICK_DECIMALS:
        return pl.Duration(parts[0])  # type: ignore[arg-type]
    if name == "Decimal" and len(parts) == 2 and all(part.isdigit() for part in parts):
        return pl.Decimal(int(parts[0]), int(parts[1]))
    plain = _plain_types()
    if parts or name not in plain:
        raise InputError(
            f"Column {attribute.name!r} has the unknown storage {attribute.storage!r}; known: "
            f"{', '.join(plain)}, Enum, Datetime[us], Duration[us], Decimal[10, 2]."
        )
    return plain[name]


def text_columns(schema: Schema) -> list[str]:
    """Columns that came as texts: a CSV file must not be taken to hold numbers there."""
    return [a.name for a in schema.attributes if a.storage in TEXT_STORAGES]


def default_kind(dtype: pl.DataType) -> Kind | None:
    """What a data type is taken for unless somebody says otherwise; None for types that cannot be used."""
    import polars as pl

    if dtype.is_numeric() or dtype.is_temporal():
        return "numeric"
    if isinstance(dtype, pl.String | pl.Categorical | pl.Enum | pl.Boolean | pl.Null):
        return "categorical"
    return None


def numbers_of(series: pl.Series, precision: int | None) -> NDArray[np.float64]:
    """Values as float64: days of dates, seconds of times, NaN for missing; without a copy where possible."""
    import polars as pl

    series, dtype = literal(series), series.dtype
    ticks = tick_decimals(dtype)
    if ticks is not None:
        kept = min(precision or 0, ticks)
        whole = series.to_physical() // 10 ** (ticks - kept)
        return _floats(whole.cast(pl.Float64)) / 10.0**kept
    if isinstance(dtype, pl.Date):
        return _floats(series.to_physical().cast(pl.Float64))
    values = _floats(series.cast(pl.Float64, strict=not isinstance(dtype, pl.String)))
    if precision is not None and isinstance(dtype, pl.Float32 | pl.Decimal):
        return on_grid(values, precision)
    return values


def on_grid(values: NDArray[np.float64], precision: int) -> NDArray[np.float64]:
    """The nearest multiples of 10⁻ᵖ, as the doubles that their decimal texts stand for."""
    step = 10.0**precision
    return np.asarray(np.rint(values * step) / step)


def column_of_numbers(values: NDArray[np.float64], attribute: Attribute) -> pl.Series:
    """Float64 values as a column of the attribute's storage, without a name; NaN becomes null."""
    import polars as pl

    dtype, precision = storage_type(attribute), attribute.precision
    ticks = tick_decimals(dtype)
    if ticks is not None:
        kept = min(precision or 0, ticks)
        whole = pl.Series(np.rint(values * 10.0**kept), nan_to_null=True).cast(pl.Int64)
        scaled: pl.Series = whole * 10 ** (ticks - kept)
        return scaled.cast(dtype)
    if dtype.is_integer() or isinstance(dtype, pl.Date):
        whole = pl.Series(np.rint(values), nan_to_null=True).cast(pl.Int64)
        return _stored(whole, [pl.Int32(), dtype] if isinstance(dtype, pl.Date) else [dtype], attribute)
    column = pl.Series(values if precision is None else on_grid(values, precision), nan_to_null=True)
    if isinstance(dtype, pl.Decimal):
        # With more decimals than the numbers have, the cast would be off in the last digits.
        return _stored(column, [pl.Decimal(_LONGEST_DECIMAL, precision or 0), dtype], attribute)
    return texts_of(column) if isinstance(dtype, pl.String) else column.cast(dtype)


def _stored(column: pl.Series, steps: list[pl.DataType], attribute: Attribute) -> pl.Series:
    """The column cast to one type after another; numbers that do not fit are refused."""
    import polars as pl

    try:
        for dtype in steps:
            column = column.cast(dtype)
    except (pl.exceptions.InvalidOperationError, pl.exceptions.ComputeError) as fault:
        raise InputError(
            f"Released numbers of column {attribute.name!r} do not fit its type {attribute.storage}; keep the "
            "noise bounded, or store the column with a wider type."
        ) from fault
    return column


def texts_of(series: pl.Series) -> pl.Series:
    """Values as the texts that name categories; whole numbers without a point, NaN as null."""
    import polars as pl

    series, dtype = literal(series), series.dtype
    if isinstance(dtype, pl.Float32 | pl.Float64):
        value = pl.col(series.name)
        whole = (value == value.floor()) & (value.abs() < 1e15)
        text = pl.when(whole).then(value.cast(pl.Int64, strict=False).cast(pl.String))
        return series.fill_nan(None).to_frame().select(text.otherwise(value.cast(pl.String))).to_series()
    if isinstance(dtype, pl.Datetime):
        local = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None) if dtype.time_zone else series
        return local.dt.to_string(_SECONDS)
    if isinstance(dtype, pl.Time):
        return series.dt.to_string(_CLOCK)
    if isinstance(dtype, pl.Duration) or default_kind(dtype) is None:
        raise unusable(series.name, dtype)
    return series.cast(pl.String)


def category_values(attribute: Attribute) -> pl.Series:
    """The attribute's categories, in order, as values of its storage, without a name."""
    import polars as pl

    texts = pl.Series(attribute.categories, dtype=pl.String)
    dtype = storage_type(attribute)
    if isinstance(dtype, pl.Boolean):
        return texts == "true"
    if isinstance(dtype, pl.Date):
        return texts.str.to_date("%Y-%m-%d")
    if isinstance(dtype, pl.Time):
        return texts.str.to_time(_CLOCK)
    if isinstance(dtype, pl.Datetime):
        moments = texts.str.to_datetime(_SECONDS, time_unit=dtype.time_unit)
        zone = dtype.time_zone
        return moments.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) if zone else moments
    return texts.cast(dtype)


def tick_decimals(dtype: pl.DataType) -> int | None:
    """Decimals of a second in the storage of times and durations; None for other types."""
    import polars as pl

    if isinstance(dtype, pl.Datetime | pl.Duration):
        return TICK_DECIMALS[dtype.time_unit]
    return TICK_DECIMALS["ns"] if isinstance(dtype, pl.Time) else None


def check_calendar(series: pl.Series) -> None:
    """Refuse dates, times and durations that no calendar or clock has: Polars panics on them, and Python overflows."""
    import polars as pl

    limits = _days_allowed(series.dtype)
    if limits is None:
        return
    ticks = tick_decimals(series.dtype)
    day = 1 if ticks is None else 86_400 * 10**ticks
    # Under a name that Polars takes for no pattern, and in numbers in which every limit fits.
    numbers = series.alias("").to_physical().cast(pl.Int128)
    if not numbers.is_between(limits[0] * day, limits[1] * day, closed="left").all():
        raise InputError(
            f"Column {series.name!r} holds {storage_name(series.dtype)} values that no calendar or clock shows, such "
            "as dates after the year 9999; correct them, or drop the column from the table."
        )


def _days_allowed(dtype: pl.DataType) -> tuple[int, int] | None:
    """The first day, and the day after the last, that values of the type may have; None for other types."""
    import polars as pl

    if isinstance(dtype, pl.Datetime) and dtype.time_zone:
        return _FIRST_DAY + 1, _LAST_DAY  # a day less at each end: clocks elsewhere are ahead or behind
    if isinstance(dtype, pl.Date | pl.Datetime):
        return _FIRST_DAY, _LAST_DAY + 1
    if isinstance(dtype, pl.Time):
        return 0, 1
    return (-_LONGEST_DAYS, _LONGEST_DAYS) if isinstance(dtype, pl.Duration) else None


def unusable(name: str, dtype: pl.DataType) -> InputError:
    """Build the error for a column whose values are neither numbers nor categories."""
    return InputError(
        f"Column {name!r} holds {storage_name(dtype)} values, which are neither numbers nor categories; "
        "drop it, or declare it with --identifier or --ignore."
    )


def _floats(series: pl.Series) -> NDArray[np.float64]:
    filled = series.fill_null(float("nan")) if series.null_count() else series
    return np.asarray(filled.to_numpy(), dtype=np.float64)


def _plain_types() -> dict[str, pl.DataType]:
    import polars as pl

    names = [
        *(
            "Int8",
            "Int16",
            "Int32",
            "Int64",
            "Int128",
            "UInt8",
            "UInt16",
            "UInt32",
            "UInt64",
            "Float32",
            "Float64",
        ),
        *("Boolean", "String", "Categorical", "Date", "Time", "Null"),
    ]
    return {name: getattr(pl, name)() for name in names}

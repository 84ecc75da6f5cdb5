"""Values of Polars columns as numbers, texts or codes, and back in their data type (the attribute's storage).

Categories have an order, which decides ties: an Enum's own; else numeric if all are numbers; else by code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hushwood.arrays import Codes, Floats, Integers
from hushwood.errors import InputError
from hushwood.tables.schema import Attribute, Kind, Schema

if TYPE_CHECKING:
    from hushwood.tables.table import Table

# Decimals of a second that one tick of the storage stands for.
TICK_DECIMALS = {"ms": 3, "us": 6, "ns": 9}
# float64 represents all whole numbers up to here.
EXACT_LIMIT = 2.0**53
_LONGEST_DECIMAL = 38  # digits
TEXT_STORAGES = frozenset({"String", "Categorical", "Enum"})
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896  # of the years 1 to 9999, counted from 1970-01-01
_LONGEST_DAYS = 100_000_000  # of a duration; in nanoseconds none is as long
_PLAIN_TYPES: dict[str, pl.DataType] = {
    name: getattr(pl, name)()
    for name in (
        *("Int8", "Int16", "Int32", "Int64", "Int128", "UInt8", "UInt16", "UInt32", "UInt64"),
        *("Float32", "Float64", "Boolean", "String", "Categorical", "Date", "Time", "Null"),
    )
}
_SECONDS = "%Y-%m-%dT%H:%M:%S%.f"
_CLOCK = "%H:%M:%S%.f"
BOOLEANS = ("false", "true")
# Sorting is cheaper than a counting table that is more than this many times as long as the column.
_SPARSEST = 4


def storage_name(dtype: pl.DataType) -> str:
    """Short name of a Polars data type, as a schema file shows it.

    >>> import polars as pl
    >>> storage_name(pl.Datetime("us", "UTC")), storage_name(pl.Enum(["b", "a"]))
    ('Datetime[us, UTC]', 'Enum')
    """
    if isinstance(dtype, pl.Datetime):
        return f"Datetime[{dtype.time_unit}" + (f", {dtype.time_zone}]" if dtype.time_zone else "]")
    if isinstance(dtype, pl.Duration):
        return f"Duration[{dtype.time_unit}]"
    if isinstance(dtype, pl.Decimal):
        return f"Decimal[{dtype.precision}, {dtype.scale}]"
    return str(dtype.base_type()) if isinstance(dtype, pl.Enum | pl.Categorical) else str(dtype)


def storage_type(attribute: Attribute) -> pl.DataType:
    """The Polars data type that an attribute's storage names."""
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
    if parts or name not in _PLAIN_TYPES:
        raise InputError(
            f"Column {attribute.name!r} has the unknown storage {attribute.storage!r}; known: "
            f"{', '.join(_PLAIN_TYPES)}, Enum, Datetime[us], Duration[us], Decimal[10, 2]."
        )
    return _PLAIN_TYPES[name]


def text_columns(schema: Schema) -> list[str]:
    """Columns that hold texts, so that a CSV file is not read as numbers there."""
    return [a.name for a in schema.attributes if a.storage in TEXT_STORAGES]


def default_kind(dtype: pl.DataType) -> Kind | None:
    """What a data type is taken for unless declared otherwise; None for types that cannot be used."""
    if dtype.is_numeric() or dtype.is_temporal():
        return "numeric"
    if isinstance(dtype, pl.String | pl.Categorical | pl.Enum | pl.Boolean | pl.Null):
        return "categorical"
    return None


def numbers_of(series: pl.Series, precision: int | None) -> Floats:
    """Values as float64: days of dates, seconds of times, NaN for missing; not copied where possible."""
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


def on_grid(values: Floats, precision: int) -> Floats:
    """The nearest multiples of 10⁻ᵖ, as the doubles that their decimal texts are read as."""
    step = 10.0**precision
    return np.asarray(np.rint(values * step) / step)


def storable(values: Floats, attribute: Attribute) -> Floats:
    """The values as a file keeps them: on the column's grid, or in single precision."""
    if attribute.precision is not None:
        return on_grid(values, attribute.precision)
    return values.astype(np.float32).astype(np.float64) if attribute.storage == "Float32" else values


def column_of_numbers(values: Floats, attribute: Attribute) -> pl.Series:
    """Float64 values as a column of the attribute's storage, without a name; NaN becomes null."""
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
    """The column cast through these types in turn; numbers that do not fit are refused."""
    try:
        for dtype in steps:
            column = column.cast(dtype)
    except (pl.exceptions.InvalidOperationError, pl.exceptions.ComputeError) as fault:
        raise InputError(
            f"Released numbers of column {attribute.name!r} do not fit its type {attribute.storage}. Keep the noise "
            "bounded, or store the column with a wider type."
        ) from fault
    return column


def texts_of(series: pl.Series) -> pl.Series:
    """Values as the texts that name categories; whole numbers without a decimal point, NaN as null."""
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
    if isinstance(dtype, pl.Datetime | pl.Duration):
        return TICK_DECIMALS[dtype.time_unit]
    return TICK_DECIMALS["ns"] if isinstance(dtype, pl.Time) else None


def check_calendar(series: pl.Series) -> None:
    """Refuse impossible dates, times and durations: Polars panics on them, and Python overflows."""
    limits = _days_allowed(series.dtype)
    if limits is None:
        return
    ticks = tick_decimals(series.dtype)
    day = 1 if ticks is None else 86_400 * 10**ticks
    # Under a name that is not a pattern, and in a type that every limit fits.
    numbers = series.alias("").to_physical().cast(pl.Int128)
    if not numbers.is_between(limits[0] * day, limits[1] * day, closed="left").all():
        raise InputError(
            f"Column {series.name!r} holds impossible {storage_name(series.dtype)} values, such as dates after the "
            "year 9999. Correct them, or drop the column from the table."
        )


def _days_allowed(dtype: pl.DataType) -> tuple[int, int] | None:
    """The first day and the day after the last that the type may hold; None for types without a calendar."""
    if isinstance(dtype, pl.Datetime) and dtype.time_zone:
        return _FIRST_DAY + 1, _LAST_DAY  # a day less at each end, for clocks in other zones
    if isinstance(dtype, pl.Date | pl.Datetime):
        return _FIRST_DAY, _LAST_DAY + 1
    if isinstance(dtype, pl.Time):
        return 0, 1
    return (-_LONGEST_DAYS, _LONGEST_DAYS) if isinstance(dtype, pl.Duration) else None


def unusable(name: str, dtype: pl.DataType) -> InputError:
    """Build the error for a column that holds neither numbers nor categories."""
    return InputError(
        f"Column {name!r} holds {storage_name(dtype)} values, which are neither numbers nor categories. "
        "Drop the column, or declare it with --identifier or --ignore."
    )


def _floats(series: pl.Series) -> Floats:
    filled = series.fill_null(float("nan")) if series.null_count() else series
    return np.asarray(filled.to_numpy(), dtype=np.float64)


def literal(column: pl.Series) -> pl.Series:
    """The column, its name quoted if Polars would take it for a pattern.

    >>> import polars as pl
    >>> literal(pl.Series("^a.*$", [1])).name, literal(pl.Series("a*", [1])).name
    ('"^a.*$"', 'a*')
    """
    name = column.name
    pattern = name == "*" or (name.startswith("^") and name.endswith("$"))
    return column.alias(f'"{name}"') if pattern else column


def check_writable(names: Iterable[str]) -> None:
    """Refuse names that files and other libraries cannot hold: with a NUL or half a surrogate pair."""
    for name in names:
        if "\0" in name or any("\ud800" <= sign <= "\udfff" for sign in name):
            raise InputError(
                f"The column name {name!r} contains a character that files cannot hold. Rename the column."
            )


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


def frame_from_table(table: Table, *, identifiers: bool = False) -> pl.DataFrame:
    """The table's columns in their original data types and order; without identifiers unless asked for."""
    kept = [a for a in table.schema.attributes if identifiers or a.role != "identifier"]
    # By name, because a list of columns would rename one without a name.
    return pl.DataFrame({attribute.name: column_of(table, attribute) for attribute in kept})


def column_of(table: Table, attribute: Attribute) -> pl.Series:
    """One column in its original data type, without a name unless it was carried."""
    if attribute.carried:
        return table.carried[attribute.name]
    values = table.columns[attribute.name]
    if attribute.kind == "numeric":
        return column_of_numbers(np.asarray(values, dtype=np.float64), attribute)
    return _column_of_codes(np.asarray(values, dtype=np.int64), attribute)


def _column_of_codes(codes: Integers, attribute: Attribute) -> pl.Series:
    values = category_values(attribute)
    if values.is_empty():
        return pl.Series([None], dtype=values.dtype).new_from_index(0, len(codes))
    places = pl.Series(codes).cast(pl.UInt32, strict=False)
    return values.gather(places)

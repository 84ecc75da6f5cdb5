"""Columns as a file of a dialect holds them: numbers and dates in the ways that they were read in."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hushwood.tables.columns.names import literal
from hushwood.tables.csv.dates import ANY_ZONE, offset_of
from hushwood.tables.csv.ways import NUMBERS, Way
from hushwood.tables.frames.storage import EXACT_LIMIT

_ISO, _ISO_ZONED = "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f%:z"
_MOST_DIGITS = 38  # of a decimal number of the library
_WORDS = {"True": "False", "TRUE": "FALSE"}


def styled(frame: pl.DataFrame, ways: Mapping[str, Way]) -> pl.DataFrame:
    """The frame with texts where values are not written as the library writes them."""
    columns = {column.name: _styled(literal(column), ways.get(column.name)) for column in frame}
    return pl.DataFrame(columns)


def _styled(column: pl.Series, way: Way | None) -> pl.Series:
    dtype = column.dtype
    if isinstance(dtype, pl.Datetime):
        return _moments(column, way)
    if way is None:
        return column
    if isinstance(dtype, pl.Date) and way.kind == "date" and way.pattern:
        return column.dt.to_string(way.pattern)
    if isinstance(dtype, pl.Boolean) and way.pattern in _WORDS:
        return column.replace_strict({True: way.pattern, False: _WORDS[way.pattern]}, return_dtype=pl.String)
    if dtype.is_numeric() and way.kind in NUMBERS:
        return _numbers(column, way)
    return column


def _moments(column: pl.Series, way: Way | None) -> pl.Series:
    zone = getattr(column.dtype, "time_zone", None)
    if way is None or way.kind != "moment" or not way.pattern:
        return column.dt.to_string(_ISO if zone is None else _ISO_ZONED)
    if not way.zone or way.zone == ANY_ZONE:
        return column.dt.to_string(way.pattern)
    local = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None) + offset_of(way.zone)
    return local.dt.to_string(way.pattern) + way.zone


def _numbers(column: pl.Series, way: Way) -> pl.Series:
    numbers = column
    if numbers.dtype.is_float():
        numbers = _decimals(numbers, way)
    if way.thousands:
        return _grouped(numbers, way)
    if way.decimal == "," and not numbers.dtype.is_integer():
        texts = numbers if numbers.dtype == pl.String else numbers.cast(pl.String)
        return texts.str.replace(".", ",", literal=True)
    return numbers


def _decimals(column: pl.Series, way: Way) -> pl.Series:
    """Numbers with their fixed decimals, or else with those that they need."""
    if way.places is None:
        return column if way.pointed else column.cast(pl.String).str.strip_suffix(".0")
    largest = float(str(column.abs().max() or 0.0))
    if largest * 10.0**way.places < EXACT_LIMIT:
        fixed = column.cast(pl.Decimal(_MOST_DIGITS, way.places))
        if (fixed.cast(pl.Float64) == column).all():
            return fixed
    # Numbers that need more decimals, or are long, show what they need, and zeros up to the number of decimals.
    texts = column.cast(pl.String)
    parts = texts.str.extract_groups(r"^(-?\d+)\.(\d+)$").struct.unnest()
    whole, decimals = parts.to_series(0), parts.to_series(1)
    padded = whole + "." + decimals.str.pad_end(way.places, "0")
    return padded.zip_with(whole.is_not_null(), texts).alias(column.name)


def _grouped(numbers: pl.Series, way: Way) -> pl.Series:
    """Texts with a sign between thousands: the digits before the decimals are cut into threes from the right."""
    texts = numbers if numbers.dtype == pl.String else numbers.cast(pl.String)
    parts = texts.str.extract_groups(r"^(-?)(\d+)(?:\.(\d+))?$").struct.unnest()
    sign, whole, decimals = parts.to_series(0), parts.to_series(1), parts.to_series(2)
    longest = whole.str.len_bytes().max()
    padded = whole.str.zfill(-(-int(str(longest or 3)) // 3) * 3)
    groups = padded.str.extract_all(r"\d{3}").list.join(way.thousands)
    bare = groups.str.strip_chars_start(f"0{way.thousands}")
    shown = sign + bare.set(bare == "", "0")
    marked = (shown + way.decimal + decimals).zip_with(decimals.is_not_null(), shown)
    # Numbers with an exponent have no groups.
    return marked.zip_with(whole.is_not_null(), texts).alias(numbers.name)

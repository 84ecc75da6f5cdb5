"""Types of the columns of a delimited file: whole numbers, decimals, booleans, dates, or just text.

A column gets a type only if every one of its values has it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import polars as pl

from hushwood.tables.columns.names import literal

_SAMPLE_ROWS = 1000
_TRUE = ("true", "True", "TRUE")
_FALSE = ("false", "False", "FALSE")
_CODE = r"^\s*[+-]?0\d"
_DATE = r"^\d{4}-\d{2}-\d{2}$"
_MOMENT = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?$"
_ZONE = r"(Z|[+-]\d{2}:?\d{2})$"


def with_types(frame: pl.DataFrame, *, missing: Sequence[str], as_text: Collection[str]) -> pl.DataFrame:
    """Give every column of texts its type, except the columns in `as_text`."""
    typed = [column if column.name in as_text else typed_column(column, missing) for column in frame]
    return frame.with_columns(typed)


def typed_column(
    texts: pl.Series, missing: Sequence[str] = (), only: Collection[str] | None = None
) -> pl.Series:
    """The column in the narrowest type that all its values have, `only` some types if they are named."""
    return _typed(literal(texts), missing, only).alias(texts.name)


def _typed(texts: pl.Series, missing: Sequence[str], only: Collection[str] | None) -> pl.Series:
    texts = _without_padded_missing(texts, missing)
    for name in possible_types(texts, only):
        parsed = _parsed(texts, name)
        if parsed is not None:
            return parsed
    return texts


def possible_types(texts: pl.Series, among: Iterable[str] | None = None) -> list[str]:
    """The types that the first values of a column have, the narrowest first; none for a column without values."""
    known = literal(texts).drop_nulls()
    if known.is_empty():
        return []
    sample = _bare(known.head(_SAMPLE_ROWS))
    all_missing = sample.null_count() == len(sample)
    return [
        name
        for name in (_PARSERS if among is None else among)
        if all_missing or _all_parsed(sample, _PARSERS[name]) is not None
    ]


def typed_as(texts: pl.Series, name: str | None, missing: Sequence[str] = ()) -> pl.Series | None:
    """The column in a type that other parts of it have; None if some value does not have it. No name is for texts."""
    column = _without_padded_missing(literal(texts), missing)
    if name is None:
        return column.alias(texts.name)
    if column.null_count() == len(column):
        return _PARSERS[name](column).alias(texts.name)
    parsed = _parsed(column, name)
    return None if parsed is None else parsed.alias(texts.name)


def _parsed(texts: pl.Series, name: str) -> pl.Series | None:
    """The column in a type; blanks around values may be removed for that."""
    parsed = _all_parsed(texts, _PARSERS[name])
    return _all_parsed(_bare(texts), _PARSERS[name]) if parsed is None else parsed


def _without_padded_missing(texts: pl.Series, missing: Sequence[str]) -> pl.Series:
    if not missing or not texts.str.contains(r"^\s|\s$").any():
        return texts
    value = pl.col(texts.name)
    known = pl.when(~value.str.strip_chars().is_in(list(missing))).then(value)
    return texts.to_frame().select(known.alias(texts.name)).to_series()


def _bare(texts: pl.Series) -> pl.Series:
    """Texts without surrounding blanks; a quoted empty field is missing, except in a text column."""
    stripped = texts.str.strip_chars()
    value = pl.col(texts.name)
    return stripped.to_frame().select(pl.when(value != "").then(value).alias(texts.name)).to_series()


def _all_parsed(texts: pl.Series, parse: Callable[[pl.Series], pl.Series]) -> pl.Series | None:
    parsed = parse(texts)
    complete = parsed.null_count() == texts.null_count() and parsed.null_count() < len(texts)
    return parsed if complete else None


def _whole(texts: pl.Series) -> pl.Series:
    return _numbers(texts, pl.Int64())


def _wide(texts: pl.Series) -> pl.Series:
    return _numbers(texts, pl.Int128())


def _decimal(texts: pl.Series) -> pl.Series:
    return _numbers(texts, pl.Float64()).fill_nan(None)


def _numbers(texts: pl.Series, dtype: pl.DataType) -> pl.Series:
    """Texts as numbers; none if one begins with a zero too many: postal codes and account numbers are no numbers."""
    numbers = texts.cast(dtype, strict=False)
    return numbers.clear(len(texts)) if texts.str.contains(_CODE).any() else numbers


def _boolean(texts: pl.Series) -> pl.Series:
    value = pl.col(texts.name)
    truth = pl.when(value.is_in(_TRUE)).then(True).when(value.is_in(_FALSE)).then(False)
    return texts.to_frame().select(truth.alias(texts.name)).to_series()


def _date(texts: pl.Series) -> pl.Series:
    return _only(texts, _DATE).str.to_date("%Y-%m-%d", strict=False)


def _moment(texts: pl.Series) -> pl.Series:
    """ISO dates with a time; those with an offset are converted to UTC."""
    moments = _only(texts, _MOMENT).str.replace(" ", "T", literal=True)
    zoned = bool(moments.drop_nulls().head(1).str.contains(_ZONE).any())
    with_seconds = moments.str.replace(r"(T\d{2}:\d{2})(Z|[+-].*)?$", "$1:00$2")
    pattern = "%Y-%m-%dT%H:%M:%S%.f" + ("%#z" if zoned else "")
    return with_seconds.str.to_datetime(pattern, strict=False, time_unit="us")


def _only(texts: pl.Series, pattern: str) -> pl.Series:
    value = pl.col(texts.name)
    return texts.to_frame().select(pl.when(value.str.contains(pattern)).then(value)).to_series()


# By name, the narrowest first.
_PARSERS: dict[str, Callable[[pl.Series], pl.Series]] = {
    "whole": _whole,
    "wide": _wide,
    "decimal": _decimal,
    "boolean": _boolean,
    "date": _date,
    "moment": _moment,
}

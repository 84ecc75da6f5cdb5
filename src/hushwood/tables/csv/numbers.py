"""Texts as numbers, with the signs of a way: decimal commas, signs between thousands, fixed decimals."""

from __future__ import annotations

import re

import polars as pl

from hushwood.tables.csv.ways import Way

# A zero too many in front: postal codes and account numbers are no numbers.
_CODE = r"^\s*[+-]?0\d"
_ONE_DECIMAL = r"[+-]?\d+([.,]\d+)?"
_GROUPED = r"[+-]?\d{1,3}((,\d{3})+(\.\d+)?|(\.\d{3})+(,\d+)?)"
_MIXED = f"^({_ONE_DECIMAL}|{_GROUPED})$"
_TYPES: dict[str, pl.DataType] = {"whole": pl.Int64(), "wide": pl.Int128(), "decimal": pl.Float64()}


def parsed_numbers(texts: pl.Series, way: Way) -> pl.Series:
    """Texts as numbers; null where they are not written in this way."""
    if way.kind == "mixed":
        return _none(texts) if texts.str.contains(_CODE).any() else only(texts, _MIXED)
    if way.places is not None:
        sign = texts.str.slice(-way.places - 1, 1)
        if not (sign == way.decimal).all():
            return _none(texts)
    elif way.pointed and not texts.str.contains(way.decimal, literal=True).all():
        return _none(texts)
    plain = _with_points(texts, way)
    if plain.str.contains(_CODE).any():
        return _none(texts)
    numbers = plain.cast(_TYPES[way.kind], strict=False)
    return numbers.fill_nan(None) if way.kind == "decimal" else numbers


def _with_points(texts: pl.Series, way: Way) -> pl.Series:
    """The texts as the library reads numbers; null where they have other signs than those of the way."""
    if way.thousands:
        sign, decimal = re.escape(way.thousands), re.escape(way.decimal)
        grouped = only(texts, rf"^[+-]?(\d{{1,3}}({sign}\d{{3}})+|\d+)({decimal}\d+)?$")
        texts = grouped.str.replace_all(way.thousands, "", literal=True)
    elif way.decimal == "," and texts.str.contains(".", literal=True).any():
        return _none(texts)
    return texts.str.replace(",", ".", literal=True) if way.decimal == "," else texts


def only(texts: pl.Series, pattern: str) -> pl.Series:
    """The texts that a pattern fits, null for others."""
    value = pl.col(texts.name)
    return texts.to_frame().select(pl.when(value.str.contains(pattern)).then(value)).to_series()


def _none(texts: pl.Series) -> pl.Series:
    return texts.clear(len(texts))
